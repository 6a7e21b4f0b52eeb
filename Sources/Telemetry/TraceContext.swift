import Instrumentation

/// A position in a trace (W3C Trace Context, `traceparent`).
public struct TraceContext: Sendable, Hashable {
  /// 32 hexadecimal digits.
  public let trace: ArraySlice<UInt8>
  /// The span: 16 hexadecimal digits.
  public let span: ArraySlice<UInt8>
  /// Two hexadecimal digits.
  public let flags: ArraySlice<UInt8>

  /// Parses the value of the field; returns `nil` if it is malformed.
  public init?(_ field: ArraySlice<UInt8>) {
    let parts = field.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count >= 4, parts.prefix(4).map(\.count) == [2, 32, 16, 2],
      parts.prefix(4).joined().allSatisfy({ Self.isHex($0) }),
      // §3.2.2: version ff is invalid, and version 00 has exactly four parts.
      !parts[0].elementsEqual("ff".utf8), parts.count == 4 || !parts[0].elementsEqual("00".utf8),
      parts[1].contains(where: { $0 != 0x30 }), parts[2].contains(where: { $0 != 0x30 })
    else { return nil }
    (trace, span, flags) = (parts[1], parts[2], parts[3])
  }

  /// Whether the caller records its span (§3.2.2.5): the lowest bit of the flags.
  public var isSampled: Bool {
    guard let digit = flags.last else { return false }
    return (digit < 0x3A ? digit : digit - 0x57) & 1 == 1
  }

  private static func isHex(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || 0x61...0x66 ~= byte
  }
}

/// The fields that carry a position from one service to the next.
enum TraceField {
  static let parent = "traceparent"
  static let state = "tracestate"
  /// §3.3.1.5: a vendor passes on at least so many bytes of `tracestate`; what is longer is left out.
  static let stateBytesMax = 512
}

/// A span that others may be children of: one of this process, or the caller's.
struct SpanPosition: Sendable {
  /// The trace: not zero.
  var trace: UInt128
  /// The span: not zero.
  var span: UInt64
  /// What the caller's `tracestate` says; passed on as it is.
  var state: String?
  /// Whether it is the caller's.
  var isRemote: Bool

  /// The value of `traceparent`; the span is recorded.
  var field: String {
    var text = Array("00-".utf8)
    text.append(hexadecimal: trace)
    text.append(UInt8(ascii: "-"))
    text.append(hexadecimal: span)
    text += "-01".utf8
    return String(decoding: text, as: UTF8.self)
  }
}

extension SpanPosition {
  /// The caller's span.
  init(_ context: TraceContext, state: String?) {
    let (trace, span) = (
      String(decoding: context.trace, as: UTF8.self), String(decoding: context.span, as: UTF8.self)
    )
    self.init(
      trace: UInt128(trace, radix: 16) ?? 0, span: UInt64(span, radix: 16) ?? 0, state: state,
      isRemote: true)
  }
}

extension [UInt8] {
  /// Appends a number as 32 hexadecimal digits.
  mutating func append(hexadecimal number: UInt128) {
    append(hexadecimal: UInt64(truncatingIfNeeded: number >> 64))
    append(hexadecimal: UInt64(truncatingIfNeeded: number))
  }
}

/// Where ``SpanPosition`` is kept in a context.
enum SpanPositionKey: InstrumentationContextKey {
  typealias Value = SpanPosition
}

extension InstrumentationContext {
  var position: SpanPosition? {
    get { self[SpanPositionKey.self] }
    set { self[SpanPositionKey.self] = newValue }
  }
}
