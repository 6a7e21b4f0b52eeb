/// The error for a delta that does not fit the list it is applied to.
public struct DeltaMismatch: Error, Hashable, Sendable {
  /// What does not fit, and where.
  public var reason: String

  /// Creates a mismatch.
  public init(reason: String) { self.reason = reason }
}
