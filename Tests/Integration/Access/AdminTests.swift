import Authentication
import CollectionService
import DeltaHTTP
import Foundation
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// What operators do with clients and the store, on the operations listener.
@Suite(.timeLimit(.minutes(10))) struct AdminTests {
  private let inbox = TestServer.inbox

  private func run(
    _ isStored: Bool, _ body: (TestServer) async throws -> Void
  ) async throws {
    if isStored {
      try await TestServer.runOnDisk { try await body($0) }
    } else {
      try await TestServer.run(store: MemoryStore(), body)
    }
  }

  private func client(_ server: TestServer) -> DeltaClient {
    DeltaClient(server.operations, transport: CurlTransport())
  }

  @Test(arguments: [false, true])
  func `clients are listed by size and readers, and deleted`(isStored: Bool) async throws {
    try await run(isStored) { server in
      for name in ["u41", "u42", "u43"] {
        _ = try await server.put(#"[{"id":1},{"id":2}]"#, to: "/v1/clients/\(name)/collections/a")
      }
      let version = try await server.put("[]")
      let poll = server.reader()
      let waiting = Task {
        try await server.send("GET", inbox + "/delta?since=\(version)&wait=50", on: poll)
      }
      try await server.untilParked()
      let operations = client(server)
      let page = try await server.send("GET", "/clients?limit=1&cursor=u41", on: operations)
      let entry = page.json["clients"].elements[0]
      #expect(entry["client"].string == "u42")
      #expect(entry["collections"].int == 2)
      #expect(entry["items"].int == 2)
      #expect((entry["bytes"].int ?? 0) > 0)
      #expect(entry["readers"].int == 1)
      #expect(page.json["next"].string == "u42")
      let list = try await server.send("GET", "/clients/u42?cursor=a", on: operations)
      let collection = list.json["collections"].elements[0]
      #expect(collection["name"].string == "inbox")
      #expect(collection["version"].string == version)
      #expect(collection["readers"].int == 1)
      #expect(try await server.send("DELETE", "/clients/u42", on: operations).status == 204)
      #expect(try await waiting.value.json["kind"].string == "deleted")
      let left = try await server.send("GET", "/clients", on: operations)
      #expect(left.json["clients"].elements.map { $0["client"].string } == ["u41", "u43"])
    }
  }

  @Test func `a compaction frees what was deleted, and readers notice nothing`() async throws {
    try await TestServer.runOnDisk { server in
      let item = String(repeating: "x", count: 1000)
      let items = (1...200).map { #"{"id":\#($0),"t":"\#(item)"}"# }.joined(separator: ",")
      for name in ["a", "b", "c"] {
        _ = try await server.put("[\(items)]", to: "/v1/clients/u42/collections/\(name)")
      }
      let version = try await server.put("[]")
      let next = try await server.put(#"[{"id":1}]"#)
      let operations = client(server)
      #expect(try await server.send("DELETE", "/v1/clients/u42/collections/a").status == 204)
      let answer = try await server.send("POST", "/compact", on: operations)
      #expect(answer.status == 200, "\(answer.text)")
      #expect(answer.json["after"]["logBytes"].int == 0)
      #expect((answer.json["after"]["databaseBytes"].int ?? 0) > 0)
      let delta = try await server.send("GET", inbox + "/delta?since=\(version)")
      #expect(delta.json["kind"].string == "delta")
      #expect(delta.json["to"].string == next)
      #expect(try await server.send("POST", "/compact", on: operations).status == 200)
    }
  }

  @Test func `requests of the operations listener that take no body get none`() async throws {
    try await TestServer.run { server in
      let body = String(repeating: " ", count: 5000)
      let answer = try await server.send("POST", "/compact", [:], body, on: client(server))
      #expect(answer.status == 413)
      #expect(try await server.send("PUT", "/compact", on: client(server)).status == 405)
      #expect(try await server.send("GET", "/clients/a%2Fb", on: client(server)).status == 404)
      #expect(try await server.send("GET", "/clients//", on: client(server)).status == 404)
    }
  }
}
