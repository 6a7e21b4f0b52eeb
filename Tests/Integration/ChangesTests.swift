import CollectionService
import DeltaHTTP
import Foundation
import LiveDeltaClient
import StoreSQLite
import TestSupport
import Testing
import VersionedCollections

/// `GET /v1/changes`: which collections change, to send push notifications from.
@Suite struct ChangesTests {
  private let inbox = TestServer.inbox
  private let cart = "/v1/clients/u43/collections/cart"

  @Test func `each change is told with client, name and version, and a deletion too`() async throws
  {
    try await TestServer.run { server in
      let reader = try EventReader(server.address, "/v1/changes")
      let first = try #require(await reader.next())
      #expect(first.name == "bookmark")
      let inboxVersion = try await server.put("[]")
      let put = try #require(await reader.next())
      #expect(put.name == "change")
      #expect(
        put.data == #"{"client":"u42","name":"inbox","version":"\#(inboxVersion)"}"#)
      // Equal content is no change.
      _ = try await server.put("[]")
      let cartVersion = try await server.put("[]", to: cart)
      #expect(
        try #require(await reader.next()).data
          == #"{"client":"u43","name":"cart","version":"\#(cartVersion)"}"#)
      _ = try await server.send("DELETE", "/v1/clients/u43")
      let gone = try #require(await reader.next())
      #expect(gone.name == "deleted")
      #expect(
        gone.data == #"{"client":"u43","name":"cart","version":"\#(cartVersion)","deleted":true}"#)
    }
  }

  @Test func `a reader is told of what it asked for`() async throws {
    try await TestServer.run { server in
      let queries = ["client=u43", "client=u42&prefix=in", "prefix=u4", "prefix=u42/i", "prefix=x"]
      var readers: [EventReader] = []
      for query in queries {
        let reader = try EventReader(server.address, "/v1/changes?" + query)
        #expect(try #require(await reader.next()).name == "bookmark")
        readers.append(reader)
      }
      for path in [
        "u42/collections/inbox", "u42/collections/other", "u43/collections/cart",
        "x/collections/end",
      ] {
        _ = try await server.put("[]", to: "/v1/clients/" + path)
      }
      let expected = [["cart"], ["inbox"], ["inbox", "other", "cart"], ["inbox"], ["end"]]
      for (reader, names) in zip(readers, expected) {
        for name in names {
          var event = await reader.next()
          // On a busy machine a ping comes before the change.
          while event?.name == "ping" || event?.name == "bookmark" { event = await reader.next() }
          #expect(event?.json["name"].string == name)
        }
      }
      #expect(try await server.send("GET", "/v1/changes?client=a/b").status == 400)
    }
  }

  @Test func `a reader that comes back is told what it missed, each collection once`() async throws
  {
    try await TestServer.run { server in
      let reader = try EventReader(server.address, "/v1/changes")
      let mark = try #require(await reader.next()?.id)
      for number in 0..<5 { _ = try await server.put("[{\"id\":\(number)}]") }
      _ = try await server.put("[]", to: cart)
      // The feed has changes to two collections in the order in which they came to it.
      while try #require(await reader.next()).json["name"].string != "cart" {}
      let head = try await server.put("[{\"id\":9}]")
      while try #require(await reader.next()).json["version"].string != head {}
      let again = try EventReader(server.address, "/v1/changes", ["Last-Event-ID": mark])
      let events = [try #require(await again.next()), try #require(await again.next())]
      #expect(events.map { $0.json["name"].string } == ["cart", "inbox"])
      #expect(events[1].json["version"].string == head)
    }
  }

  @Test func `what is no longer known is told as a reset`() async throws {
    try await TestServer.run { configuration in
      configuration.serviceLimits.changesMax = 2
    } _: { server in
      let foreign = try EventReader(server.address, "/v1/changes?since=aaaaaaaa.7")
      let reset = try #require(await foreign.next())
      #expect(reset.name == "reset")
      #expect(reset.data == #"{"reason":"history-compacted"}"#)
      let reader = try EventReader(server.address, "/v1/changes")
      // It follows from its first event on.
      _ = try #require(await reader.next())
      for number in 0..<4 {
        _ = try await server.put("[]", to: "/v1/clients/u\(number)/collections/c")
        while try !#require(await reader.next()).data.contains("u\(number)") {}
      }
      let late = try EventReader(server.address, "/v1/changes", ["Last-Event-ID": reset.id ?? ""])
      #expect(try #require(await late.next()).name == "reset")
      #expect(try #require(await late.next()).data.contains("u2"))
    }
  }

  @Test func `after a restart a reset names what changed since, and what was deleted`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory.appending(path: "livedelta-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let date = SharedNumber(1_750_000_000)
    let time = TimeSource(ContinuousClock(), date: { Int64(date.value) })
    func run(_ body: (TestServer) async throws -> Void) async throws {
      let options = StoreOptions(time: time)
      let store = try SQLiteStore(directory: folder.path, options: options)
      defer { store.close() }
      try await TestServer.run({ $0.time = time }, store: store, body)
    }
    var (mark, version, gone) = ("", "", "")
    try await run { server in
      _ = try await server.put("[]", to: cart)
      gone = try await server.put("[]", to: "/v1/clients/u44/collections/old")
      date.value += 1000
      let reader = try EventReader(server.address, "/v1/changes")
      mark = try #require(await reader.next()?.id)
      date.value += 1000
      version = try await server.put("[]")
      _ = try await server.send("DELETE", "/v1/clients/u44/collections/old")
      #expect(await reader.next()?.name == "change")
    }
    try await run { server in
      let reader = try EventReader(server.address, "/v1/changes?since=\(mark)")
      let reset = try #require(await reader.next())
      #expect(reset.name == "reset")
      #expect(
        reset.data == #"{"reason":"history-compacted","changes":["#
          + #"{"client":"u44","name":"old","version":"\#(gone)","deleted":true},"#
          + #"{"client":"u42","name":"inbox","version":"\#(version)"}]}"#)
      let filtered = try EventReader(server.address, "/v1/changes?since=\(mark)&client=u42")
      #expect(await filtered.next()?.json["changes"].elements.count == 1)
      // From there on it goes on as ever.
      let next = try await server.put("[]", to: "/v1/clients/u45/collections/new")
      #expect(await reader.next()?.json["version"].string == next)
      let again = try EventReader(
        server.address, "/v1/changes", ["Last-Event-ID": try #require(reset.id)])
      #expect(await again.next()?.json["version"].string == next)
      // What an earlier release gave out says nothing of time.
      let old = try EventReader(server.address, "/v1/changes?since=aaaaaaaa.7")
      #expect(await old.next()?.data == #"{"reason":"history-compacted"}"#)
    }
  }

  @Test func `a collection that nobody uses goes by itself, and the next PUT makes another`()
    async throws
  {
    let (clock, date) = (ManualClock(), SharedNumber(1_750_000_000))
    try await TestServer.run { configuration in
      configuration.time = TimeSource(clock, date: { Int64(date.value) })
      configuration.serviceLimits.unusedSecondsMax = 100
    } _: { server in
      let first = try await server.put("[]", to: TestServer.inbox)
      try await until {
        date.value += 5
        clock.advance(by: .seconds(5))
        return server.server.service.counters.unusedRemovals.value > 0
      }
      #expect(try await server.send("GET", TestServer.inbox).status == 404)
      let second = try await server.put("[]", to: TestServer.inbox)
      let lineages = Set([first, second].map { $0.prefix { $0 != "." } })
      #expect(lineages.count == 2)
    }
  }

  @Test func `what is asked wrongly is refused`() async throws {
    try await TestServer.run { server in
      for (method, path, fields, status, code) in [
        ("GET", "/v1/changes?since=x", [:], 400, "bad-token"),
        ("GET", "/v1/changes?ping=x", [:], 400, "bad-parameter"),
        ("GET", "/v1/changes", ["Accept": "application/json"], 406, "not-acceptable"),
        ("POST", "/v1/changes", [:], 405, "method-not-allowed"),
      ] {
        let answer = try await server.send(method, path, fields)
        #expect(answer.status == status, "\(path)")
        #expect(answer.json["code"].string == code)
      }
      let head = try await server.send("HEAD", "/v1/changes")
      #expect(head["Content-Type"] == "text/event-stream")
    }
  }
}
