import Authentication
import CollectionService
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import StoreSQLite
import Synchronization
import Telemetry
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// Traces of requests, as a collector gets them.
@Suite(.timeLimit(.minutes(10))) struct TraceTests {
  private let collector = TraceCollector()
  private static let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")
  private static let sampled = ["traceparent": "00-\(trace)-\(span)-01"]
  private static let unsampled = ["traceparent": "00-\(trace)-\(span)-00"]
  private static let inbox = TestServer.inbox

  private func run(
    ratio: Double = 0, _ configure: (inout DeltaServerConfiguration) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run({
      $0.traces = collector.configuration(ratio: ratio)
      configure(&$0)
    }) { try await body($0) }
  }

  @Test func `a PUT has one span, with its caller as parent`() async throws {
    try await run { server in
      let answer = try await server.send(
        "PUT", Self.inbox, Self.sampled.merging(["tracestate": "a=b"]) { $1 }, #"[{"id":1}]"#)
      let span = try #require(try await collector.servers(1).first)
      #expect(answer["traceparent"] == "00-\(Self.trace)-\(span.id)-01")
      #expect(span.state == "a=b")
      #expect(span.trace == Self.trace && span.parent == Self.span)
      #expect(span.name == "PUT /v1/clients/{client}/collections/{name}")
      #expect(collector.spans.count == 1 && span.start <= span.end)
      let expected = [
        "http.request.method": "PUT", "http.route": "/v1/clients/{client}/collections/{name}",
        "http.response.status_code": "201", "url.scheme": "http", "http.request.body.size": "10",
        "network.peer.address": "127.0.0.1",
        "livedelta.request.id": try #require(answer["Request-Id"]),
      ]
      for (name, value) in expected { #expect(span.attributes[name] == value, "\(name)") }
      #expect(!span.hasFailed)
    }
  }

  @Test func `the span of a delta tells its outcome and dialect, also when its answer is cached`()
    async throws
  {
    try await run { server in
      let first = try await server.put(#"[{"id":1}]"#)
      _ = try await server.put(#"[{"id":2},{"id":1}]"#)
      for _ in 0..<2 {
        _ = try await server.send("GET", Self.inbox + "/delta?since=\(first)", Self.sampled)
      }
      let spans = try await collector.servers(2)
      #expect(spans[0].id != spans[1].id && spans[0].trace == spans[1].trace)
      for span in spans {
        #expect(span.attributes["livedelta.outcome"] == "delta")
        #expect(span.attributes["livedelta.dialect"] == "staged")
      }
    }
  }

  @Test func `the span of a long poll covers its wait`() async throws {
    try await run { server in
      let version = try await server.put("[]")
      let reader = try RawConnection(server.address)
      await reader.send("GET", Self.inbox + "/delta?since=\(version)&wait=50", Self.sampled)
      try await server.untilParked()
      #expect(collector.spans.isEmpty)
      _ = try await server.put(#"[{"id":1}]"#)
      #expect(try await reader.response().status == 200)
      #expect(try await collector.servers(1).first?.parent == Self.span)
    }
  }

  @Test func `a request whose caller is not sampled has no trace, whatever the ratio`()
    async throws
  {
    try await run(ratio: 1) { server in
      let answer = try await server.send("PUT", Self.inbox, Self.unsampled, "[]")
      #expect(answer["traceparent"]?.hasSuffix("-00") == true)
      _ = try await server.send("GET", "/v1")
      #expect(try await collector.servers(1).map(\.name) == ["GET /v1"])
    }
  }

  @Test func `requests without a parent are traced by the ratio, cached answers as well`()
    async throws
  {
    try await run(ratio: 1) { server in
      _ = try await server.put("[]")
      for _ in 0..<3 { _ = try await server.send("GET", Self.inbox) }
      let spans = try await collector.servers(4)
      #expect(Set(spans.map(\.trace)).count == 4 && spans.allSatisfy { $0.parent == nil })
      #expect(
        spans[3].name == "GET /v1/clients/{client}/collections/{name}"
          && spans[3].attributes["livedelta.outcome"] == "snapshot")
    }
    try await TestServer.run({ $0.traces = collector.configuration(ratio: 0) }) { server in
      _ = try await server.send("GET", "/none")
      _ = try await server.send("GET", "/v1", Self.sampled)
      #expect(try await collector.servers(5).last?.parent == Self.span)
    }
    #expect(collector.servers.count == 5)
  }

  @Test func `of many requests the share of the ratio is traced`() {
    for (ratio, expected) in [(0, 0...0), (1, 10_000...10_000), (0.25, 2200...2800)] {
      let tracing = collector.configuration(ratio: ratio)
      let numbers = UniqueNumbers()
      let count = (0..<10_000).count { _ in numbers.next() <= tracing.numberMax }
      #expect(expected.contains(count), "\(ratio): \(count)")
    }
  }

  @Test func `what goes to the collector has no name, content, credential or query`()
    async throws
  {
    try await run(ratio: 1, Keys.configure) { server in
      let fields = Keys.field("writesAll").merging(
        ["Idempotency-Key": "secret-once", "Cookie": "session=hidden"]) { $1 }
      let path = "/v1/clients/u42/collections/inbox"
      _ = try await server.send("PUT", path, fields, #"[{"id":"item-7","title":"Contract"}]"#)
      _ = try await server.send("GET", path + "/delta?where=/title:eq:opaque-text", fields)
      _ = try await server.send("GET", path, Keys.field("stolen"))
      _ = try await server.send("PUT", path, Keys.field("writesAll"), #"[{"id":"item-8""#)
      let spans = try await collector.servers(4)
      let statuses = spans.map { $0.attributes["http.response.status_code"] }
      #expect([statuses[0], statuses[2], statuses[3]] == ["201", "401", "400"])
      #expect(spans[3].attributes["error.type"] == "bad-json" && !spans[3].hasFailed)
      for word in [
        "u42", "inbox", "writesAll", "stolen", "secret-once", "hidden", "opaque-text", "item-7",
        "item-8", "Contract", "Bearer",
      ] {
        #expect(!collector.text.contains(word), "\(word)")
      }
      #expect(spans[0].attributes["livedelta.client"]?.utf8.count == 16)
    }
  }

  @Test func `the request to the backend has a span, and continues the trace`() async throws {
    let asked = Mutex<[String]>([])
    try await run(
      ratio: 0,
      { configuration in
        configuration.authenticator = try? Authenticator(
          nil,
          forward: ForwardSource(cookies: .all) { question in
            asked.withLock { asked in asked += question.traceFields.map { "\($0.name) \($0.value)" }
            }
            return ForwardAnswer(status: 200, cacheControl: nil, age: nil)
          }, now: { 1_000_000 })
      }
    ) { server in
      let fields = Self.sampled.merging(["Cookie": "session=1"]) { $1 }
      #expect(try await server.send("GET", Self.inbox, fields).status == 404)
      let span = try #require(try await collector.servers(1).first)
      let question = try #require(collector.spans.first { $0.name == "authorize" })
      #expect(question.kind == 3 && question.trace == Self.trace && question.parent == span.id)
      #expect(asked.withLock(\.self) == ["traceparent 00-\(Self.trace)-\(question.id)-01"])
    }
  }

  @Test func `a stream has one span, which ends with it`() async throws {
    try await run { server in
      _ = try await server.put("[]")
      let reader = try RawConnection(server.address)
      let fields = Self.sampled.merging(
        ["Accept": "text/event-stream", "Connection": "close"]) { $1 }
      await reader.send("GET", Self.inbox + "/delta?closeafter=event", fields)
      #expect(try await reader.head().status == 200)
      while await reader.chunk() != nil {}
      let span = try #require(try await collector.servers(1).first)
      #expect(span.name == "GET /v1/clients/{client}/collections/{name}/delta")
      #expect(collector.spans.count == 1)
    }
  }

  @Test func `a collector that hangs holds up no request and no shutdown`() async throws {
    let exporter = SpanExporter(
      queueSpansMax: 16, batchSpansMax: 4, version: "0", sleep: { _ in await untilCancelled() }
    ) { _ in
      await untilCancelled()
      return nil
    }
    try await TestServer.run({ $0.traces = Tracing(exporter, ratio: 1) }) { server in
      for _ in 0..<50 { _ = try await server.put("[]") }
      #expect(exporter.counts.dropped > 20)
      let operations = DeltaClient(server.operations, transport: CurlTransport())
      try await until {
        let metrics = try await operations.request("GET", "/metrics").text
        return metrics.contains("livedelta_trace_spans_exported_total 0\n")
          && metrics.contains(
            "livedelta_trace_spans_dropped_total \(exporter.counts.dropped)\n")
      }
    }
    #expect(exporter.counts.exported == 0 && exporter.counts.dropped > 30)
  }

  @Test func `the log names the trace and the span that the collector has`() async throws {
    let pipe = LogPipe()
    try await run(ratio: 1, { $0.accessLog = pipe.log }) { server in
      _ = try await server.put("[]")
      let span = try #require(try await collector.servers(1).first)
      let line = try #require(try await pipe.lines(1).first)
      #expect(line["trace"].string == span.trace && line["span"].string == span.id)
      #expect(line["parent"].string == nil)
    }
  }
}
