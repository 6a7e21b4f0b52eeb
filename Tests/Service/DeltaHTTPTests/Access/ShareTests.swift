import Authentication
import CollectionService
import DeltaHTTP
import HTTPTestSupport
import TestSupport
import Testing
import VersionedCollections

/// What each principal may use.
@Suite(.timeLimit(.minutes(10))) struct ShareTests {
  private let inbox = TestService.inbox
  private let clock = ManualClock()

  private func configure(
    _ configuration: inout DeltaServerConfiguration, _ set: (inout ShareLimits) -> Void
  ) {
    Keys.configure(&configuration)
    configuration.time = TimeSource(clock, date: { 1_000_000 })
    set(&configuration.shares)
  }

  @Test func `a principal gets as many requests as its share, others are not affected`()
    async throws
  {
    try await TestService.run({ configure(&$0) { $0.requestsPerSecond = 5 } }) { server in
      let writer = Keys.field("writesClient")
      _ = try await server.send("PUT", inbox, writer, "[]")
      // Also those that are answered from memory.
      for _ in 1...4 { #expect(try await server.send("GET", inbox, writer).status == 200) }
      for method in ["GET", "PUT"] {
        let answer = try await server.send(method, inbox, writer, method == "PUT" ? "[]" : nil)
        #expect(answer.status == 429)
        #expect(answer.json["code"].string == "rate-limited")
        #expect(answer["Retry-After"] == "1")
        #expect(answer["RateLimit-Policy"] == #""requests";q=5;w=1"#)
        #expect(answer["RateLimit"] == #""requests";r=0;t=1"#)
      }
      #expect(try await server.send("GET", inbox, Keys.field("readsInbox")).status == 200)
      clock.advance(by: .milliseconds(200))
      #expect(try await server.send("GET", inbox, writer).status == 200)
      #expect(try await server.send("GET", inbox, writer).status == 429)
    }
  }

  @Test func `initial loads have a budget of their own`() async throws {
    try await TestService.run({
      configure(&$0) {
        $0.requestsPerSecond = 4
        $0.snapshotsPerSecond = 2
      }
    }) { server in
      let key = Keys.field("writesClient")
      let put = try await server.send("PUT", inbox, key, "[]")
      let version = try #require(put["Collection-Version"])
      for path in [inbox, inbox + "/delta?since="] {
        #expect(try await server.send("GET", path, key).status == 200)
      }
      let load = try await server.send("GET", inbox + "/delta", key)
      #expect(load.status == 429)
      #expect(load["RateLimit-Policy"] == #""snapshots";q=2;w=1"#)
      for _ in 1...3 {
        let delta = try await server.send("GET", inbox + "/delta?since=\(version)", key)
        #expect(delta.status == 200)
      }
    }
  }

  @Test func `a whole snapshot is counted as one, whatever was asked`() async throws {
    try await TestService.run({ configure(&$0) { $0.snapshotsPerSecond = 2 } }) { server in
      let key = Keys.field("writesClient")
      let version = try #require(
        try await server.send("PUT", inbox, key, "[]")["Collection-Version"])
      let digest = version.split(separator: ".")[2]
      let made = ["aaaaaaaa.1.\(digest)", "\(version.prefix(8)).1.aaaaaaaaaaaaaaaa"]
      let delta = inbox + "/delta?since="
      let sync = "/v1/clients/u42/sync"
      func body(_ token: String) -> String { #"{"collections":{"inbox":"\#(token)"}}"# }
      let loads: [(method: String, path: String, fields: [String: String], body: String?)] = [
        ("GET", delta + made[0], [:], nil), ("GET", delta + made[1], [:], nil),
        ("GET", delta + version + "&dialect=snapshot", [:], nil),
        ("POST", sync, [:], body(made[0])), ("POST", sync, [:], #"{"collections":{"inbox":null}}"#),
        ("GET", inbox, ["If-None-Match": "\"x\""], nil), ("GET", inbox, [:], nil),
        ("GET", inbox + "?version=" + version, [:], nil),
        ("GET", inbox + "/delta?from=\(version)&to=\(version)&dialect=snapshot", [:], nil),
      ]
      for (method, path, fields, body) in loads {
        // The head with the dialect snapshot is unchanged, not a snapshot.
        let isLoad = !path.hasPrefix(delta + version)
        let fields = key.merging(fields) { $1 }
        clock.advance(by: .seconds(2))
        var statuses: [Int] = []
        for _ in 1...3 {
          statuses.append(try await server.send(method, path, fields, body).status)
        }
        #expect(statuses == [200, 200, isLoad ? 429 : 200], "\(method) \(path)")
      }
      clock.advance(by: .seconds(2))
      // What is no snapshot is not counted as one.
      let strict = key.merging(["Prefer": "handling=strict"]) { $1 }
      for _ in 1...5 {
        #expect(try await server.send("GET", delta + made[0], strict).status == 410)
        #expect(try await server.send("GET", delta + version, key).status == 200)
        #expect(try await server.send("POST", sync, key, body(version)).status == 200)
        let seen = key.merging(["If-None-Match": "\"\(version)\""]) { $1 }
        #expect(try await server.send("GET", inbox, seen).status == 304)
        #expect(try await server.send("HEAD", inbox, key).status == 200)
      }
      for _ in 1...2 { #expect(try await server.send("GET", inbox, key).status == 200) }
      for path in [delta + made[0], sync + "?collections=inbox:" + made[0]] {
        let events = try EventReader(server.listener, path, key)
        #expect(await events.next()?.json["reason"].string == "overload", "\(path)")
      }
      let known = try EventReader(server.listener, delta + version, key)
      #expect(await known.next()?.name == "bookmark")
    }
  }

  @Test func `the snapshots of one sync are all counted, and what is too much is owed`()
    async throws
  {
    try await TestService.run({ configure(&$0) { $0.snapshotsPerSecond = 2 } }) { server in
      let key = Keys.field("writesClient")
      for name in ["a", "b", "c", "d", "e", "f"] {
        let path = "/v1/clients/u42/collections/" + name
        #expect(try await server.send("PUT", path, key, "[]").status == 201)
      }
      let body = #"{"collections":{"a":null,"b":null,"c":null,"d":null,"e":null,"f":null}}"#
      #expect(try await server.send("POST", "/v1/clients/u42/sync", key, body).status == 200)
      let path = "/v1/clients/u42/collections/a"
      let refused = try await server.send("GET", path, key)
      #expect(refused.status == 429 && refused["Retry-After"] == "3")
      clock.advance(by: .seconds(2))
      #expect(try await server.send("GET", path, key).status == 429)
      clock.advance(by: .seconds(1))
      #expect(try await server.send("GET", path, key).status == 200)
    }
  }

  @Test func `a principal waits in as many places as its share`() async throws {
    try await TestService.run({ configure(&$0) { $0.waitingMax = 1 } }) { server in
      let key = Keys.field("writesClient")
      let version = try #require(
        try await server.send("PUT", inbox, key, "[]")["Collection-Version"])
      let path = inbox + "/delta?since=\(version)&wait=50"
      let poll = Task { try await server.send("GET", path, key, on: server.reader()) }
      try await server.untilParked()
      let second = try await server.send("GET", path, key)
      #expect(second.status == 429)
      #expect(second["Retry-After"] != nil)
      #expect(second["RateLimit-Policy"] == #""waiting";q=1"#)
      #expect(second["RateLimit"] == #""waiting";r=0"#)
      _ = try await server.send("PUT", inbox, key, #"[{"id":1}]"#)
      #expect(try await poll.value.status == 200)
      // Its place is free again.
      while try await server.send("GET", path, key).status == 429 {}
    }
  }

  @Test func `shares change while the service runs, for answers from memory as for others`()
    async throws
  {
    var configuration = DeltaServerConfiguration()
    configure(&configuration) { _ in }
    try await TestService.run({ configure(&$0) { _ in } }) { server in
      let key = Keys.field("writesClient")
      let version = try #require(
        try await server.send("PUT", inbox, key, "[]")["Collection-Version"])
      func statuses(_ count: Int) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<count { statuses.append(try await server.send("GET", inbox, key).status) }
        return statuses
      }
      #expect(try await statuses(4) == [200, 200, 200, 200])
      configuration.shares.requestsPerSecond = 2
      server.reload(configuration)
      #expect(try await statuses(3) == [200, 200, 429])
      configuration.shares.requestsPerSecond = 3
      server.reload(configuration)
      #expect(try await statuses(4) == [200, 200, 200, 429])
      configuration.shares = ShareLimits()
      configuration.shares.waitingMax = 1
      server.reload(configuration)
      #expect(try await statuses(4) == [200, 200, 200, 200])
      let path = inbox + "/delta?since=\(version)&wait=50"
      let poll = Task { try await server.send("GET", path, key, on: server.reader()) }
      try await server.untilParked()
      configuration.shares.streamsMax = 1
      server.reload(configuration)
      #expect(try await server.send("GET", path, key).status == 429, "the place stays taken")
      _ = try await server.send("PUT", inbox, key, #"[{"id":1}]"#)
      #expect(try await poll.value.status == 200)
    }
  }

  @Test func `a stream beyond the share of requests ends with overload, and can come back`()
    async throws
  {
    try await TestService.run({ configure(&$0) { $0.requestsPerSecond = 2 } }) { server in
      let key = Keys.field("writesClient")
      _ = try await server.send("GET", "/v1", key)
      #expect(try await server.send("PUT", inbox, key, "[]").status == 201)
      #expect(try await server.send("GET", inbox + "/delta", key).status == 429)
      let sync = "/v1/clients/u42/sync?collections=inbox:"
      for path in [inbox + "/delta", sync] {
        let events = try EventReader(server.listener, path, key)
        #expect(try await events.head().contains(" 200 "))
        #expect(await events.next()?.json["reason"].string == "overload")
      }
      let refused = try EventReader(server.listener, inbox + "/delta", key)
      let text = try #require(await refused.block(endingWith: "event: end\n"))
      #expect(text.contains("retry: 15000\n"))
      clock.advance(by: .seconds(1))
      let back = try EventReader(server.listener, inbox + "/delta", key)
      #expect(await back.next()?.name == "snapshot")
      _ = try await server.send("GET", inbox, key)
      let feed = Keys.field("follows")
      for _ in 1...2 { _ = try await server.send("GET", "/v1", feed) }
      let changes = try EventReader(server.listener, "/v1/changes", feed)
      #expect(await changes.next()?.json["reason"].string == "overload")
    }
  }

  @Test func `a principal has as many streams as its share`() async throws {
    try await TestService.run({ configure(&$0) { $0.streamsMax = 1 } }) { server in
      let key = Keys.field("writesClient")
      _ = try await server.send("PUT", inbox, key, "[]")
      let path = inbox + "/delta"
      func first() async throws -> String? {
        try await EventReader(server.listener, path + "?closeafter=event", key).next()?.name
      }
      do {
        let events = try EventReader(server.listener, path, key)
        #expect(await events.next()?.name == "snapshot")
        #expect(try await first() == "end")
        let changes = try EventReader(server.listener, "/v1/changes", Keys.field("follows"))
        #expect(await changes.next()?.name == "bookmark")
      }
      while try await first() == "end" {}
    }
  }
}
