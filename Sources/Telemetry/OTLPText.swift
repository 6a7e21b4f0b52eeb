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
  func request(_ spans: [FinishedSpan]) -> [UInt8] {
    JSONWriter.object(capacity: 512 * (spans.count + 1)) {
      $0.array("resourceSpans", [()]) { writer, _ in
        writer.object { writer in
          writer.beginObject("resource")
          writer.attributes(resource)
          writer.endObject()
          writer.array("scopeSpans", [()]) { writer, _ in
            writer.object { writer in
              writer.beginObject("scope")
              writer.member("name", "livedelta")
              writer.member("version", version)
              writer.endObject()
              writer.array("spans", spans) { writer, span in writer.write(span) }
            }
          }
        }
      }
    }
  }

  private var resource: [(name: String, value: FinishedSpan.Value)] {
    [
      ("service.name", .text("livedelta")), ("service.version", .text(version)),
      ("service.instance.id", .text(instance)),
    ]
  }

  /// The number of spans that a successful answer says were rejected (`partialSuccess`).
  static func rejectedCount(_ body: [UInt8]) -> Int {
    guard let answer = try? JSONReader().read(body).root,
      let count = answer["partialSuccess"]?["rejectedSpans"]
    else { return 0 }
    return max(0, count.int ?? count.string.flatMap { Int($0) } ?? 0)
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ span: FinishedSpan) {
    object {
      $0.member("traceId", span.position.trace)
      $0.member("spanId", span.position.span)
      if let state = span.position.state { $0.member("traceState", state) }
      if let parent = span.parent { $0.member("parentSpanId", parent.span) }
      // Sampled, and whether it is known that the parent is another service's.
      $0.member("flags", 1 | 1 << 8 | (span.parent?.isRemote == true ? 1 << 9 : 0))
      $0.member("name", span.name)
      $0.member("kind", span.kind.number)
      $0.member("startTimeUnixNano", "\(span.start)")
      $0.member("endTimeUnixNano", "\(span.end)")
      if !span.attributes.isEmpty { $0.attributes(span.attributes) }
      if span.hasFailed {
        $0.beginObject("status")
        $0.member("code", 2)
        $0.endObject()
      }
    }
  }

  fileprivate mutating func attributes(_ attributes: [(name: String, value: FinishedSpan.Value)]) {
    array("attributes", attributes) { writer, attribute in
      writer.object {
        $0.member("key", attribute.name)
        $0.beginObject("value")
        switch attribute.value {
        case .text(let text): $0.member("stringValue", text)
        case .number(let number): $0.member("intValue", "\(number)")
        case .flag(let flag): $0.member("boolValue", flag)
        }
        $0.endObject()
      }
    }
  }
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
