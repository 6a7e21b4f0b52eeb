import SnapshotJSON

/// Formats spans as OTLP 1.x in JSON (opentelemetry-proto, `ExportTraceServiceRequest`).
///
/// As its JSON encoding has it, ids are hexadecimal and numbers of 64 bits are texts.
struct OTLPText: Sendable {
  private let version: String
  /// Tells this process from others of the same service.
  private let instance = String(UInt64.random(in: 0...UInt64.max), radix: 16)

  init(version: String) { self.version = version }

  func request(_ spans: [TraceSpan]) -> [UInt8] {
    let resource: [(name: String, value: TraceSpan.Value)] = [
      ("service.name", .text("livedelta")), ("service.version", .text(version)),
      ("service.instance.id", .text(instance)),
    ]
    return JSONWriter.object(capacity: 512 * (spans.count + 1)) { writer in
      writer.array("resourceSpans", CollectionOfOne(spans)) { writer, spans in
        writer.object { writer in
          writer.beginObject("resource")
          writer.write(resource)
          writer.endObject()
          writer.array("scopeSpans", CollectionOfOne(spans)) { writer, spans in
            writer.object { writer in
              writer.beginObject("scope")
              writer.member("name", "livedelta")
              writer.member("version", version)
              writer.endObject()
              writer.array("spans", spans) { $0.write($1) }
            }
          }
        }
      }
    }
  }

  /// The number of spans that a successful answer says were rejected (`partialSuccess`).
  static func rejectedCount(_ body: [UInt8]) -> Int {
    // A body that is no JSON rejects nothing: the status says that the spans were taken.
    guard let count = JSONReader().root(of: body)?["partialSuccess"]?["rejectedSpans"]
    else { return 0 }
    return max(0, count.int ?? count.string.flatMap { Int($0) } ?? 0)
  }
}

extension JSONWriter {
  fileprivate mutating func write(_ span: TraceSpan) {
    object {
      $0.member("traceId", span.context.traceDigits)
      $0.member("spanId", span.context.spanDigits)
      if let parent = span.parent { $0.member("parentSpanId", parent.spanDigits) }
      if let state = span.context.state { $0.member("traceState", state) }
      // Sampled, and whether the parent is another service's, as that of a request is.
      let isRemote = span.kind == .server && span.parent != nil
      $0.member("flags", 1 | 1 << 8 | (isRemote ? 1 << 9 : 0))
      $0.member("name", span.name)
      $0.member("kind", span.kind.rawValue)
      $0.member("startTimeUnixNano", String(span.start))
      $0.member("endTimeUnixNano", String(span.end))
      if !span.attributes.isEmpty { $0.write(span.attributes) }
      if span.hasFailed { $0.member("status", raw: Array(#"{"code":2}"#.utf8)) }
    }
  }

  /// Writes `"attributes":[{"key":"k","value":{"stringValue":"v"}}]`.
  fileprivate mutating func write(_ attributes: [(name: String, value: TraceSpan.Value)]) {
    array("attributes", attributes) { writer, attribute in
      writer.object {
        $0.member("key", attribute.name)
        $0.beginObject("value")
        switch attribute.value {
        case .text(let text): $0.member("stringValue", text)
        case .number(let number): $0.member("intValue", String(number))
        }
        $0.endObject()
      }
    }
  }
}
