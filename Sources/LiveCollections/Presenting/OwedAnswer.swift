/// What somebody owes, heard once: the first answer given or, when whoever owes it has let go of it
/// without one, the answer that stands for none.
final class OwedAnswer<Answer: Sendable>: Sendable {
  private let once = Once()
  private let none: Answer
  private let hear: @Sendable (Answer) -> Void

  /// An answer not given yet; `none` stands for none.
  init(none: Answer, hear: @escaping @Sendable (Answer) -> Void) {
    self.none = none
    self.hear = hear
  }

  deinit { callAsFunction(none) }

  /// Gives the answer.
  func callAsFunction(_ answer: Answer) { once { hear(answer) } }
}
