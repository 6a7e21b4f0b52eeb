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

  /// Expects that stages are children of a request, and within it.
  private func expectChildren(
    _ stages: [TraceCollector.Span], of server: TraceCollector.Span
  ) {
    for stage in stages {
      #expect(stage.start <= stage.end && stage.end <= server.end, "\(stage.name)")
      // A connection is accepted before its first request begins.
      #expect(stage.start >= server.start || stage.name == "accept", "\(stage.name)")
      if stage.name != "judge" { #expect(stage.parent == server.id, "\(stage.name)") }
    }
  }

  @Test func `a PUT has a span with its caller as parent, and a child for each stage`()
    async throws
  {
    try await run { server in
      let answer = try await server.send(
        "PUT", Self.inbox, Self.sampled.merging(["tracestate": "a=b"]) { $1 }, #"[{"id":1}]"#)
      let span = try #require(try await collector.servers(1).first)
      #expect(answer["traceparent"] == "00-\(Self.trace)-\(span.id)-01")
      #expect(span.state == "a=b")
      #expect(span.trace == Self.trace && span.parent == Self.span)
      #expect(span.name == "PUT /v1/clients/{client}/collections/{name}")
      let stages = collector.stages(of: span)
      expectChildren(stages, of: span)
      #expect(
        stages.map(\.name) == [
          "accept", "read", "wait in line", "parse", "diff", "commit", "encode", "send",
        ])
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

  @Test func `a delta is computed, judged as part of that, encoded and sent`() async throws {
    try await run { server in
      let first = try await server.put(#"[{"id":1}]"#)
      _ = try await server.put(#"[{"id":2},{"id":1}]"#)
      _ = try await server.put(#"[{"id":2},{"id":1},{"id":3}]"#)
      _ = try await server.send("GET", Self.inbox + "/delta?since=\(first)", Self.sampled)
      let span = try #require(try await collector.servers(1).first)
      let stages = collector.stages(of: span)
      expectChildren(stages, of: span)
      #expect(stages.map(\.name) == ["read", "diff", "judge", "encode", "send"])
      #expect(stages[2].parent == stages[1].id && stages[2].end <= stages[1].end)
      #expect(span.attributes["livedelta.outcome"] == "delta")
      #expect(span.attributes["livedelta.dialect"] == "staged")
      // The same answer again takes neither.
      _ = try await server.send("GET", Self.inbox + "/delta?since=\(first)", Self.sampled)
      let again = try await collector.servers(2)[1]
      #expect(again.id != span.id && again.trace == span.trace)
      #expect(collector.spans.count { $0.parent == again.id && $0.name == "diff" } == 0)
    }
  }

  @Test func `what is not in memory shows the time to read it from the store, once`()
    async throws
  {
    let files = try TemporaryFiles()
    let configure: (inout DeltaServerConfiguration) -> Void = {
      $0.traces = collector.configuration(ratio: 0)
    }
    for isNew in [true, false] {
      let store = try SQLiteStore(directory: files.path + "/data", options: StoreOptions())
      defer { store.close() }
      try await TestServer.run(configure, store: store) { server in
        if isNew { return _ = try await server.put(#"[{"id":1}]"#) }
        for method in ["GET", "PUT"] {
          _ = try await server.send(method, Self.inbox, Self.sampled, method == "PUT" ? "[]" : nil)
        }
        let spans = try await collector.servers(2)
        let names = spans.map { span in
          collector.stages(of: span).filter { $0.parent == span.id }.map(\.name)
        }
        #expect(names[0] == ["accept", "read", "load", "encode", "send"])
        #expect(!names[1].contains("load"), "\(names[1])")
      }
    }
  }

  @Test func `a long poll shows its wait for news, and from the commit to its answer`()
    async throws
  {
    try await run { server in
      let version = try await server.put("[]")
      let reader = try RawConnection(server.address)
      await reader.send("GET", Self.inbox + "/delta?since=\(version)&wait=50", Self.sampled)
      try await server.untilParked()
      _ = try await server.put(#"[{"id":1}]"#)
      #expect(try await reader.response().status == 200)
      let span = try #require(try await collector.servers(1).first)
      let stages = collector.stages(of: span)
      expectChildren(stages, of: span)
      let wait = try #require(stages.first { $0.name == "wait for news" })
      let wake = try #require(stages.first { $0.name == "wake" })
      #expect(wait.end <= wake.start)
      #expect(Set(stages.map(\.name)).isSuperset(of: ["accept", "read", "diff", "encode", "send"]))
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
      #expect(collector.stages(of: spans[3]).map(\.name) == ["read", "send"])
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
      let tracing = RequestTracing(collector.configuration(ratio: ratio), .system)
      let numbers = UniqueNumbers()
      let count = (0..<10_000).count { _ in numbers.next() <= tracing.numberMax }
      #expect(expected.contains(count), "\(ratio): \(count)")
    }
  }

  @Test func `a request has a bounded number of stages, and tells how many more there were`() {
    let stages = RequestStages(.system)
    for _ in 0..<70 { stages.note(.judge, from: .seconds(1), to: .seconds(2)) }
    stages.begin(.send)
    let taken = stages.take(at: .seconds(3))
    #expect(taken.stages.count == 64 && taken.lostCount == 7)
    #expect(stages.take(at: .seconds(3)).stages.isEmpty)
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

  @Test func `the question to the backend is a stage, and continues the trace`() async throws {
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
      let stages = collector.stages(of: span)
      expectChildren(stages, of: span)
      let question = try #require(stages.first { $0.name == "authorize" })
      #expect(question.kind == 3)
      #expect(asked.withLock(\.self) == ["traceparent 00-\(Self.trace)-\(span.id)-01"])
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
      expectChildren(collector.stages(of: span), of: span)
    }
  }

  @Test func `a collector that hangs holds up no request and no shutdown`() async throws {
    var limits = SpanExportLimits()
    (limits.queueSpansMax, limits.batchSpansMax) = (16, 4)
    let exporter = SpanExporter(
      limits: limits, version: "0", sleep: { _ in await untilCancelled() }
    ) { _ in
      await untilCancelled()
      return nil
    }
    try await TestServer.run({ $0.traces = TraceConfiguration(exporter, ratio: 1) }) { server in
      for _ in 0..<50 { _ = try await server.put("[]") }
      #expect(exporter.counts.dropped > 100)
      let operations = DeltaClient(server.operations, transport: CurlTransport())
      try await until {
        let metrics = try await operations.request("GET", "/metrics").text
        return metrics.contains("livedelta_trace_spans_exported_total 0\n")
          && metrics.contains(
            "livedelta_trace_spans_dropped_total \(exporter.counts.dropped)\n")
      }
    }
    #expect(exporter.counts.exported == 0 && exporter.counts.dropped > 116)
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
