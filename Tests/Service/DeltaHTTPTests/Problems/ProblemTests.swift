import CollectionService
import DeltaHTTP
import TestSupport
import Testing
import VersionedCollections

/// What requests are refused for, and what the answer says.
@Suite struct ProblemTests {
  private let inbox = TestService.inbox

  @Test func `a body that is refused says what and where`() async throws {
    try await TestService.run { configuration in
      configuration.serviceLimits.itemsMax = 3
      configuration.serviceLimits.depthMax = 8
    } _: { server in
      for (body, status, code) in [
        ("", 400, "bad-json"), ("{\"items\":[}", 400, "bad-json"), ("[] x", 400, "bad-json"),
        ("1", 422, "bad-snapshot"), ("{\"items\":[],\"x\":1}", 422, "bad-snapshot"),
        ("[{}]", 422, "bad-snapshot"), ("[{\"id\":1.5}]", 422, "bad-snapshot"),
        ("[{\"id\":\"\"}]", 422, "bad-snapshot"),
        ("[{\"id\":7},{\"id\":\"7\"}]", 422, "duplicate-id"),
        ("[{\"id\":1},{\"id\":2},{\"id\":3},{\"id\":4}]", 413, "too-many-items"),
        ("[{\"id\":1,\"x\":[[[[[[[[1]]]]]]]]}]", 422, "too-deep"),
      ] {
        let answer = try await server.send("PUT", inbox, [:], body)
        #expect(answer.status == status, "\(body): \(answer.text)")
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(answer.json["code"].string == code, "\(body): \(answer.text)")
        #expect(answer.json["status"].int == status)
        #expect(answer.json["detail"].string != nil)
        #expect(answer["Cache-Control"] == "no-store")
      }
      let broken = try await server.send("PUT", inbox, [:], #"{"items":[}"#)
      #expect(broken.json["detail"].string?.contains("byte 10") == true, "\(broken.text)")
      let twice = try await server.send("PUT", inbox, [:], #"[{"id":7},{"id":8},{"id":"7"}]"#)
      #expect(twice.json["errors"][0]["pointer"].string == "/0/id")
      #expect(twice.json["errors"][1]["pointer"].string == "/2/id")
      #expect(try await server.send("GET", inbox).status == 404)
    }
  }

  @Test func `readers who are turned away together are told to return apart`() async throws {
    try await TestService.run {
      $0.serviceLimits.parkedMax = 0
    } _: { server in
      let version = try await server.put("[]")
      var seconds: Set<Int> = []
      for _ in 0..<100 {
        let answer = try await server.send("GET", inbox + "/delta?since=\(version)&wait=5")
        #expect(answer.status == 503 && answer.json["code"].string == "too-many-parked")
        seconds.insert(Int(answer["Retry-After"] ?? "") ?? 0)
      }
      // Six values by chance: that 100 requests miss two of them is as good as impossible.
      #expect(seconds.isSubset(of: Set(5...10)) && seconds.count > 4, "\(seconds)")
    }
  }

  @Test func `names that are none are refused, whatever the resource`() async throws {
    try await TestService.run { server in
      let long = String(repeating: "a", count: 129)
      for path in [
        "/v1/clients/a%2Fb/collections/x", "/v1/clients//collections/x",
        "/v1/clients/a/collections/", "/v1/clients/a/collections/x%00", "/v1/clients/%zz",
        "/v1/clients/a/collections/\(long)", "/v1/clients/a/collections/x%252e/delta",
        "/v1/clients/a/collections/h%C3%A9", "/v1/clients/a%20b/collections",
      ] {
        let answer = try await server.send("GET", path)
        #expect(answer.status == 400, "\(path)")
        #expect(answer.json["code"].string == "bad-identifier", "\(path)")
      }
      let name = "A~z.0_:@-%2e"
      #expect(
        try await server.send("PUT", "/v1/clients/\(name)/collections/x", [:], "[]").status == 201)
      #expect(try await server.send("GET", "/v1/clients/A~z.0_:@-./collections/x").status == 200)
    }
  }

  @Test func `unknown resources, methods, media types and codings`() async throws {
    try await TestService.run { server in
      for path in [
        "/x", "/ui/", "/v2", "/v1/", "/v1/clients/a/b", inbox + "/x", "/v1/x",
      ] {
        let answer = try await server.send("GET", path)
        #expect(answer.status == 404, "\(path)")
        #expect(answer.json["code"].string == "not-found")
      }
      for (method, path, allow) in [
        ("DELETE", "/v1", "GET, HEAD, OPTIONS"), ("PUT", inbox + "/delta", "GET, HEAD, OPTIONS"),
        ("GET", "/v1/diff", "POST, OPTIONS"), ("GET", "/v1/clients/a", "DELETE, OPTIONS"),
      ] {
        let answer = try await server.send(method, path)
        #expect(answer.status == 405)
        #expect(answer["Allow"] == allow)
        #expect(answer.json["code"].string == "method-not-allowed")
      }
      for (type, status) in [
        ("text/plain", 415), ("application/json", 201),
        ("application/json; charset=utf-8", 200),
        ("application/vnd.acme.inbox+json", 200), ("application/json-patch+json", 415),
      ] {
        let answer = try await server.send("PUT", inbox, ["Content-Type": type], "[]")
        #expect(answer.status == status, "\(type)")
      }
      let coded = try await server.send("PUT", inbox, ["Content-Encoding": "br"], "[]")
      #expect(coded.status == 415)
      #expect(coded["Accept-Encoding"] != nil)
      // Also where the dialect has no use for it.
      #expect(try await server.send("GET", inbox + "?headers=2").status == 400)
      for (accept, status) in [
        ("text/html", 406), ("application/json;q=0", 406), ("text/html, */*;q=0.1", 200),
        ("application/*", 200), ("application/vnd.livedelta.staged+json", 200),
      ] {
        let answer = try await server.send("GET", inbox, ["Accept": accept])
        #expect(answer.status == status, "\(accept)")
      }
    }
  }

  @Test func `what is refused about a collection has its version`() async throws {
    try await TestService.run { server in
      let version = try await server.put("[]")
      let rows: [(String, String, [String: String], Int)] = [
        ("GET", "?version=x", [:], 400), ("GET", "/delta?from=x&to=y", [:], 400),
        ("GET", "/delta?from=\(version)", [:], 400), ("GET", "/delta?since=x", [:], 400),
        ("GET", "/delta?wait=x", [:], 400), ("GET", "/versions?limit=0", [:], 400),
        ("GET", "", ["Accept": "text/html"], 406),
        ("PUT", "", ["Collection-If-Version": "x"], 400),
        ("GET", "", ["Collection-Version": "x"], 400),
      ]
      for (method, path, fields, status) in rows {
        let body = method == "GET" ? nil : "[]"
        let answer = try await server.send(method, inbox + path, fields, body)
        #expect(answer.status == status, "\(method) \(path)")
        #expect(answer["Collection-Version"] == version, "\(method) \(path)")
        let none = try await server.send(method, inbox + "-none" + path, fields, body)
        #expect(none["Collection-Version"] == nil)
      }
    }
  }

  @Test(arguments: [
    "x", "a.1", "a.0.AAAAAAAAAAAAAAAA", "a.1.AAAAAAAAAAAAAAA", "a.1.AAAAAAAAAAAAAAAAA",
    "a.1.AAAAAAAAAAAAAAA+", "a.01.AAAAAAAAAAAAAAAA", ".1.AAAAAAAAAAAAAAAA",
    "a.1.AAAAAAAAAAAAAAAA.x", "a.-1.AAAAAAAAAAAAAAAA",
  ])
  func `what is no version token is refused wherever one stands`(token: String) async throws {
    try await TestService.run { server in
      let version = try await server.put("[]")
      let poll = try await server.send("GET", inbox + "/delta?since=\(token)")
      #expect(poll["Collection-Version"] == version)
      for (method, path, fields, body) in [
        ("GET", inbox + "/delta?since=\(token)", [:], nil),
        ("GET", inbox + "/delta?from=\(token)&to=\(token)", [:], nil),
        ("GET", inbox + "?version=\(token)", [:], nil),
        ("PUT", inbox, ["Collection-If-Version": token], "[]"),
        ("GET", inbox + "/settings", ["Collection-Version": token], nil),
        ("POST", "/v1/clients/u42/sync", [:], #"{"collections":{"inbox":"\#(token)"}}"#),
      ] as [(String, String, [String: String], String?)] {
        let answer = try await server.send(method, path, fields, body)
        #expect(answer.status == 400, "\(path) \(answer.text)")
        #expect(answer.json["code"].string == "bad-token", "\(path)")
      }
      // An EventSource gives up for good on any status but 200.
      for (path, fields) in [
        (inbox + "/delta?since=\(token)", [:]), (inbox + "/delta", ["Last-Event-ID": token]),
        ("/v1/changes", ["Last-Event-ID": "x"]),
        ("/v1/clients/u42/sync?collections=inbox", ["Last-Event-ID": "inbox:\(token)."]),
      ] {
        let all = fields.merging(["Accept": "text/event-stream"]) { $1 }
        let answer = try await server.send("GET", path, all)
        #expect(answer.status == 200, "\(path)")
        #expect(answer.text.hasPrefix("retry: 15000\n\nevent: problem\ndata: {"), "\(path)")
        #expect(answer.text.contains(#""code":"bad-token""#), "\(path)")
      }
    }
  }

  @Test func `a member that no request has is refused with its pointer and the nearest name`()
    async throws
  {
    try await TestService.run { server in
      let client = "/v1/clients/u42"
      for (path, body, pointer, name) in [
        ("/v1/diff", #"{"old":[],"new":[],"nwe":[]}"#, "/nwe", "new"),
        ("/v1/diff", #"{"odl":[],"new":[]}"#, "/odl", "old"),
        (client + "/sync", #"{"colections":{"inbox":null}}"#, "/colections", "collections"),
        (client + "/sync", #"{"collections":{"inbox":null},"wiat":1}"#, "/wiat", "wait"),
        (
          client + "/sync", #"{"collections":{"~a":{"sinse":null}}}"#, "/collections/~0a/sinse",
          "since"
        ),
      ] {
        let answer = try await server.send("POST", path, [:], body)
        #expect(answer.status == 422, "\(path) \(body)")
        let error = answer.json["errors"][0]
        #expect(error["pointer"].string == pointer, "\(answer.text)")
        // Of names that are short, all are told where none is near.
        #expect(error["detail"].string?.contains(name) == true, "\(answer.text)")
      }
    }
  }

  @Test func `a body of the type that curl writes unasked is JSON, unless a browser sends it`()
    async throws
  {
    try await TestService.run({ $0.crossOrigins = ["https://example.org"] }) { server in
      let form = "application/x-www-form-urlencoded"
      let diff = #"{"old":[],"new":[]}"#
      for (method, path, body, status) in [
        ("PUT", inbox, "[]", 201), ("POST", inbox, "[]", 200), ("POST", "/v1/diff", diff, 200),
        ("PATCH", inbox, #"{"edits":[]}"#, 415),
      ] {
        let answer = try await server.send(method, path, ["Content-Type": form], body)
        #expect(answer.status == status, "\(method) \(path)")
        let fields = ["Content-Type": form, "Origin": "https://example.org"]
        let fromPage = try await server.send(method, path, fields, body)
        #expect(fromPage.status == 415, "\(method) \(path)")
        #expect(fromPage.json["code"].string == "unsupported-media-type")
      }
    }
  }
}
