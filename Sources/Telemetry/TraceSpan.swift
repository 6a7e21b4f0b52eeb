/// A span that has ended, as it is exported.
package struct TraceSpan: Sendable {
  /// What a span stands for; the raw value is its number in OTLP.
  package enum Kind: Int, Sendable {
    /// The service's answer to a request.
    case server = 2
    /// A question to another service.
    case client = 3
  }

  package enum Value: Sendable {
    case text(String)
    case number(Int)
  }

  package var position: SpanPosition
  /// The span that it is a child of; `nil` for the first of a trace.
  package var parent: SpanPosition?
  /// What it stands for.
  package var kind: Kind
  package var name: String
  /// When it began, in nanoseconds since 1970.
  package var start: Int
  /// When it ended, in nanoseconds since 1970.
  package var end: Int
  /// What is known of it, each name once.
  package var attributes: [(name: String, value: Value)] = []
  package var hasFailed = false

  /// Creates a span without attributes that has not failed.
  package init(
    _ position: SpanPosition, childOf parent: SpanPosition?, _ kind: Kind, _ name: String,
    from start: Int, to end: Int
  ) {
    (self.position, self.parent, self.kind, self.name) = (position, parent, kind, name)
    (self.start, self.end) = (start, end)
  }
}

/// A span that others may be children of: one of this process, or the caller's.
package struct SpanPosition: Sendable {
  /// The trace: not zero.
  let trace: UInt128
  /// The span: not zero.
  let span: UInt64
  /// What the caller's `tracestate` says; passed on as it is.
  let state: String?
  /// Whether it is the caller's.
  let isRemote: Bool

  /// §3.3.1.5: a vendor passes on at least so many bytes of `tracestate`; what is longer is left out.
  private static let stateBytesMax = 512

  /// Creates the position of a child of another, or of the first span of a new trace.
  package init(childOf parent: SpanPosition?, _ numbers: UniqueNumbers) {
    trace = parent?.trace ?? UInt128(numbers.next()) << 64 | UInt128(numbers.next())
    span = numbers.next()
    state = parent?.state
    isRemote = false
  }

  /// Creates the position of the caller's span from its `traceparent` and `tracestate`.
  package init(_ context: TraceContext, state: String?) {
    trace = UInt128(String(decoding: context.trace, as: UTF8.self), radix: 16) ?? 0
    span = UInt64(String(decoding: context.span, as: UTF8.self), radix: 16) ?? 0
    self.state = state.flatMap { 1...Self.stateBytesMax ~= $0.utf8.count ? $0 : nil }
    isRemote = true
  }

  /// 32 hexadecimal digits.
  var traceDigits: [UInt8] {
    [UInt8](hexadecimal: UInt64(truncatingIfNeeded: trace >> 64))
      + [UInt8](hexadecimal: UInt64(truncatingIfNeeded: trace))
  }

  var spanDigits: [UInt8] { [UInt8](hexadecimal: span) }

  /// The value of `traceparent` with which the span is continued; the span is recorded.
  package var traceparent: [UInt8] {
    Array("00-".utf8) + traceDigits + [UInt8(ascii: "-")] + spanDigits + Array("-01".utf8)
  }

  /// The fields with which the span is continued in a request to another service.
  package var fields: [(name: String, value: String)] {
    [("traceparent", String(decoding: traceparent, as: UTF8.self))]
      + (state.map { [("tracestate", $0)] } ?? [])
  }
}
