import DeltaEngine

final class Once: Sendable {
  private let isDone = Locked(false)

  func callAsFunction(_ body: () -> Void) {
    if !isDone.exchange(true) { body() }
  }
}

/// Calls a completion exactly once: with the first answer, or with a default one when it is
/// released without any.
final class OnceOnlyCompletion<Answer: Sendable>: Sendable {
  private let once = Once()
  private let fallback: Answer
  private let completion: @Sendable (Answer) -> Void

  /// Wraps a completion; `fallback` is the default answer.
  init(fallback: Answer, completion: @escaping @Sendable (Answer) -> Void) {
    self.fallback = fallback
    self.completion = completion
  }

  deinit { callAsFunction(fallback) }

  func callAsFunction(_ answer: Answer) { once { completion(answer) } }
}
