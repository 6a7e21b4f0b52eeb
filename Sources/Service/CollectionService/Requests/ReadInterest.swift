import Synchronization

/// Whether somebody still waits for an answer, who that is, and what the answer has cost so far.
public final class ReadInterest: Sendable {
  /// The name of the reader, or of where it is: answers are made by turns for those with different ones.
  let asker: String
  private let isOver = Atomic(false)
  private let charge: @Sendable (Duration) -> Void

  /// Creates an interest.
  ///
  /// - Parameters:
  ///   - asker: The name of the reader, or of where it is.
  ///   - charge: Called after work on views, on any thread, with the time that it took of the processor.
  public init(asker: String, charge: @escaping @Sendable (Duration) -> Void = { _ in }) {
    (self.asker, self.charge) = (asker, charge)
  }

  /// Whether nobody waits any more.
  var hasEnded: Bool { isOver.load(ordering: .relaxed) }

  /// Ends it: work that nobody else needs stops soon.
  public func end() { isOver.store(true, ordering: .relaxed) }

  func add(_ duration: Duration) { charge(duration) }
}
