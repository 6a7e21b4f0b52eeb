/// A position in a trace (W3C Trace Context): a span, which others may be children of.
package struct TraceContext: Sendable, Hashable {
  /// The trace: not zero.
  let trace: UInt128
  /// The span: not zero.
  let span: UInt64
  private let flags: UInt8
  /// What the caller's `tracestate` says; passed on as it is.
  let state: String?

  /// §3.3.1.5: a vendor passes on at least so many bytes of `tracestate`; what is longer is left out.
  private static let stateBytesMax = 512

  /// Parses the values of `traceparent` and `tracestate`; returns `nil` if the former is malformed.
  package init?(_ field: ArraySlice<UInt8>, state: String? = nil) {
    let parts = field.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count >= 4, parts.prefix(4).map(\.count) == [2, 32, 16, 2],
      // §3.2.2: version ff is invalid, and version 00 has exactly four parts.
      let version = UInt8(hexadecimal: parts[0]), version != 0xFF, parts.count == 4 || version != 0,
      let trace = UInt128(hexadecimal: parts[1]), let span = UInt64(hexadecimal: parts[2]),
      let flags = UInt8(hexadecimal: parts[3]), trace != 0, span != 0
    else { return nil }
    (self.trace, self.span, self.flags) = (trace, span, flags)
    self.state = state.flatMap { 1...Self.stateBytesMax ~= $0.utf8.count ? $0 : nil }
  }

  /// Creates the position of a child of another, or of the first span of a new trace, which is recorded.
  package init(childOf parent: TraceContext?, span: UInt64) {
    trace = parent?.trace ?? UInt128.random(in: 1...UInt128.max)
    self.span = span
    flags = parent?.flags ?? 1
    state = parent?.state
  }

  /// Whether the span is recorded (§3.2.2.5): the lowest bit of the flags.
  package var isSampled: Bool { flags & 1 == 1 }

  /// 32 hexadecimal digits.
  package var traceDigits: String {
    hexadecimalText(UInt64(truncatingIfNeeded: trace >> 64))
      + hexadecimalText(UInt64(truncatingIfNeeded: trace))
  }

  /// 16 hexadecimal digits.
  package var spanDigits: String { hexadecimalText(span) }

  /// The value of `traceparent` with which the span is continued.
  package var traceparent: String {
    "00-\(traceDigits)-\(spanDigits)-\(hexadecimalText(UInt64(flags)).suffix(2))"
  }

  /// The fields with which the span is continued in a request to another service.
  package var fields: [(name: String, value: String)] {
    [("traceparent", traceparent)] + (state.map { [("tracestate", $0)] } ?? [])
  }
}

extension FixedWidthInteger {
  /// Parses lowercase hexadecimal digits, no more than the number has.
  fileprivate init?(hexadecimal digits: ArraySlice<UInt8>) {
    self = 0
    for digit in digits {
      switch digit {
      case 0x30...0x39: self = self << 4 | Self(digit - 0x30)
      case 0x61...0x66: self = self << 4 | Self(digit - 0x57)
      default: return nil
      }
    }
  }
}
