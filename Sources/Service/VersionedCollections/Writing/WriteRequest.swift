/// A write to a collection.
public struct WriteRequest: Sendable {
  /// The kinds of change.
  public enum Change: Sendable {
    /// Replaces the content; `body` is a snapshot as JSON text.
    case put(body: [UInt8])
    /// Applies edits, given as JSON text.
    case edit(body: [UInt8])
    /// Replaces the settings, or applies a merge patch to them.
    case settings(body: [UInt8], isPatch: Bool)
    /// Restores a retained version; `body` is `{"to":…}` as JSON text.
    case revert(body: [UInt8])
    /// Deletes the collection.
    case delete
  }

  /// What the writer gets in addition to the receipt.
  public enum Answer: Sendable {
    /// The receipt alone.
    case receipt
    /// The new snapshot.
    case snapshot(AnswerForm)
    /// The delta from the previous version.
    case delta(AnswerForm)
  }

  /// The change.
  public var change: Change
  /// The precondition that the collection must meet.
  public var precondition: Precondition
  /// What the writer gets in addition to the receipt.
  public var answer: Answer
  /// The key that identifies a retry of the same request.
  public var key: IdempotencyKey?
  /// The request's ID in the log.
  public var requestID: RequestID?

  /// Creates a request.
  public init(
    _ change: Change, precondition: Precondition = Precondition(), answer: Answer = .receipt,
    key: IdempotencyKey? = nil
  ) {
    self.key = key
    self.change = change
    self.precondition = precondition
    self.answer = answer
  }
}
