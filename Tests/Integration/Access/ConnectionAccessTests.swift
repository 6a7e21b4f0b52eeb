import Authentication
import CollectionService
import DeltaHTTP
import Foundation
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import TestSupport
import Testing
import VersionedCollections

@Suite(.timeLimit(.minutes(10))) struct ConnectionAccessTests {
  private let inbox = TestServer.inbox

  @Test func `a request with several credentials is refused by both listeners`() async throws {
    try await TestServer.run(Keys.configure) { server in
      for (address, path) in [(server.address, inbox), (server.operations, "/metrics")] {
        for keys in [["runs", "runs"], ["runs", "s3cr3t"], ["s3cr3t", "runs"]] {
          let fields = keys.map { "Authorization: Bearer \($0)\r\n" }.joined()
          let connection = try RawConnection(
            address, sending: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
          let answer = try await connection.response()
          #expect(answer.status == 400)
          #expect(answer.text.contains(#""code":"bad-request""#) && !answer.text.contains("s3cr3t"))
        }
      }
    }
  }

  @Test func `a request is refused by its head, its body is not invited`() async throws {
    try await TestServer.run(Keys.configure) { server in
      let connection = try RawConnection(server.address)
      await connection.send(
        "PUT", inbox,
        ["Content-Length": "1000000", "Expect": "100-continue", "Content-Type": "application/json"])
      #expect(try await connection.response().status == 401)
    }
  }

  @Test func `a body that comes after its key has expired is not carried out`() async throws {
    let date = TestCalendar()
    let keys = [Keys.line("a", "write:** expires=1970-01-02"), Keys.line("b", "read:**")]
    let authenticator = try Authenticator(
      .text(keys.joined(separator: "\n")), now: { date.now })
    try await TestServer.run({ $0.authenticator = authenticator }) { server in
      let connection = try RawConnection(server.address)
      let fields = ["Content-Length": "2", "Expect": "100-continue"]
      await connection.send(
        "PUT", inbox, fields.merging(Keys.field("a")) { $1 }.merging(Self.type) { $1 })
      #expect(try await connection.head().status == 100)
      date.now = 86_400
      await connection.send(Array("[]".utf8))
      let answer = try await connection.response()
      #expect(answer.status == 401)
      #expect(answer["collection-version"] == nil)
      #expect(try await server.send("GET", inbox, Keys.field("b")).status == 404)
    }
  }

  private static let type = ["Content-Type": "application/json"]

  @Test func `a host of any name is served to who says who they are`() async throws {
    try await TestServer.run(Keys.configure) { server in
      let connection = try RawConnection(
        server.address,
        sending: "GET /v1 HTTP/1.1\r\nHost: app.example\r\nAuthorization: bearer follows\r\n\r\n")
      #expect(try await connection.response().status == 200)
    }
  }

  @Test func `a client with a token is known by it`() async throws {
    try await TestServer.run(Keys.configure) { server in
      let collection = CollectionAddress(client: "u42", name: "inbox")
      let writer = DeltaClient(
        server.address, transport: CurlTransport(), tokens: { _ in "writesInbox" })
      try await writer.put(Array("[]".utf8), to: collection)
      await #expect(throws: ClientError.self) { try await server.client.snapshot(of: collection) }
      _ = try await DeltaClient(
        server.address, transport: CurlTransport(), tokens: { _ in "readsInbox" }
      ).snapshot(of: collection)
    }
  }

  /// Every kind of stream ends when its key goes, and a long poll that wakes then tells nothing.
  @Test(arguments: [
    "/v1/clients/u42/collections/inbox/delta", "/v1/clients/u42/sync?collections=inbox",
    "/v1/changes",
  ])
  func `a withdrawn key ends its streams`(_ path: String) async throws {
    let file = NSTemporaryDirectory() + "keys-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let stays = Keys.line("stays", "write:**")
    func write(_ text: String) throws {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
    try write(stays + "\n" + Keys.line("goes", "read:u42/inbox changes"))
    let authenticator = try Authenticator(.file(file), now: { 0 })
    try await TestServer.run({ $0.authenticator = authenticator }) { server in
      let version = try #require(
        try await server.send("PUT", inbox, Keys.field("stays"), "[]")["Collection-Version"])
      let events = try EventReader(server.address, path, Keys.field("goes"))
      #expect(try await events.head().contains(" 200 "))
      let poll = Task {
        try await server.send(
          "GET", inbox + "/delta?since=\(version)&wait=50", Keys.field("goes"),
          on: server.reader())
      }
      try await until { server.server.service.counters.parked.value >= 2 }
      try write(stays)
      var last: SourceEvent?
      while let event = await events.next() { last = event }
      #expect(last?.name == "end")
      #expect(last?.json["reason"].string == "token-expired")
      let news = #"[{"id":1}]"#
      #expect(try await server.send("PUT", inbox, Keys.field("stays"), news).status == 200)
      #expect(try await poll.value.status == 401)
    }
  }

  @Test func `a key that expires ends its streams`() async throws {
    let date = TestCalendar()
    let authenticator = try Authenticator(
      .text(Keys.line("a", "write:** expires=1970-01-02")), now: { date.now })
    try await TestServer.run({ $0.authenticator = authenticator }) { server in
      _ = try await server.send("PUT", inbox, Keys.field("a"), "[]")
      let events = try EventReader(server.address, inbox + "/delta", Keys.field("a"))
      #expect(await events.next()?.name == "snapshot")
      date.now = 86_400
      let end = await events.next()
      #expect(end?.name == "end")
      #expect(end?.data == #"{"reason":"token-expired","reconnect":true}"#)
      #expect(await events.next() == nil)
    }
  }
}
