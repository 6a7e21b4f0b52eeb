/// The content of a response; its size is sent as `Content-Length`.
public enum HTTPBody: Sendable {
  /// No content; sent as `Content-Length: 0` where the status allows content.
  case none
  /// One buffer, shared with other owners of the array instead of copied.
  case bytes([UInt8])
  /// Several buffers, sent in order and shared instead of copied.
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
