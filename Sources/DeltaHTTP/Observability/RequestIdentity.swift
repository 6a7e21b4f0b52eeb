import CollectionService
import HTTP1
import Synchronization
import Telemetry

/// Generates numbers that identify requests across processes.
///
/// They need not be unpredictable: SplitMix64, a mixed counter with a random start (Steele et al.,
/// *Fast Splittable Pseudorandom Number Generators*, 2014).
final class RequestNumbers: Sendable {
  private let counter: Atomic<UInt64>

  init() { counter = Atomic(UInt64.random(in: 0...UInt64.max)) }

  /// Returns a nonzero number.
  func next() -> UInt64 {
    var bits = counter.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return max(1, bits ^ bits >> 31)
  }
}

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
    self.init(field)
  }

  /// Returns the field of the response: the same trace with a span of the server.
  func field(span: UInt64) -> [UInt8] {
    var text = Array("00-".utf8)
    text += trace
    text.append(UInt8(ascii: "-"))
    text.append(hexadecimal: span)
    text.append(UInt8(ascii: "-"))
    text += flags
    return text
  }
}

extension [UInt8] {
  /// Appends a number as 16 hexadecimal digits.
  mutating func append(hexadecimal number: UInt64) {
    let digits = hexadecimalDigits(number)
    for index in digits.indices { append(digits[index]) }
  }
}

/// Formats a number as 16 hexadecimal digits.
func hexadecimalDigits(_ number: UInt64) -> InlineArray<16, UInt8> {
  InlineArray { index in
    let digit = UInt8(truncatingIfNeeded: number >> UInt64(60 - 4 * index) & 0xF)
    return digit < 10 ? 0x30 + digit : 0x57 + digit
  }
}
