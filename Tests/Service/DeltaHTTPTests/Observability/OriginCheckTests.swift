import DeltaHTTP
import HTTPTestSupport
import SocketServer
import TestSupport
import Testing

/// Which pages may change something.
@Suite(.timeLimit(.minutes(10))) struct OriginCheckTests {
  private let inbox = TestService.inbox
  private let app = "https://app.example"

  private func ask(
    _ listener: Listener, _ method: String, _ path: String, _ fields: [String: String],
    _ body: String? = nil
  ) async throws -> TestResponse {
    let client = try TestConnection(listener)
    await client.send(method, path, fields, body.map { Array($0.utf8) })
    return try await client.response()
  }

  private func expect(
    _ status: Int, _ listener: Listener, _ method: String, _ path: String,
    _ fields: [String: String], _ body: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let answer = try await ask(listener, method, path, fields, body)
    #expect(answer.status == status, sourceLocation: sourceLocation)
  }

  @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func `a write from a page that is not allowed gets 403 and changes nothing`(
    method: String
  ) async throws {
    for origins in [[], [app]] {
      try await TestService.run({ $0.crossOrigins = origins }) { server in
        let version = try await server.put("[]")
        for origin in ["https://evil.example", "null", "http://test", app + ".evil.example"] {
          let answer = try await ask(
            server.listener, method, inbox, ["Origin": origin], #"[{"id":"a"}]"#)
          #expect(answer.status == 403)
          #expect(
            String(decoding: answer.body, as: UTF8.self).contains(#""code":"origin-not-allowed""#))
        }
        #expect(try await server.send("GET", inbox)["Collection-Version"] == version)
      }
    }
  }

  @Test func `it is refused before its body is read`() async throws {
    try await TestService.run { server in
      for address in [server.listener, server.operations] {
        let client = try TestConnection(address)
        await client.send(
          "POST", inbox, ["Origin": "https://evil.example"], [UInt8](repeating: 0x20, count: 1000))
        #expect(try await client.response().status == 403)
      }
    }
  }

  @Test func `without an origin, Sec-Fetch-Site cross-site gets 403`() async throws {
    try await TestService.run({ $0.crossOrigins = [app] }) { server in
      let cross = ["Sec-Fetch-Site": "cross-site"]
      try await expect(403, server.listener, "POST", inbox, cross, "[]")
      let allowed = cross.merging(["Origin": app]) { $1 }
      try await expect(201, server.listener, "POST", inbox, allowed, "[]")
      let own = ["Sec-Fetch-Site": "same-origin"]
      try await expect(200, server.listener, "POST", inbox, own, "[]")
    }
  }

  @Test func `reading is left to the browser's own rules`() async throws {
    try await TestService.run { server in
      _ = try await server.put("[]")
      let fields = ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"]
      for method in ["GET", "OPTIONS"] {
        let answer = try await ask(server.listener, method, inbox, fields)
        #expect(200...204 ~= answer.status)
      }
    }
  }

  @Test func `a page may write where it was loaded from, unless the name could be made up`()
    async throws
  {
    try await TestService.run({ $0.allowedHosts = ["evil.example"] }) { server in
      for (host, expected) in [
        ("127.0.0.1:8080", 201), ("localhost:8080", 200), ("[::1]:8080", 200), ("10.1.2.3", 200),
        ("evil.example:8080", 403), ("127.0.0.1.evil.example", 421), ("256.0.0.1", 421),
      ] {
        let client = try TestConnection(server.listener)
        await client.send(
          "POST", inbox, ["Host": host, "Origin": "http://\(host)"], Array("[]".utf8))
        #expect(try await client.response().status == expected, "\(host)")
      }
    }
  }

  @Test func `no page of another origin can drain the service`() async throws {
    try await TestService.run({ $0.crossOrigins = ["*"] }) { server in
      for fields in [["Origin": app], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"]] {
        let answer = try await ask(server.operations, "POST", "/drain", fields)
        #expect(answer.status == 403)
        #expect(
          String(decoding: answer.body, as: UTF8.self).contains(#""code":"origin-not-allowed""#))
      }
      try await expect(200, server.operations, "GET", "/readyz", [:])
    }
  }

  @Test func `a large write with a key is replayed as a small one is`() async throws {
    try await TestService.run { server in
      let text = String(repeating: "x", count: 3000)
      let items = (0..<500).map { #"{"id":"\#($0)","text":"\#(text)"}"# }
      let body = "[" + items.joined(separator: ",") + "]"
      let key = ["Idempotency-Key": "k"]
      #expect(try await server.send("PUT", inbox, key, body).status == 201)
      let again = try await server.send("PUT", inbox, key, body)
      #expect(again["Idempotency-Replayed"] == "true")
      let spelled = try await server.send("PUT", inbox, key, " " + body + " ")
      #expect(spelled["Idempotency-Replayed"] == "true")
      #expect(try await server.send("PUT", inbox, key, "[]").status == 422)
    }
  }
}
