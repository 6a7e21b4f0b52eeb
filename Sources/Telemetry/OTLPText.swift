import SnapshotJSON
import Tracing

/// Formats spans as OTLP 1.x in JSON (opentelemetry-proto, `ExportTraceServiceRequest`).
///
/// As its JSON encoding has it, ids are hexadecimal and numbers of 64 bits are texts.
struct OTLPText: Sendable {
  private let version: String
  /// Tells this process from others of the same service.
  private let instance: String

  init(version: String) {
    self.version = version
    instance = String(UInt64.random(in: 0...UInt64.max), radix: 16)
  }

  /// The request that exports spans.
  func request(_ spans: [RecordedSpan]) -> [UInt8] {
    var writer = JSONWriter(capacity: 512 * (spans.count + 1))
    writer.literal(#"{"resourceSpans":[{"resource":{"attributes":["#)
    writer.attribute("service.name", .string("livedelta"), isFirst: true)
    writer.attribute("service.version", .string(version), isFirst: false)
    writer.attribute("service.instance.id", .string(instance), isFirst: false)
    writer.literal(#"]},"scopeSpans":[{"scope":{"name":"livedelta","version":"#)
    writer.string(version)
    writer.literal(#"},"spans":["#)
    var isFirst = true
    for span in spans {
      writer.write(span, isFirst: isFirst)
      isFirst = false
    }
    writer.literal("]}]}]}")
    return writer.bytes
  }

  /// The number of spans that a successful answer says were rejected (`partialSuccess`).
  static func rejectedCount(_ body: [UInt8]) -> Int {
    // A body that is no JSON rejects nothing: the status says that the spans were taken.
    guard let count = JSONReader().root(of: body)?["partialSuccess"]?["rejectedSpans"]
    else { return 0 }
    return max(0, count.int ?? count.string.flatMap { Int($0) } ?? 0)
  }
}

// Whole pieces of text are written in place of single names and values: a traced request has some 40 of
// them, and most of what it costs was here.
extension JSONWriter {
  fileprivate mutating func write(_ span: RecordedSpan, isFirst: Bool) {
    let state = span.current
    writePosition(of: span, isFirst: isFirst)
    literal(#","name":"#)
    string(state.name)
    literal(#","kind":"#)
    number(span.kind.number)
    literal(#","startTimeUnixNano":""#)
    number(Int(clamping: span.start))
    literal(#"","endTimeUnixNano":""#)
    number(Int(clamping: state.end ?? span.start))
    literal("\"")
    write(state.attributes)
    literal(state.hasFailed ? #","status":{"code":2}}"# : "}")
  }

  private mutating func writePosition(of span: RecordedSpan, isFirst: Bool) {
    literal(isFirst ? #"{"traceId":""# : #",{"traceId":""#)
    hexadecimal(UInt64(truncatingIfNeeded: span.position.trace >> 64))
    hexadecimal(UInt64(truncatingIfNeeded: span.position.trace))
    literal(#"","spanId":""#)
    hexadecimal(span.position.span)
    if let parent = span.parent {
      literal(#"","parentSpanId":""#)
      hexadecimal(parent.span)
    }
    if let state = span.position.state {
      literal(#"","traceState":"#)
      string(state)
      literal(",\"flags\":")
    } else {
      literal(#"","flags":"#)
    }
    // Sampled, and whether it is known that the parent is another service's.
    number(1 | 1 << 8 | (span.parent?.isRemote == true ? 1 << 9 : 0))
  }

  private mutating func write(_ attributes: SpanAttributes) {
    guard !attributes.isEmpty else { return }
    literal(#","attributes":["#)
    var isFirst = true
    attributes.forEach { name, value in
      attribute(name, value, isFirst: isFirst)
      isFirst = false
    }
    literal("]")
  }

  fileprivate mutating func attribute(_ name: String, _ value: SpanAttribute, isFirst: Bool) {
    literal(isFirst ? #"{"key":"# : #",{"key":"#)
    string(name)
    switch value {
    case .string(let text): stringValue(text)
    case .int32(let number): intValue(Int(number))
    case .int64(let number): intValue(Int(number))
    case .bool(let flag):
      literal(flag ? #","value":{"boolValue":true}}"# : #","value":{"boolValue":false}}"#)
    case .stringConvertible(let value): stringValue("\(value)")
    default: stringValue("\(value)")
    }
  }

  private mutating func stringValue(_ text: String) {
    literal(#","value":{"stringValue":"#)
    string(text)
    literal("}}")
  }

  private mutating func intValue(_ value: Int) {
    literal(#","value":{"intValue":""#)
    number(value)
    literal(#""}}"#)
  }

  private mutating func hexadecimal(_ number: UInt64) { literal(hexadecimalDigits(number).span) }
}

extension SpanKind {
  /// Its number in OTLP.
  fileprivate var number: Int {
    switch self {
    case .internal: 1
    case .server: 2
    case .client: 3
    case .producer: 4
    case .consumer: 5
    }
  }
}
