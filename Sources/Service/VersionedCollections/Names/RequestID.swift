/// The ID of a request, sent with its response and used in the log.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
  /// Printable ASCII that needs no escapes in JSON.
  public let bytes: [UInt8]

  /// Creates an ID that is already known to need no escapes.
  public init(checked bytes: [UInt8]) { self.bytes = bytes }

  /// The ID as text.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
