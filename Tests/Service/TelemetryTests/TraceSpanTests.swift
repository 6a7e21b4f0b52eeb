import Synchronization
import Telemetry
import TestSupport
import Testing

/// Spans by themselves: positions in traces, and the text that is exported.
@Suite(.timeLimit(.minutes(10))) struct TraceSpanTests {
  private static let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")

  /// The position of the caller's span.
  private static func caller(_ state: String?, flags: String = "01") throws -> TraceContext {
    try #require(TraceContext(Array("00-\(trace)-\(span)-\(flags)".utf8)[...], state: state))
  }

  @Test func `a span continues the trace of the fields, and is continued by others`() throws {
    for flags in ["00", "01"] {
      let context = TraceContext(childOf: try Self.caller("a=b", flags: flags), span: 0x1F)
      let fields = Dictionary(uniqueKeysWithValues: context.fields.map { ($0.name, $0.value) })
      #expect(fields["traceparent"] == "00-\(Self.trace)-000000000000001f-\(flags)")
      #expect(fields["tracestate"] == "a=b")
    }
  }

  @Test func `a span without a parent begins a new trace`() {
    let fields = TraceContext(childOf: nil, span: 1).fields
    #expect(fields.map(\.name) == ["traceparent"])
    #expect(TraceContext(Array(fields[0].value.utf8)[...])?.isSampled == true)
    #expect(!fields[0].value.contains(Self.trace))
  }

  @Test(arguments: [
    "", "00-\(trace)-\(span)", "00-\(trace)-\(span)-01-x", "ff-\(trace)-\(span)-01",
    "00-\(trace.uppercased())-\(span)-01", "00-\(trace)-0000000000000000-01",
  ])
  func `a malformed field is no parent`(_ field: String) {
    #expect(TraceContext(Array(field.utf8)[...]) == nil)
  }

  @Test func `a tracestate that is too long is not passed on`() throws {
    let fields = try Self.caller("a=" + String(repeating: "b", count: 511)).fields
    #expect(fields.map(\.name) == ["traceparent"])
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
    let exporter = SpanExporter(version: "1.2.3", sleep: { _ in await untilCancelled() }) { given in
      body.withLock { $0 = given }
      return PostAnswer(status: 200)
    }
    exporter.start { _ in }
    let parent = try Self.caller("a=b")
    var span = TraceSpan(
      TraceContext(childOf: parent, span: 1), childOf: parent, .server, "a \"name\"",
      from: 1_700_000_000_000_000_001, to: 1_700_000_000_000_000_009)
    span.attributes = [("text", .text("t\n")), ("number", .number(200))]
    span.hasFailed = true
    exporter.append(span)
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
    #expect(exported["attributes"].elements.count == 2)
    #expect(exported["attributes"][0]["value"]["stringValue"].string == "t\n")
    #expect(exported["attributes"][1]["key"].string == "number")
    #expect(exported["attributes"][1]["value"]["intValue"].string == "200")
  }

  @Test func `the pause between attempts doubles, and is as long as the other service wants`() {
    let pause = { (attempt: Int, seconds: Int?) in
      PostAnswer.delay(
        after: attempt, PostAnswer(status: 503, retryAfter: seconds.map { .seconds($0) }),
        max: .seconds(300), retryAfterMax: .seconds(3600))
    }
    for (attempt, most) in [(1, Duration.seconds(1)), (4, .seconds(8)), (30, .seconds(300))] {
      #expect(most / 2...most ~= pause(attempt, nil))
    }
    #expect(pause(1, 20) == .seconds(20))
    #expect(pause(1, 20_000) == .seconds(3600))
  }
}
