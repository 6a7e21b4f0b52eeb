import Foundation
import HTTP1
import LiveDeltaClient
import SocketServer
import Synchronization
import TestSupport
import Testing

/// `traces.url` as the program has it.
@Suite(.timeLimit(.minutes(10))) struct TraceProgramTests {
  private let inbox = CollectionAddress(client: "u42", name: "inbox")
  private let collector = TraceCollector()

  @Test func `the program exports what it traced when it ends, and retries meanwhile`()
    async throws
  {
    let kinds = Mutex<[String]>([])
    try await TestBackend.run { request, responder in
      let isFirst = kinds.withLock { kinds in
        let type = request.field("content-type").map { String(decoding: $0, as: UTF8.self) }
        kinds.append("\(String(decoding: request.path, as: UTF8.self)) \(type ?? "")")
        return kinds.count == 1
      }
      guard !isFirst else { return responder.send(HTTPResponse(status: 503)) }
      collector.take(request.body.isEmpty ? [] : Array(request.body))
      responder.send(HTTPResponse(status: 200))
    } _: { backend in
      let service = try await RunningService(environment: [
        "LIVEDELTA_TRACES_URL": "http://\(backend)/v1/traces", "LIVEDELTA_TRACES_RATIO": "1",
      ])
      try await service.client().put(Array("[]".utf8), to: inbox)
      _ = try await collector.servers(1)
      await service.stop()
      #expect(kinds.withLock { Set($0) } == ["/v1/traces application/json"])
      #expect(collector.servers.map(\.name) == ["PUT /v1/clients/{client}/collections/{name}"])
    }
  }

  @Test func `spans that wait for their interval are exported at the end`() async throws {
    try await TestBackend.run { request, responder in
      collector.take(Array(request.body))
      responder.send(HTTPResponse(status: 200))
    } _: { backend in
      let service = try await RunningService(environment: [
        "LIVEDELTA_TRACES_URL": "http://\(backend)/v1/traces", "LIVEDELTA_TRACES_RATIO": "1",
      ])
      let client = try service.client()
      var count = 0
      // On a busy machine the interval may end in between; the next request waits then.
      repeat {
        try await client.put(Array("[]".utf8), to: inbox)
        count += 1
      } while collector.servers.count == count
      await service.stop()
      #expect(collector.servers.count == count)
    }
  }

  @Test func `requests to the webhook and to the source of keys have spans, which are continued`()
    async throws
  {
    let files = try TemporaryFiles()
    let secret = try files.add(WebhookReceiver.secret + "\n")
    for (name, variables) in [
      ("webhook", ["WEBHOOK_URL": "/webhook", "WEBHOOK_SECRET_FILE": secret]),
      ("keys", ["AUTH_JWKS": "/keys"]),
    ] {
      let collector = TraceCollector()
      let continued = Mutex<Set<String>>([])
      try await TestBackend.run { request, responder in
        if request.path.elementsEqual("/traces".utf8) { collector.take(Array(request.body)) }
        if request.path.elementsEqual("/\(name)".utf8), let field = request.field("traceparent") {
          continued.withLock { _ = $0.insert(String(decoding: field, as: UTF8.self)) }
        }
        responder.send(HTTPResponse(status: 200, body: .bytes(Array(#"{"keys":[]}"#.utf8))))
      } _: { backend in
        var environment = [
          "LIVEDELTA_TRACES_URL": "http://\(backend)/traces", "LIVEDELTA_TRACES_RATIO": "1",
        ]
        for (name, value) in variables {
          environment["LIVEDELTA_" + name] = value == secret ? value : "http://\(backend)\(value)"
        }
        let service = try await RunningService(environment: environment)
        if name == "webhook" { try await service.client().put(Array("[]".utf8), to: inbox) }
        try await until { continued.withLock { !$0.isEmpty } }
        await service.stop()
        let spans = collector.spans.filter { $0.name == name }
        #expect(spans.allSatisfy { $0.kind == 3 && $0.parent == nil })
        #expect(continued.withLock(\.self) == Set(spans.map { "00-\($0.trace)-\($0.id)-01" }))
      }
    }
  }

  @Test func `the headers of a file go to the collector`() async throws {
    let files = try TemporaryFiles()
    let path = try files.add(
      "# Of the collector.\r\n\r\nAuthorization:  Bearer a:b \r\nX-Scope-OrgID: 7\n",
      named: "headers")
    let got = Mutex<Set<[String]>>([])
    try await TestBackend.run { request, responder in
      let values = [request.field("authorization"), request.field("x-scope-orgid")].map {
        $0.map { String(decoding: $0, as: UTF8.self) } ?? "none"
      }
      got.withLock { _ = $0.insert(values) }
      responder.send(HTTPResponse(status: 200))
    } _: { backend in
      let service = try await RunningService(environment: [
        "LIVEDELTA_TRACES_URL": "http://\(backend)", "LIVEDELTA_TRACES_RATIO": "1",
        "LIVEDELTA_TRACES_HEADERS_FILE": path,
      ])
      try await service.client().put(Array("[]".utf8), to: inbox)
      await service.stop()
      #expect(got.withLock(\.self) == [["Bearer a:b", "7"]])
    }
  }
}
