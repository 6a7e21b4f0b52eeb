import Synchronization
import Telemetry
import TestSupport
import Testing
import Tracing

/// The tracer by itself: positions in traces, and the text that is exported.
@Suite(.timeLimit(.minutes(10))) struct OTLPTracerTests {
  private struct Fields: Extractor, Injector {
    func extract(key: String, from fields: [String: String]) -> String? { fields[key] }
    func inject(_ value: String, forKey key: String, into fields: inout [String: String]) {
      fields[key] = value
    }
  }

  private static let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")

  private static func exporter(
    _ post: @escaping SpanExporter.Post = { _ in .init(status: 200) }
  ) -> SpanExporter {
    SpanExporter(version: "1.2.3", sleep: { _ in await untilCancelled() }, post: post)
  }

  @Test func `a span continues the trace of the fields, and is continued by others`() {
    let tracer = OTLPTracer(Self.exporter())
    var context = InstrumentationContext.topLevel
    let given = ["traceparent": "00-\(Self.trace)-\(Self.span)-01", "tracestate": "a=b"]
    tracer.extract(given, into: &context, using: Fields())
    let span = tracer.startSpan("s", context: context)
    var fields: [String: String] = [:]
    tracer.inject(span.context, into: &fields, using: Fields())
    let parts = fields["traceparent", default: ""].split(separator: "-")
    #expect(parts.count == 4 && parts[0] == "00" && parts[1] == Self.trace && parts[3] == "01")
    #expect(parts[2] != Self.span && parts[2].utf8.count == 16)
    #expect(fields["tracestate"] == "a=b")
  }

  @Test(arguments: [
    "", "00-\(trace)-\(span)", "00-\(trace)-\(span)-01-x", "ff-\(trace)-\(span)-01",
    "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-0000000000000000-01",
  ])
  func `a malformed parent begins a new trace`(_ field: String) {
    let tracer = OTLPTracer(Self.exporter())
    var context = InstrumentationContext.topLevel
    tracer.extract(["traceparent": field], into: &context, using: Fields())
    var fields: [String: String] = [:]
    let span = tracer.startSpan("s", context: context)
    tracer.inject(span.context, into: &fields, using: Fields())
    #expect(!fields["traceparent", default: Self.trace].contains(Self.trace))
  }

  @Test func `a tracestate that is too long is not passed on`() {
    let tracer = OTLPTracer(Self.exporter())
    var context = InstrumentationContext.topLevel
    let state = "a=" + String(repeating: "b", count: 511)
    let given = ["traceparent": "00-\(Self.trace)-\(Self.span)-01", "tracestate": state]
    tracer.extract(given, into: &context, using: Fields())
    var fields: [String: String] = [:]
    tracer.inject(context, into: &fields, using: Fields())
    #expect(fields["traceparent"] != nil && fields["tracestate"] == nil)
  }

  @Test(arguments: [("00", false), ("01", true), ("02", false), ("ff", true), ("0b", true)])
  func `the lowest bit of the flags says whether the caller records`(
    _ flags: String, _ isSampled: Bool
  ) {
    let context = TraceContext(Array("00-\(Self.trace)-\(Self.span)-\(flags)".utf8)[...])
    #expect(context?.isSampled == isSampled)
  }

  @Test func `the text has ids in hexadecimal, times as text and attributes by type`()
    async throws
  {
    let body = Mutex<[UInt8]>([])
    let exporter = Self.exporter { given in
      body.withLock { $0 = given }
      return .init(status: 200)
    }
    exporter.start { _ in }
    let tracer = OTLPTracer(exporter)
    var context = InstrumentationContext.topLevel
    tracer.extract(
      ["traceparent": "00-\(Self.trace)-\(Self.span)-01", "tracestate": "a=b"], into: &context,
      using: Fields())
    let span = tracer.startSpan(
      "a \"name\"", context: context, ofKind: .server,
      at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 1_700_000_000_000_000_001))
    span.attributes["text"] = "t\n"
    span.attributes["number"] = 200
    span.attributes["flag"] = true
    span.setStatus(SpanStatus(code: .error))
    span.end(at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 1_700_000_000_000_000_009))
    span.end()
    span.attributes["late"] = "what is set after the end is left out"
    span.operationName = "late"
    await exporter.stop(within: .seconds(60))
    #expect(exporter.counts.exported == 1)
    let resource = JSONTree(body.withLock(\.self))["resourceSpans"][0]
    #expect(resource["resource"]["attributes"][1]["value"]["stringValue"].string == "1.2.3")
    let exported = resource["scopeSpans"][0]["spans"][0]
    #expect(exported["traceId"].string == Self.trace)
    #expect(exported["parentSpanId"].string == Self.span)
    #expect(exported["traceState"].string == "a=b")
    #expect(exported["flags"].int == 0x301)
    #expect(exported["kind"].int == 2 && exported["status"]["code"].int == 2)
    #expect(exported["name"].string == "a \"name\"")
    #expect(exported["startTimeUnixNano"].string == "1700000000000000001")
    #expect(exported["endTimeUnixNano"].string == "1700000000000000009")
    let values = Dictionary(
      uniqueKeysWithValues: exported["attributes"].elements.map {
        ($0["key"].string ?? "", $0["value"])
      })
    #expect(values.count == 3)
    #expect(values["text"]?["stringValue"].string == "t\n")
    #expect(values["number"]?["intValue"].string == "200")
    #expect(values["flag"]?["boolValue"].bool == true)
  }
}
