import CollectionService
import DeltaHTTP
import Foundation
import HTTP1
import LiveDeltaClient
import LiveDeltaCurl
import SocketServer
import TestSupport
import Testing
import VersionedCollections

@Suite struct ProblemTests {
  private let inbox = TestServer.inbox

  @Test func `a body that is refused says what and where`() async throws {
    try await TestServer.run { configuration in
      configuration.serviceLimits.itemsMax = 3
      configuration.serviceLimits.depthMax = 8
      configuration.serverLimits.request.bodyBytesMax = 1000
    } _: { server in
      for (body, status, code) in [
        ("", 400, "bad-json"), ("{\"items\":[}", 400, "bad-json"), ("[] x", 400, "bad-json"),
        ("1", 422, "bad-snapshot"), ("{\"items\":[],\"x\":1}", 422, "bad-snapshot"),
        ("[{}]", 422, "bad-snapshot"), ("[{\"id\":1.5}]", 422, "bad-snapshot"),
        ("[{\"id\":\"\"}]", 422, "bad-snapshot"),
        ("[{\"id\":7},{\"id\":\"7\"}]", 422, "duplicate-id"),
        ("[{\"id\":1},{\"id\":2},{\"id\":3},{\"id\":4}]", 413, "too-many-items"),
        ("[{\"id\":1,\"x\":[[[[[[[[1]]]]]]]]}]", 422, "too-deep"),
        ("[" + String(repeating: " ", count: 1000) + "]", 413, "body-too-large"),
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

  @Test func `names that are none are refused, whatever the resource`() async throws {
    try await TestServer.run { server in
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
    try await TestServer.run { server in
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
    try await TestServer.run { server in
      let version = try await server.put("[]")
      let rows: [(String, String, [String: String], Int)] = [
        ("GET", "?version=x", [:], 400), ("GET", "/delta?from=x&to=y", [:], 400),
        ("GET", "/delta?from=\(version)", [:], 400), ("GET", "/delta?since=x", [:], 400),
        ("GET", "/delta?wait=x", [:], 400), ("GET", "/versions?limit=0", [:], 400),
        ("GET", "", ["Accept": "text/html"], 406),
        ("PUT", "", ["Collection-If-Version": "x"], 400),
        ("GET", "", ["Collection-Version": "x"], 400),
        ("PATCH", "", ["Content-Type": "application/json-patch+json"], 428),
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
    try await TestServer.run { server in
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

  @Test func `what is wrong with a request as HTTP has a code of its own`() async throws {
    try await TestServer.run { server in
      for (head, status, code) in [
        ("BREW / HTTP/1.1\r\nHost: localhost", 501, "method-not-implemented"),
        ("GET / HTTP/2.0\r\nHost: localhost", 505, "version-not-supported"),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost", 400, "bad-request"),
        ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1", 414, "bad-request"),
        (
          "GET /v1 HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "a", count: 20_000))", 431,
          "bad-request"
        ),
        ("GET /v1 HTTP/1.1\r\nHost: evil.example", 421, "misdirected"),
        ("GET /v1 HTTP/1.1\r\nHost: evil.example:8080", 421, "misdirected"),
        (
          "PUT \(inbox) HTTP/1.1\r\nHost: localhost.evil.example\r\nContent-Length: 9", 421,
          "misdirected"
        ),
        ("GET http://evil.example/v1 HTTP/1.1\r\nHost: localhost", 421, "misdirected"),
      ] {
        let client = try RawConnection(server.address)
        await client.send(Array((head + "\r\n\r\n").utf8))
        let answer = try await client.response()
        #expect(answer.status == status, "\(head.prefix(40))")
        #expect(answer.text.contains("\"code\":\"\(code)\""), "\(answer.text)")
      }
    }
  }

  @Test func `the service is asked by address, localhost, its machine's name and those allowed`()
    async throws
  {
    try await TestServer.run({ $0.allowedHosts = ["Feed.Example"] }) { server in
      let machine = ProcessInfo.processInfo.hostName.split(separator: ".")[0]
      for host in [
        "127.0.0.1", "10.1.2.3:80", "[::1]:8080", "localhost", "LOCALHOST:1", "feed.example",
        "FEED.example:8080", String(machine),
      ] {
        let client = try RawConnection(server.address)
        await client.send(Array("GET /v1 HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
        #expect(try await client.response().status == 200, "\(host)")
      }
    }
  }

  @Test func `the operations listener tells a host that is not served nothing but its health`()
    async throws
  {
    try await TestServer.run({ $0.allowedHosts = ["monitor"] }) { server in
      for (host, path, expected) in [
        ("evil.example", "/metrics", 421), ("evil.example:8081", "/clients", 421),
        ("evil.example", "/clients/u42/export", 421), ("evil.example", "/none", 421),
        ("evil.example", "/livez", 200), ("evil.example", "/readyz", 200),
        ("monitor:8081", "/metrics", 200), ("127.0.0.1:8081", "/metrics", 200),
      ] {
        let client = try RawConnection(server.operations)
        await client.send(Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
        #expect(try await client.response().status == expected, "\(host) \(path)")
      }
    }
  }

  @Test func `a body of the type that curl writes unasked is JSON, unless a browser sends it`()
    async throws
  {
    try await TestServer.run({ $0.crossOrigins = ["https://example.org"] }) { server in
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

  @Test func `the operations listener tells how the server is`() async throws {
    try await TestServer.run { server in
      let watcher = DeltaClient(server.operations)
      #expect(try await watcher.request("GET", "/livez").status == 200)
      #expect(try await watcher.request("GET", "/readyz").status == 200)
      let metrics = try await watcher.request("GET", "/metrics")
      #expect(metrics.text.contains("livedelta_collections 0\n"))
      #expect(try await watcher.request("GET", "/v1").status == 404)
      let info = try await server.send("GET", "/v1")
      #expect(info.json["limits"]["items"].int == 100_000)
      #expect(info.json["wait"]["max"].int == 55)
      #expect(
        "\(info.json["dialects"])"
          == #"["staged","ops","splice","diffable","json-patch","swift-diff","snapshot"]"#
      )
    }
  }

  @Test func `a server that stops lets those who wait go`() async throws {
    try await TestServer.run { server in
      let from = try await server.put("[]")
      let client = server.reader()
      async let waiting = client.request("GET", inbox + "/delta?since=\(from)&wait=25")
      try await server.untilParked()
      await server.server.shutdown(isPatient: false)
      #expect(try await waiting.json["kind"].string == "unchanged")
    }
  }
}
