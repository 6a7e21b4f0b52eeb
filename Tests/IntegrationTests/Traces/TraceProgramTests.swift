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
