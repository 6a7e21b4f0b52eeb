/// A limit that what a request makes would pass, and where.
public struct PassedLimit: Error, Hashable, Sendable {
  /// What there is too much of.
  public enum Quantity: Hashable, Sendable {
    /// Bytes of contents.
    case bytes
    /// Nesting.
    case depth
    /// Steps of a patch.
    case work
  }

  /// What there is too much of.
  public var quantity: Quantity
  /// The JSON pointer to what would pass the limit; empty for the request as a whole.
  public var pointer: String
  /// What is too much of what, in one sentence.
  public var detail: String
  /// The limit.
  public var limit: Int

  /// Describes a limit that was passed.
  public init(_ quantity: Quantity, _ pointer: String, _ detail: String, limit: Int) {
    self.quantity = quantity
    self.pointer = pointer
    self.detail = detail
    self.limit = limit
  }

  /// What is said of a collection that would become too large.
  static func contents(_ limit: Int) -> String {
    "the collection's contents would have more than \(limit) bytes"
  }
}
