import DeltaHTTP
import TestSupport
import Testing

/// What pages of other origins may do.
@Suite(.timeLimit(.minutes(10))) struct CrossOriginTests {
  private let inbox = TestService.inbox
  private let app = "https://app.example"

  @Test func `an origin of the list may read answers and their fields`() async throws {
    try await TestService.run({ $0.crossOrigins = [app] }) { server in
      _ = try await server.put("[]")
      let client = try TestConnection(server.listener)
      for (path, status) in [(inbox, 200), (inbox + "none", 404), (inbox + "/delta", 200)] {
        await client.send("GET", path, ["Origin": app])
        let answer = try await client.response()
        #expect(answer.status == status)
        #expect(answer["Access-Control-Allow-Origin"] == app)
        #expect(answer.fields.contains { $0 == ("vary", "Origin") })
        let exposed = answer["Access-Control-Expose-Headers"]?.split(separator: ", ") ?? []
        for name in [
          "ETag", "Collection-Version", "Collection-Wait", "Location", "Retry-After",
          "Idempotency-Replayed", "Preference-Applied", "Request-Id", "WWW-Authenticate",
          "Collection-Stale", "RateLimit", "RateLimit-Policy",
        ] { #expect(exposed.contains(Substring(name))) }
        #expect(answer["Access-Control-Allow-Credentials"] == nil)
      }
      let stream = try TestConnection(server.listener)
      await stream.send(
        "GET", inbox + "/delta?closeafter=event", ["Origin": app, "Accept": "text/event-stream"])
      #expect(try await stream.response()["Access-Control-Allow-Origin"] == app)
      // Refused before its body is read.
      await client.send("PUT", inbox, ["Origin": app, "Content-Type": "text/plain"], [0x5B, 0x5D])
      #expect(try await client.response()["Access-Control-Allow-Origin"] == app)
    }
  }

  @Test func `other origins are told nothing`() async throws {
    for origins in [[], [app]] {
      try await TestService.run({ $0.crossOrigins = origins }) { server in
        let client = try TestConnection(server.listener)
        for origin in ["https://evil.example", app + ".evil.example", "http://app.example", "null"]
        {
          for method in ["GET", "OPTIONS"] {
            await client.send(
              method, "/v1", ["Origin": origin, "Access-Control-Request-Method": "GET"])
            let answer = try await client.response()
            #expect(!answer.fields.contains { $0.name.hasPrefix("access-control-") })
            #expect(answer.fields.contains { $0 == ("vary", "Origin") } == !origins.isEmpty)
          }
        }
      }
    }
  }

  @Test func `a preflight tells what may be sent`() async throws {
    try await TestService.run({ $0.crossOrigins = ["*"] }) { server in
      let client = try TestConnection(server.listener)
      await client.send(
        "OPTIONS", inbox,
        [
          "Origin": app, "Access-Control-Request-Method": "PUT",
          "Access-Control-Request-Headers": "content-type, if-match",
        ])
      let answer = try await client.response()
      #expect(answer.status == 204)
      #expect(answer["Access-Control-Allow-Origin"] == app)
      #expect(
        answer["Access-Control-Allow-Methods"]
          == "GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS")
      let fields = answer["Access-Control-Allow-Headers"]?.split(separator: ", ") ?? []
      for name in [
        "Authorization", "Content-Type", "If-Match", "If-None-Match", "Collection-If-Version",
        "Collection-Version", "Idempotency-Key", "Last-Event-ID", "Prefer", "Content-Encoding",
      ] { #expect(fields.contains(Substring(name))) }
      #expect(answer["Access-Control-Max-Age"] == "600")
    }
  }

  @Test func `a page of a public network may ask for a service of a private one, if it is listed`()
    async throws
  {
    try await TestService.run({ $0.crossOrigins = [app] }) { server in
      let client = try TestConnection(server.listener)
      for (origin, allowed) in [(app, "true"), ("https://evil.example", nil)] {
        await client.send(
          "OPTIONS", inbox,
          [
            "Origin": origin, "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Private-Network": "true",
          ])
        #expect(try await client.response()["Access-Control-Allow-Private-Network"] == allowed)
      }
    }
  }

  @Test func `cookies may be sent only where the setting says so, and by listed origins`()
    async throws
  {
    try await TestService.run({
      $0.crossOrigins = [app]
      $0.allowsCredentials = true
    }) { server in
      let client = try TestConnection(server.listener)
      for (origin, allowed) in [(app, "true"), ("https://evil.example", nil)] {
        await client.send("GET", "/v1", ["Origin": origin])
        #expect(try await client.response()["Access-Control-Allow-Credentials"] == allowed)
      }
    }
  }

  @Test func `OPTIONS asks about a resource or about the server`() async throws {
    try await TestService.run { server in
      let client = try TestConnection(server.listener)
      await client.send("OPTIONS", "*")
      let all = try await client.response()
      #expect(all.status == 204)
      #expect(all["Allow"] == "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")
      await client.send("OPTIONS", inbox)
      let collection = try await client.response()
      #expect(collection["Allow"] == "GET, HEAD, PUT, POST, PATCH, DELETE, OPTIONS")
      #expect(collection["Accept-Patch"] != nil)
      let operations = try TestConnection(server.operations)
      for (target, allow) in [
        ("*", "GET, HEAD, POST, DELETE, OPTIONS"), ("/livez", "GET, HEAD, OPTIONS"),
        ("/drain", "POST, OPTIONS"),
      ] {
        await operations.send("OPTIONS", target)
        #expect(try await operations.response()["Allow"] == allow)
      }
    }
  }
}
