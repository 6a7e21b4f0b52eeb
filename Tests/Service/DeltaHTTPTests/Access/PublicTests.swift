import Authentication
import HTTPTestSupport
import SocketServer
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// Collections that anybody may read, and what caches are told of them.
@Suite struct PublicTests {
  private let inbox = TestService.inbox
  private let writer = Keys.field("writer")
  private static let isPublic = #"{"audience":"public"}"#
  private static let state = "public, max-age=1, stale-while-revalidate=30"
  private static let news = "public, max-age=5, stale-while-revalidate=60"
  private static let version = "public, max-age=31536000, immutable"

  private func configure(_ configuration: inout DeltaServerConfiguration) {
    let keys = [
      Keys.line("writer", "write:**"), Keys.line("other", "read:u1/**"),
      Keys.line("viewer", "read:u42/inbox?where=/n:eq:1"),
    ].joined(separator: "\n")
    configuration.authenticator = try? Authenticator(.text(keys), now: { 0 })
  }

  /// Puts a public collection of these items.
  private func put(
    _ items: String, _ server: TestService, settings: String = isPublic
  ) async throws -> String {
    let body = #"{"items":\#(items),"settings":\#(settings)}"#
    let answer = try await server.send("PUT", inbox, writer, body)
    return try #require(answer["Collection-Version"], "\(answer.text)")
  }

  private func update(_ items: String, _ server: TestService) async throws -> String {
    let answer = try await server.send("PUT", inbox, writer, items)
    return try #require(answer["Collection-Version"], "\(answer.text)")
  }

  private func close(_ server: TestService) async throws {
    let answer = try await server.send(
      "PATCH", inbox + "/settings",
      writer.merging(["Content-Type": "application/merge-patch+json"]) { $1 },
      #"{"audience":"private"}"#)
    #expect(answer.status == 200, "\(answer.text)")
  }

  // MARK: Caches

  @Test func `what anybody may read tells caches how long, each answer as the protocol says`()
    async throws
  {
    try await TestService.run { server in
      let first = try await put(#"[{"id":1,"n":1}]"#, server)
      let head = try await update(#"[{"id":1,"n":2},{"id":2}]"#, server)
      let patches = ["Prefer": "items=patch"]
      let rows: [(path: String, fields: [String: String], cache: String)] = [
        ("", [:], Self.state), ("?dialect=splice", [:], Self.state), ("", patches, Self.state),
        ("?where=/n:eq:2", [:], Self.state), ("?version=\(head)", [:], Self.version),
        ("/delta?from=\(first)&to=\(head)", [:], Self.version),
        ("/delta?since=\(first)", [:], Self.news),
        ("/delta?since=\(first)&wait=5", [:], Self.news),
        ("/delta?since=\(first)&items=patch", [:], Self.news),
        ("/delta?since=\(first)&dialect=splice", [:], Self.news),
        ("/delta?since=\(first)&dialect=snapshot", [:], Self.news),
        ("/delta?since=\(first)&window=first:1", [:], Self.news),
        ("/delta", [:], Self.state), ("/delta?since=", [:], Self.state),
        // Only the address tells caches which of two answers it is.
        ("/delta?since=\(first)", patches, "private, no-cache"),
        ("/delta?since=\(first)&items=patch", patches, Self.news),
        ("/delta?since=\(head)", [:], "no-store"), ("/delta?since=\(head)&wait=0", [:], "no-store"),
        ("/delta?since=other.1.AAAAAAAAAAAAAAAA", [:], "no-store"),
        ("/delta?since=x", [:], "no-store"), ("/delta?from=\(first)", [:], "no-store"),
        ("?maxage=0", [:], "no-store"), ("/delta?since=\(first)&maxage=0", [:], "no-store"),
        ("?version=\(head)&maxage=0", [:], "no-store"), ("?maxage=1", [:], "no-store"),
        ("/versions", [:], "private, no-cache"), ("/settings", [:], "private, no-cache"),
      ]
      for (path, fields, cache) in rows {
        let answer = try await server.send("GET", inbox + path, fields)
        #expect(answer["Cache-Control"] == cache, "\(path): \(answer.text)")
        guard cache.hasPrefix("public") else { continue }
        let varied = answer.fields.filter { $0.name == "vary" }.map(\.value)
        #expect(varied == ["Accept-Encoding, Accept"], "\(path)")
        #expect(answer["Set-Cookie"] == nil && answer["Age"] == nil)
      }
    }
  }

  @Test func `a delta that was waited for may be kept, no news may not`() async throws {
    try await TestService.run { server in
      let first = try await put("[]", server)
      async let news = server.send("GET", inbox + "/delta?since=\(first)&wait=50")
      try await server.untilParked()
      _ = try await update(#"[{"id":1}]"#, server)
      let answer = try await news
      #expect(answer.json["kind"].string == "delta" && answer["Cache-Control"] == Self.news)
      let events = try await server.send(
        "GET", inbox + "/delta?closeafter=event", ["Accept": "text/event-stream"])
      #expect(events["Cache-Control"] == "no-store, no-transform")
    }
  }

  @Test func `a cache's question whether its answer is still good is answered with the ages`()
    async throws
  {
    try await TestService.run { server in
      _ = try await put("[]", server)
      let tag = try #require(try await server.send("GET", inbox)["ETag"])
      let answer = try await server.send("GET", inbox, ["If-None-Match": tag])
      #expect(answer.status == 304 && answer["Cache-Control"] == Self.state)
      #expect(answer["Vary"] == "Accept-Encoding, Accept")
    }
  }

  @Test func `settings name other ages, within bounds`() async throws {
    try await TestService.run { server in
      let ages = #"{"audience":"public","ages":{"delta":9,"deltaStale":0,"version":60}}"#
      let first = try await put("[]", server, settings: ages)
      let head = try await update(#"[{"id":1}]"#, server)
      for (path, cache) in [
        ("", Self.state), ("/delta?since=\(first)", "public, max-age=9"),
        ("/delta?from=\(first)&to=\(head)", "public, max-age=60, immutable"),
      ] {
        #expect(try await server.send("GET", inbox + path)["Cache-Control"] == cache)
      }
      let shown = try await server.send("GET", inbox + "/settings").json
      #expect(shown["audience"].string == "public")
      #expect(
        "\(shown["ages"])" == """
          {"snapshot":1,"snapshotStale":30,"delta":9,"deltaStale":0,"version":60}
          """)
      let bounds = try await server.send("GET", "/v1").json["settings"]["ages"]["delta"]
      #expect(bounds["min"].int == 0 && bounds["max"].int == 31_536_000)
      for ages in [#"{"delta":-1}"#, #"{"version":31536001}"#, #"{"snapshot":1.5}"#, #"{"x":1}"#] {
        let answer = try await server.send(
          "PUT", inbox + "/settings", [:], #"{"ages":\#(ages)}"#)
        #expect(answer.status == 422, "\(ages)")
      }
      let wrong = try await server.send("PUT", inbox + "/settings", [:], #"{"audience":"all"}"#)
      #expect(wrong.status == 422 && wrong.json["errors"][0]["pointer"].string == "/audience")
    }
  }

  @Test func `pages of any origin may read it, and caches need not tell them apart`() async throws {
    for (credentials, allowed, vary) in [
      (false, "*", ["Accept-Encoding, Accept"]),
      (true, nil, ["Accept-Encoding, Accept", "Origin"]),
    ] as [(Bool, String?, [String])] {
      try await TestService.run({
        ($0.crossOrigins, $0.allowsCredentials) = (["https://app.example"], credentials)
      }) { server in
        _ = try await put("[]", server)
        for fields in [[:], ["Origin": "https://other.example"]] {
          let answer = try await server.send("GET", inbox, fields)
          #expect(answer["Access-Control-Allow-Origin"] == allowed)
          #expect(answer.fields.filter { $0.name == "vary" }.map(\.value) == vary)
        }
      }
    }
  }

  // MARK: Credentials

  @Test func `reading needs no credential, whatever was sent; anything else does`() async throws {
    try await TestService.run(configure) { server in
      let first = try await put("[]", server)
      let head = try await update(#"[{"id":1}]"#, server)
      let reads = [
        "", "/delta", "/delta?since=\(first)&wait=5", "?version=\(first)",
        "/delta?from=\(first)&to=\(head)", "?window=first:1",
      ]
      for fields in [[:], Keys.field("other"), ["Authorization": "Bearer nobody"]] {
        for path in reads {
          let answer = try await server.send("GET", inbox + path, fields)
          #expect(answer.status == 200, "\(path): \(answer.text)")
          #expect(answer["Cache-Control"]?.hasPrefix("public, ") == true)
          #expect(try await server.send("HEAD", inbox + path, fields).status == 200)
        }
        let events = try await server.send(
          "GET", inbox + "/delta?closeafter=event",
          fields.merging(["Accept": "text/event-stream"]) { $1 })
        #expect(events.status == 200 && events.text.contains("event: snapshot"))
        for (method, path) in [
          ("PUT", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/revert"), ("GET", "/settings"),
          ("PUT", "/settings"), ("GET", "/versions"),
        ] {
          let answer = try await server.send(
            method, inbox + path, fields, method == "GET" ? nil : "[]")
          // One is refused for the type of its body.
          #expect([401, 403, 415].contains(answer.status), "\(method) \(path)")
        }
        for path in ["", "?limit=1"] {
          let list = "/v1/clients/u42/collections" + path
          #expect([401, 403].contains(try await server.send("GET", list, fields).status))
        }
        let sync = try await server.send(
          "POST", "/v1/clients/u42/sync", fields, #"{"collections":{"inbox":null}}"#)
        #expect([401, 403].contains(sync.status))
      }
    }
  }

  @Test func `nobody without a credential learns whether a private collection exists`() async throws
  {
    try await TestService.run(configure) { server in
      let version = try await put("[]", server, settings: "{}")
      for fields in [[:], Keys.field("other")] {
        for path in [
          "", "?version=\(version)", "/delta", "/delta?since=\(version)",
          "/delta?missing=wait&wait=9",
          "/delta?since=x.1.AAAAAAAAAAAAAAAA", "/delta?from=\(version)&to=\(version)",
          "/delta?since=!",
          "?maxage=7", "?where=x",
        ] {
          for accept in ["application/json", "text/event-stream", "text/html"] {
            var answers: [String] = []
            for name in ["inbox", "absent"] {
              let target = "/v1/clients/u42/collections/\(name)" + path
              let answer = try await server.send(
                "GET", target, fields.merging(["Accept": accept]) { $1 })
              let told = answer.fields.filter { $0.name != "request-id" }
              answers.append(
                "\(answer.status) \(told) \(answer.json["code"]) \(answer.json["current"])")
              #expect(answer["Collection-Version"] == nil && !answer.text.contains(version))
            }
            #expect(answers[0] == answers[1], "\(path)")
          }
        }
        let plain = try await server.send("GET", inbox, fields)
        #expect(plain.status == (fields.isEmpty ? 401 : 403))
        #expect(plain["WWW-Authenticate"] != nil)
      }
    }
  }

  @Test func `who waits without a credential is refused once the collection is private`()
    async throws
  {
    try await TestService.run(configure) { server in
      let head = try await put("[]", server)
      async let poll = server.send("GET", inbox + "/delta?since=\(head)&wait=50")
      async let events = server.send(
        "GET", inbox + "/delta?since=\(head)", ["Accept": "text/event-stream"])
      async let own = server.send("GET", inbox + "/delta?since=\(head)&wait=50", writer)
      try await server.untilParked(3)
      try await close(server)
      #expect(try await poll.status == 401)
      #expect(try await events.text.contains(#""reason":"token-expired""#))
      #expect(try await server.send("GET", inbox).status == 401)
      _ = try await update(#"[{"id":1}]"#, server)
      let news = try await own
      #expect(news.json["kind"].string == "delta" && news["Cache-Control"] == "no-store")
    }
  }

  @Test func `an imposed view hides nothing of what is public, until it is private`() async throws {
    try await TestService.run(configure) { server in
      let viewer = Keys.field("viewer")
      let head = try await put(#"[{"id":1,"n":1},{"id":2,"n":2}]"#, server)
      for path in ["", "?version=\(head)", "/delta"] {
        let all = try await server.send("GET", inbox + path)
        let seen = try await server.send("GET", inbox + path, viewer)
        #expect(seen.text == all.text && seen["Cache-Control"] == all["Cache-Control"])
        #expect(seen["ETag"] == all["ETag"] && !seen.text.contains(#""view""#))
      }
      async let poll = server.send("GET", inbox + "/delta?since=\(head)&wait=50", viewer)
      try await server.untilParked()
      try await close(server)
      // What it holds is more than it may see from now on.
      let answer = try await poll
      #expect(answer.json["kind"].string == "snapshot" && answer.json["view"]["total"].int == 1)
      #expect(answer["Cache-Control"]?.hasPrefix("public") == false)
      #expect(try await server.send("GET", inbox, viewer).json["view"]["total"].int == 1)
    }
  }

  @Test func `those without a credential share what one has`() async throws {
    try await TestService.run({
      configure(&$0)
      $0.shares.waitingMax = 1
    }) { server in
      let head = try await put("[]", server)
      async let first = server.send("GET", inbox + "/delta?since=\(head)&wait=50")
      try await server.untilParked()
      #expect(try await server.send("GET", inbox + "/delta?since=\(head)&wait=50").status == 429)
      _ = try await update(#"[{"id":1}]"#, server)
      #expect(try await first.status == 200)
    }
  }

  @Test func `a stranger is told what is wrong with a request of a public collection only`()
    async throws
  {
    try await TestService.run(configure) { server in
      _ = try await put("[]", server)
      for fields in [[:], Keys.field("other")] {
        for (path, accept, status) in [
          ("?dialect=nope", "*/*", 406), ("", "text/html", 406),
          ("/delta?dialect=nope", "*/*", 406),
          ("/delta", "image/png", 406), ("?where=x", "*/*", 400), ("/delta?since=x", "*/*", 400),
        ] {
          let answer = try await server.send(
            "GET", inbox + path, fields.merging(["Accept": accept]) { $1 })
          #expect(answer.status == status, "\(path): \(answer.text)")
          guard status == 406 else { continue }
          #expect(answer.json["detail"].string?.contains("splice") == true)
        }
      }
      try await close(server)
      for path in ["?dialect=nope", "?where=x", "/delta?since=x"] {
        #expect(try await server.send("GET", inbox + path).status == 401, "\(path)")
      }
    }
  }

  @Test func `nothing of who asked first is in what shared caches may keep`() async throws {
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let asker = ["Request-Id": "mine", "traceparent": trace]
    try await TestService.run(configure) { server in
      let first = try await put("[]", server)
      let head = try await update(#"[{"id":1}]"#, server)
      for path in [
        "", "?version=\(head)", "/delta?since=\(first)", "/delta?from=\(first)&to=\(head)",
      ] {
        for fields in [asker, [:], [:]] {
          let answer = try await server.send("GET", inbox + path, fields)
          #expect(answer["Cache-Control"]?.hasPrefix("public") == true)
          #expect(answer["Request-Id"] == nil && answer["traceparent"] == nil, "\(path)")
        }
        let own = try await server.send(
          "GET", inbox + path + (path.contains("?") ? "&" : "?") + "maxage=0", asker)
        #expect(own["Request-Id"] == "mine" && own["traceparent"] != nil)
      }
      let tag = try #require(try await server.send("GET", inbox)["ETag"])
      let same = try await server.send("GET", inbox, asker.merging(["If-None-Match": tag]) { $1 })
      #expect(same.status == 304 && same["Request-Id"] == nil)
      let unchanged = try await server.send("GET", inbox + "/delta?since=\(head)", asker)
      #expect(unchanged["Request-Id"] == "mine")
    }
  }

  @Test func `each stranger has a share of its own, whoever was answered first`() async throws {
    let clock = ManualClock()
    try await TestService.run({
      configure(&$0)
      $0.shares.requestsPerSecond = 3
      $0.time = TimeSource(clock, date: { 0 })
    }) { server in
      _ = try await put("[]", server)
      func statuses(_ count: Int, from network: UInt32) async throws -> [Int] {
        let client = TestClient(server.listener, from: .ipv4(network, port: 1))
        var statuses: [Int] = []
        for _ in 0..<count {
          statuses.append(try await server.send("GET", inbox, on: client).status)
        }
        return statuses
      }
      // The answer is remembered for the first, who uses its share up.
      #expect(try await statuses(5, from: 0x0200_007F) == [200, 200, 200, 429, 429])
      #expect(try await statuses(5, from: 0x0300_007F) == [200, 200, 200, 429, 429])
      #expect(try await statuses(1, from: 0x0200_007F) == [429])
    }
  }
}
