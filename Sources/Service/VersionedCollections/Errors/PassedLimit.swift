/// A limit that the result of a request would exceed.
public struct PassedLimit: Error, Hashable, Sendable {
  /// What exceeds the limit.
  public enum Quantity: Hashable, Sendable {
    /// Bytes of contents.
    case bytes
    /// Nesting depth.
    case depth
    /// Steps of a patch.
    case work
  }

  /// What exceeds the limit.
  public var quantity: Quantity
  /// The JSON pointer to the value that exceeds the limit; empty for the whole request.
  public var pointer: String
  /// A one-sentence description.
  public var detail: String
  /// The limit.
  public var limit: Int

  /// Creates an error.
  public init(_ quantity: Quantity, _ pointer: String, _ detail: String, limit: Int) {
    self.quantity = quantity
    self.pointer = pointer
    self.detail = detail
    self.limit = limit
  }

  /// The description of a collection that would become too large.
  package static func contents(_ limit: Int) -> String {
    "the collection's contents would have more than \(limit) bytes"
  }
}

extension PassedLimit {
  /// The error for contents that are too large.
  package static func contents(_ limits: ServiceLimits, at pointer: String = "") -> PassedLimit {
    PassedLimit(
      .bytes, pointer, contents(limits.collectionBytesMax), limit: limits.collectionBytesMax)
  }
}
