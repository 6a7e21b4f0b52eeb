import HTTP1
import Telemetry
import VersionedCollections

extension RequestID {
  /// The maximum length of an id given by a client, in bytes.
  static let bytesMax = 128

  /// Creates an id from the request's `Request-Id`, if it can be logged as it is.
  init?(given request: borrowing HTTPRequest) {
    guard let field = request.field("request-id"), 1...Self.bytesMax ~= field.count,
      field.allSatisfy({ Self.isPlain($0) })
    else { return nil }
    self.init(checked: Array(field))
  }

  /// Whether a byte is printable ASCII that JSON does not escape.
  private static func isPlain(_ byte: UInt8) -> Bool {
    0x21...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}

extension TraceContext {
  /// Parses the `traceparent` of a request; returns `nil` if it is absent or malformed.
  init?(_ request: borrowing HTTPRequest) {
    guard let field = request.field("traceparent") else { return nil }
    // Several fields are one list (§3.3).
    let states = request.fields("tracestate").map { String(decoding: $0, as: UTF8.self) }
    self.init(field, state: states.joined(separator: ","))
  }
}
