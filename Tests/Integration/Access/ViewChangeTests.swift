import Authentication
import DeltaHTTP
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import Logging
import TestSupport
import Testing
import VersionedCollections

/// A restriction that changes: whoever holds another list begins anew, however it asks.
@Suite(.timeLimit(.minutes(10))) struct ViewChangeTests {
  private let inbox = TestServer.inbox
  private let writer = Keys.field("writer")

  private func run(
    _ configure: (inout DeltaServerConfiguration) -> Void = { _ in },
    _ body: (TestServer, ChangingKeys) async throws -> Void
  ) async throws {
    let keys = try ChangingKeys(["writer": "write:**"])
    try await TestServer.run({
      configure(&$0)
      $0.authenticator = keys.authenticator
    }) { server in try await body(server, keys) }
  }

  private func put(_ body: String, _ server: TestServer) async throws {
    let answer = try await server.send("PUT", inbox, writer, body)
    #expect(200...201 ~= answer.status, "\(answer.text)")
  }

  private func setAudience(_ audience: String, _ server: TestServer) async throws {
    let answer = try await server.send(
      "PATCH", inbox + "/settings",
      writer.merging(["Content-Type": "application/merge-patch+json"]) { $1 },
      #"{"audience":"\#(audience)"}"#)
    #expect(answer.status == 200, "\(answer.text)")
  }

  /// Each of the changes between all of the list, parts of it, and some of its members.
  @Test(arguments: Asking.allCases) func `a reader that asks after the change begins anew`(
    asking: Asking
  ) async throws {
    try await run { server, keys in
      try await put(RestrictedReader.items, server)
      for (i, old) in RestrictedReader.grants.enumerated() {
        for (j, new) in RestrictedReader.grants.enumerated() where j != i {
          let reader = RestrictedReader(server: server, key: "reader\(i)\(j)")
          keys[reader.key] = old.scope
          let held = try await reader.version()
          let same = try await reader.ask(asking, held, wait: 0)
          #expect(same["kind"].string == "unchanged", "\(same)")
          keys[reader.key] = new.scope
          let answer = try await reader.ask(asking, held)
          answer.expectViewChange(new.ids, isMarked: j > 0, "\(old.scope) \(new.scope)")
          let version = try #require(answer["version"].string)
          #expect(try await reader.version() == version)
          #expect(answer["reset"]["oldest"].string == version)
          let next = try await reader.ask(asking, version, wait: 0)
          #expect(next["kind"].string == "unchanged", "\(next)")
          #expect(next["version"].string == version)
          // The same as before is the same restriction.
          keys[reader.key] = old.scope
          #expect(try await reader.version() == held)
        }
      }
    }
  }

  @Test(arguments: Asking.allCases) func `a reader that waits is told, not refused`(
    asking: Asking
  ) async throws {
    try await run { server, keys in
      try await put(RestrictedReader.items, server)
      for (number, pair) in [(0, 1), (1, 0), (1, 2), (3, 1)].enumerated() {
        let (old, new) = (RestrictedReader.grants[pair.0], RestrictedReader.grants[pair.1])
        let reader = RestrictedReader(server: server, key: "reader\(number)")
        keys[reader.key] = old.scope
        let held = try await reader.version()
        guard Asking.streams.contains(asking) else {
          guard [.wait, .syncWait].contains(asking) else { continue }
          async let answer = reader.ask(asking, held, wait: 50)
          try await server.untilParked()
          keys[reader.key] = new.scope
          // It does not wait for a change of the collection.
          try await answer.expectViewChange(new.ids, isMarked: pair.1 > 0, "\(old) \(new)")
          continue
        }
        let events = try reader.follow(asking, held)
        let first = try #require(await events.next())
        #expect(reader.news(first, held)["kind"].string == "unchanged", "\(first)")
        keys[reader.key] = new.scope
        let reset = reader.news(try #require(await events.next()))
        reset.expectViewChange(new.ids, isMarked: pair.1 > 0, "\(old) \(new)")
        let end = try #require(await events.next())
        #expect(end.name == "end" && end.json["reason"].string == "rotate", "\(end)")
        #expect(await events.next() == nil)
        let next = try await reader.ask(asking, try #require(reset["version"].string))
        #expect(next["kind"].string == "unchanged")
      }
    }
  }

  @Test func `a wait whose key is withdrawn ends with a refusal`() async throws {
    try await run { server, keys in
      try await put(RestrictedReader.items, server)
      let reader = RestrictedReader(server: server, key: "reader")
      keys["reader"] = RestrictedReader.visible
      let held = try await reader.version()
      async let refusal = reader.get("/delta?since=\(held)&wait=50")
      try await server.untilParked()
      keys["reader"] = nil
      #expect(try await refusal.status == 401)
    }
  }

  @Test(arguments: [Asking.wait, .syncWait])
  func `the end of a wait is told under the restriction of then`(asking: Asking) async throws {
    let clock = ManualClock()
    try await run({ $0.time = TimeSource(clock) }) { server, keys in
      try await put(RestrictedReader.items, server)
      let reader = RestrictedReader(server: server, key: "reader")
      keys["reader"] = RestrictedReader.all
      let held = try await reader.version()
      async let answer = reader.ask(asking, held, wait: 20)
      try await server.untilParked()
      keys["reader"] = RestrictedReader.visible
      clock.advance(by: .seconds(20))
      try await answer.expectViewChange(["v1"], isMarked: true, "at the end of the wait")
    }
  }

  @Test(arguments: Asking.allCases) func `what becomes public or private is begun anew`(
    asking: Asking
  ) async throws {
    try await run { server, keys in
      try await put(RestrictedReader.items, server)
      keys["reader"] = RestrictedReader.visible
      let reader = RestrictedReader(server: server, key: "reader")
      let (own, all) = (["v1"], ["h1", "v1", "h2"])
      let held = try await reader.version()
      // The third in a minute would be held.
      if Asking.streams.contains(asking) {
        let events = try reader.follow(asking, held)
        #expect(reader.news(try #require(await events.next()), held)["kind"].string == "unchanged")
        try await setAudience("public", server)
        let news = reader.news(try #require(await events.next()))
        news.expectViewChange(all, isMarked: false, "public")
        try await setAudience("private", server)
        let next = try await reader.ask(asking, try #require(news["version"].string))
        next.expectViewChange(own, isMarked: true, "private")
      } else {
        try await setAudience("public", server)
        let news = try await reader.ask(asking, held)
        news.expectViewChange(all, isMarked: false, "public")
        try await setAudience("private", server)
        let next = try await reader.ask(asking, try #require(news["version"].string))
        next.expectViewChange(own, isMarked: true, "private")
      }
    }
  }

  @Test func `a strict reader gets 410, and a key without the right is refused as before`()
    async throws
  {
    try await run { server, keys in
      try await put(RestrictedReader.items, server)
      keys["reader"] = RestrictedReader.all
      let reader = RestrictedReader(server: server, key: "reader")
      let held = try await reader.version()
      keys["reader"] = RestrictedReader.visible
      for wait in ["", "&wait=20"] {
        let answer = try await reader.get(
          "/delta?since=\(held)\(wait)", ["Prefer": "handling=strict"])
        #expect(answer.status == 410 && answer.json["code"].string == "view-changed")
        let shown = try await reader.version()
        #expect(answer.json["current"].string ?? shown == shown, "\(answer.text)")
      }
      keys["reader"] = "read:u7"
      #expect(try await reader.get("/delta?since=\(held)").status == 403)
      keys["reader"] = nil
      #expect(try await reader.get("/delta?since=\(held)").status == 401)
    }
  }

  @Test func `the mark is compared first, before lineage, number and digest, and without waiting`()
    async throws
  {
    try await run { server, keys in
      try await put(RestrictedReader.items, server)
      let plain = "zzzzzzzz.41.AAAAAAAAAAAAAAAA"
      for (number, token) in [plain, plain + ".vAAAAAAAA", plain + ".rAAAAAAAA"].enumerated() {
        let reader = RestrictedReader(server: server, key: "reader\(number)")
        keys[reader.key] = RestrictedReader.visible
        let answer = try await reader.ask(.poll, token)
        answer.expectViewChange(["v1"], isMarked: true, "\(token)")
        keys[reader.key] = RestrictedReader.all
        let whole = try await reader.ask(.poll, token)
        let isMarked = token.contains(".v")
        #expect(
          whole["reset"]["reason"].string == (isMarked ? "view-changed" : "lineage-changed"))
      }
    }
  }

  @Test func `a restriction that changes all the time is held, counted and logged once a minute`()
    async throws
  {
    let (clock, log) = (ManualClock(), RecordedLog())
    let keys = try ChangingKeys(["writer": "write:**", "reader": RestrictedReader.visible])
    try await TestServer.run(
      {
        $0.time = TimeSource(clock)
        $0.authenticator = keys.authenticator
      }, logger: log.logger
    ) { server in
      try await put(RestrictedReader.items, server)
      let reader = RestrictedReader(server: server, key: "reader")
      // A token of the list under another restriction; of another lineage it would be no change of the restriction.
      let version = try #require(try await reader.get()["Collection-Version"])
      let token = String(version.dropLast(8)) + "AAAAAAAA"
      func held() async throws -> String {
        let metrics = try await server.send(
          "GET", "/metrics", writer,
          on: DeltaClient(server.operations, transport: CurlTransport())
        ).text
        let name = "livedelta_view_changes_held_total "
        let line = metrics.split(separator: "\n").first { $0.hasPrefix(name) }
        return line.map { String($0.dropFirst(name.count)) } ?? metrics
      }
      keys["writer"] = "write:** admin"
      for asking in [Asking.poll, .stream] {
        try await reader.ask(asking, token).expectViewChange(["v1"], isMarked: true, "at once")
      }
      #expect(try await held() == "0")
      for (number, asking) in [Asking.poll, .stream, .sync, .syncStream].enumerated() {
        async let answer = reader.ask(asking, token)
        try await until { try await held() == "\(number + 1)" }
        clock.advance(by: .seconds(5))
        try await answer.expectViewChange(["v1"], isMarked: true, "held")
      }
      let lines = log.faults.filter { $0.metadata["kind"] == "view" }
      #expect(lines.count == 1 && lines.first?.text.contains("changes all the time") == true)
      // Another reader is not held, and after a minute neither is this one.
      keys["other"] = RestrictedReader.visible
      let other = RestrictedReader(server: server, key: "other")
      try await other.ask(.poll, token).expectViewChange(["v1"], isMarked: true, "another")
      clock.advance(by: .seconds(61))
      try await reader.ask(.poll, token).expectViewChange(["v1"], isMarked: true, "later")
      #expect(try await held() == "4")
    }
  }
}
