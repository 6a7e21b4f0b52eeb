/// The content of a response; its length becomes the `Content-Length`.
public enum HTTPBody: Sendable {
  /// No content: `Content-Length: 0` where the status allows one.
  case none
  /// One buffer; it is shared with other owners of the array, not copied.
  case bytes([UInt8])
  /// Several buffers sent one after the other, each shared, not copied.
  case segments([[UInt8]])

  /// The number of bytes of the content.
  public var count: Int {
    switch self {
    case .none: 0
    case .bytes(let bytes): bytes.count
    case .segments(let segments): segments.reduce(0) { $0 + $1.count }
    }
  }
}
