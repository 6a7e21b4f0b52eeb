import Authentication
import CollectionService
import DeltaHTTP
import Foundation
import HTTPTestSupport
import Synchronization
import TestSupport
import Testing
import VersionedCollections

/// `POST …/tickets`, and the streams that tickets open.
@Suite(.timeLimit(.minutes(10))) struct TicketTests {
  private static let path = "/v1/clients/u42/tickets"
  private static let delta = TestService.inbox + "/delta"
  private let date = TestCalendar()

  /// A server whose calendar the test moves.
  private func configure(_ configuration: inout DeltaServerConfiguration) {
    configuration.authenticator = try? Authenticator(.text(Keys.list), now: { [date] in date.now })
    configuration.ticketSecret = Array(repeating: 7, count: 32)
  }

  private func ticket(
    _ server: TestService, _ names: String = #""inbox""#, as key: String = "writesClient"
  ) async throws -> String {
    let body = #"{"collections":[\#(names)]}"#
    let answer = try await server.send("POST", Self.path, Keys.field(key), body)
    #expect(answer.status == 200 && answer["Cache-Control"] == "no-store", "\(answer.text)")
    return try #require(answer.json["ticket"].string)
  }

  private func status(
    _ server: TestService, _ target: String, _ fields: [String: String] = [:]
  ) async throws -> String {
    let head = try await EventReader(server.listener, target, fields).head()
    return String(try #require(head.split(separator: " ").dropFirst().first))
  }

  @Test func `a ticket opens one stream, whose ids let its connection come back`() async throws {
    try await TestService.run(configure) { server in
      let writer = Keys.field("writesInbox")
      _ = try await server.send("PUT", TestService.inbox, writer, #"[{"id":1}]"#)
      let ticket = try await ticket(server)
      let target = Self.delta + "?ticket=\(ticket)"
      let events = try EventReader(server.listener, target)
      let snapshot = try #require(await events.next())
      let resume = try #require(snapshot.id?.split(separator: "~").last)
      #expect(snapshot.id == "\(snapshot.json["version"].string ?? "")~\(resume)")
      _ = try await server.send("PUT", TestService.inbox, writer, #"[{"id":2}]"#)
      let delta = try #require(await events.next())
      #expect(delta.name == "delta")
      #expect(delta.id == "\(delta.json["to"].string ?? "")~\(resume)")

      #expect(try await status(server, target) == "401")
      date.now += 3600
      let back = try EventReader(server.listener, target, ["Last-Event-ID": delta.id ?? ""])
      let bookmark = try #require(await back.next())
      #expect(bookmark.name == "bookmark")
      #expect(bookmark.id == delta.id)
      _ = try await server.send("DELETE", TestService.inbox, writer)
      let deleted = try #require(await back.next())
      #expect(deleted.name == "deleted")
      #expect(deleted.id == "~\(resume)")
      let again = try await status(server, target, ["Last-Event-ID": "~\(resume)"])
      #expect(again == "200")

      let other = try await self.ticket(server)
      #expect(try await status(server, Self.delta + "?ticket=\(other)") == "200")
      for id in ["\(resume)", "~", "~\(resume)x", "~x\(resume.dropFirst())"] {
        #expect(try await status(server, target, ["Last-Event-ID": id]) == "401", "\(id)")
      }
      let swapped = Self.delta + "?ticket=\(other)"
      #expect(try await status(server, swapped, ["Last-Event-ID": "~\(resume)"]) == "401")
    }
  }

  @Test func `what a ticket opens has its resume token before the first event`() async throws {
    try await TestService.run(configure) { server in
      let events = try EventReader(
        server.listener, Self.delta + "?ticket=\(try await ticket(server))")
      _ = try await events.head()
      let id = await events.block(endingWith: "\n\n")
      #expect(id?.hasPrefix("id: ~") == true, "\(id ?? "")")
    }
  }

  @Test func `a ticket is over after thirty seconds`() async throws {
    try await TestService.run(configure) { server in
      let target = Self.delta + "?ticket=\(try await ticket(server))"
      date.now += Tickets.lifetime
      let answer = try await server.send("GET", target, ["Accept": "text/event-stream"])
      #expect(answer.status == 401)
      #expect(answer.json["code"].string == "token-expired")
    }
  }

  @Test func `a ticket is good for its collections, for reading, and for streams alone`()
    async throws
  {
    try await TestService.run(configure) { server in
      let client = "/v1/clients/u42/"
      func target(_ path: String) async throws -> String {
        let ticket = try await ticket(server, #""inbox","cart""#)
        return path + (path.contains("?") ? "&" : "?") + "ticket=\(ticket)"
      }
      let rows = [
        (client + "collections/cart/delta", "200"), (client + "sync?collections=inbox,cart", "200"),
        (client + "sync?collections=inbox,other", "403"),
        (client + "collections/other/delta", "403"),
        ("/v1/clients/u43/collections/inbox/delta", "403"), ("/v1/changes", "401"),
        (TestService.inbox, "401"),
      ]
      for (path, expected) in rows {
        #expect(try await status(server, try await target(path)) == expected, "\(path)")
      }
      let plain = try await server.send("GET", try await target(Self.delta))
      #expect(plain.status == 401)
      let write = try await server.send("PUT", try await target(TestService.inbox), [:], "[]")
      #expect(write.status == 401)
      let more = try await server.send(
        "POST", try await target(Self.path), [:], #"{"collections":["inbox"]}"#)
      #expect(more.status == 401)
    }
  }

  @Test func `a ticket is made only for what its maker may read`() async throws {
    try await TestService.run(configure) { server in
      let both = #"{"collections":["inbox","cart"]}"#
      let refused = try await server.send("POST", Self.path, Keys.field("readsInbox"), both)
      #expect(refused.status == 403)
      let many = (0..<33).map { "\"c\($0)\"" }.joined(separator: ",")
      for (body, status) in [
        ("{}", 400), (#"{"collections":[]}"#, 400), (#"{"collections":["a/b"]}"#, 400),
        (#"{"collections":["inbox"],"x":1}"#, 422), (#"{"colections":["inbox"]}"#, 422),
        (#"{"collections":[\#(many)]}"#, 413),
      ] {
        let answer = try await server.send("POST", Self.path, Keys.field("readsClient"), body)
        #expect(answer.status == status, "\(body)")
      }
    }
  }

  @Test func `a stream that a ticket opened ends with the credential that made the ticket`()
    async throws
  {
    let file = NSTemporaryDirectory() + "keys-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    func write(_ keys: String...) throws {
      try keys.map { Keys.line($0, "read:u42") }.joined(separator: "\n")
        .write(toFile: file, atomically: true, encoding: .utf8)
    }
    try write("stays", "goes")
    let authenticator = try Authenticator(.file(file), now: { 0 })
    try await TestService.run({ $0.authenticator = authenticator }) { server in
      let target = Self.delta + "?missing=wait&ticket=\(try await ticket(server, as: "goes"))"
      let unused = Self.delta + "?ticket=\(try await ticket(server, as: "goes"))"
      let events = try EventReader(server.listener, target)
      _ = try await events.head()
      let id = try #require(await events.block(endingWith: "\n\n"))
      let resume = String(id.dropFirst("id: ".count).prefix { $0 != "\n" })
      try await server.untilParked()
      #expect(try await status(server, target, ["Last-Event-ID": resume]) == "200")
      try write("stays")
      authenticator.reload()
      #expect(await events.next()?.json["reason"].string == "token-expired")
      #expect(try await status(server, target, ["Last-Event-ID": resume]) == "401")
      #expect(try await status(server, unused) == "401")
    }
  }

  @Test func `a service with the same secret takes the tickets of another`() async throws {
    try await TestService.run(configure) { server in
      try await TestService.run(configure) { other in
        let target = Self.delta + "?ticket=\(try await ticket(server))"
        #expect(try await status(other, target) == "200")
      }
      try await TestService.run({
        configure(&$0)
        $0.ticketSecret = nil
      }) { stranger in
        let target = Self.delta + "?ticket=\(try await ticket(server))"
        #expect(try await status(stranger, target) == "401")
      }
    }
  }

  @Test func `a ticket is used once at services over a shared store`() async throws {
    let list = SharedList()
    try await TestService.run(configure, store: list) { server in
      try await TestService.run(configure, store: list) { other in
        let target = Self.delta + "?ticket=\(try await ticket(server))"
        list.isAway = true
        let refused = try EventReader(server.listener, target)
        // It tells no resume token, which would be a second use of the ticket.
        let told = try #require(await refused.next())
        #expect(told.json["reason"].string == "overload" && told.id == nil)
        #expect(await refused.next() == nil)
        list.isAway = false
        #expect(try await status(other, target) == "200")
        #expect(try await status(server, target) == "401")
      }
    }
  }

  @Test func `no part of a ticket can be changed`() async throws {
    try await TestService.run(configure) { server in
      let ticket = try await ticket(server)
      for index in ticket.indices {
        var forged = ticket
        let letter: Character = ticket[index] == "A" ? "B" : "A"
        forged.replaceSubrange(index...index, with: [letter])
        #expect(try await status(server, Self.delta + "?ticket=\(forged)") == "401")
      }
      for forged in ["", "none", ticket + "A", String(ticket.dropLast()), ticket + "="] {
        #expect(try await status(server, Self.delta + "?ticket=\(forged)") == "401", "\(forged)")
      }
      #expect(try await status(server, Self.delta + "?ticket=\(ticket)") == "200")
    }
  }

  @Test func `a ticket and its resume token are in no log`() async throws {
    let pipe = LogPipe()
    try await TestService.run({
      configure(&$0)
      $0.accessLog = pipe.log
    }) { server in
      let ticket = try await ticket(server)
      let target = Self.delta + "?closeafter=event&ticket=\(ticket)"
      _ = try await server.send("PUT", TestService.inbox, Keys.field("writesInbox"), "[]")
      let snapshot = try #require(await EventReader(server.listener, target).next())
      let resume = try #require(snapshot.id?.split(separator: "~").last)
      let lines = "\(try await pipe.lines(3))"
      #expect(lines.contains("tickets"))
      #expect(!lines.contains(ticket) && !lines.contains(resume), "\(lines)")
    }
  }

  @Test func `without keys a ticket is not looked at`() async throws {
    try await TestService.run { server in
      let body = #"{"collections":["inbox"]}"#
      let answer = try await server.send("POST", Self.path, [:], body)
      let ticket = try #require(answer.json["ticket"].string)
      #expect(try await status(server, Self.delta + "?ticket=\(ticket)") == "200")
      #expect(try await status(server, Self.delta + "?ticket=\(ticket)") == "200")
    }
  }
}

/// The list of used tickets of a store that several services share, and nothing else.
private final class SharedList: CollectionStore {
  private let used = Mutex<Set<[UInt8]>>([])
  private let away = Mutex(false)
  var isReady: Bool { true }

  var isAway: Bool {
    get { away.withLock(\.self) }
    set { away.withLock { $0 = newValue } }
  }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) { completion(.success(())) }

  func use(
    ticket: [UInt8], completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
  ) {
    guard !isAway else { return completion(.failure(.unavailable("it is away"))) }
    completion(.success(used.withLock { $0.insert(ticket).inserted }))
  }
}
