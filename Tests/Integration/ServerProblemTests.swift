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

/// What the server itself refuses, and what only a listener can tell.
@Suite struct ServerProblemTests {
  private let inbox = TestServer.inbox

  @Test func `a body over the limit is refused by its head`() async throws {
    try await TestServer.run { configuration in
      configuration.serverLimits.request.bodyBytesMax = 1000
    } _: { server in
      let body = "[" + String(repeating: " ", count: 1000) + "]"
      let answer = try await server.send("PUT", inbox, [:], body)
      #expect(answer.status == 413)
      #expect(answer["Content-Type"] == "application/problem+json")
      #expect(answer.json["code"].string == "body-too-large")
      #expect(answer.json["limit"].int == 1000)
    }
  }

  @Test func `those for whom there is no connection are told to return apart`() async throws {
    try await TestServer.run { configuration in
      configuration.serverLimits.connectionsMax = 1
    } _: { server in
      let served = try RawConnection(server.address)
      await served.send("GET", "/v1")
      #expect(try await served.response().status == 200)
      var seconds: Set<Int> = []
      for _ in 0..<100 {
        let answer = try await RawConnection(server.address).response()
        #expect(answer.status == 503 && answer.text.contains("\"code\":\"overloaded\""))
        seconds.insert(Int(answer["Retry-After"] ?? "") ?? 0)
      }
      // Six values by chance: that 100 answers miss two of them is as good as impossible.
      #expect(seconds.isSubset(of: Set(5...10)) && seconds.count > 4, "\(seconds)")
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
        ("evil.example", "/clients/u42", 421), ("evil.example", "/none", 421),
        ("evil.example", "/livez", 200), ("evil.example", "/readyz", 200),
        ("monitor:8081", "/metrics", 200), ("127.0.0.1:8081", "/metrics", 200),
      ] {
        let client = try RawConnection(server.operations)
        await client.send(Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8))
        #expect(try await client.response().status == expected, "\(host) \(path)")
      }
    }
  }

  @Test func `the operations listener tells how the server is`() async throws {
    try await TestServer.run { server in
      let watcher = DeltaClient(server.operations, transport: CurlTransport())
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
          == #"["staged","ops","splice","diffable","json-patch","snapshot"]"#
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
