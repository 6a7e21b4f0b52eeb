import Authentication
import DeltaHTTP
import Foundation
import HTTP1
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import SocketServer
import Synchronization
import TestSupport
import Testing

/// Tokens at the service's own doors; `AuthenticationTests` has what is in them.
@Suite(.timeLimit(.minutes(10))) struct TokenAccessTests {
  private let inbox = TestServer.inbox

  /// A set of the secret that `token` is signed with, and one with another secret of the same id.
  private static let sets = [
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", "BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  ]
  .map { #"{"keys":[{"kty":"oct","kid":"h","alg":"HS256","k":"\#($0)"}]}"# }

  /// Lets read all of u42 until 2100; made by PyJWT.
  private static let token = [
    "eyJhbGciOiJIUzI1NiIsImtpZCI6ImgiLCJ0eXAiOiJKV1QifQ",
    "eyJzdWIiOiJ1NDIiLCJleHAiOjQxMDI0NDQ4MDAsImlhdCI6MTcwMDAwMDAwMCwiaXNzIjoiaHR0cHM6Ly9pc3N1ZXIuZXhhb"
      + "XBsZSIsImF1ZCI6WyJsaXZlZGVsdGEiLCJvdGhlciJdLCJvcHMiOlsicmVhZCJdfQ",
    "tfpCoQbDV4RZb_DcWOFBMFU6bFpxA2OdUrLKgSnx4WU",
  ].joined(separator: ".")
  /// Tokens of the same secret that let read all of u42 with a claim `view` that is none: `null`, and 0.
  private static let restricted = [
    "LCJ2aWV3IjpudWxsfQ.vFSnRiGrEBhOj-njDk7ugTCwDyc6I4mgNi6zCEApZ7s",
    "LCJ2aWV3IjowfQ.6UT-vCZ1icTIIvbzsPD1BAM4NJofxb1_YoyWl-uCzA8",
  ].map { end in
    "eyJhbGciOiJIUzI1NiIsImtpZCI6ImgiLCJ0eXAiOiJKV1QifQ"
      + ".eyJzdWIiOiJ1NDIiLCJleHAiOjQxMDI0NDQ4MDAsImlzcyI6Imh0dHBzOi8vaXNzdWVyLmV4YW1wbGUiLCJhdWQiOiJsaXZlZGVsdGEi"
      + end
  }
  private let reader = ["Authorization": "Bearer \(Self.token)"]
  private let rules = TokenRules(issuer: "https://issuer.example", audience: "livedelta")

  @Test func `a key that is gone from its set ends the streams of its tokens`() async throws {
    let set = Mutex(Self.sets[0])
    let date = TestCalendar()
    let source = TokenSource(.fetched { Array(set.withLock(\.self).utf8) }, rules: rules)
    let authenticator = try Authenticator(.text(Keys.list), tokens: source, now: { date.now })
    try await authenticator.loadTokenKeys()
    try await TestServer.run({ $0.authenticator = authenticator }) { server in
      let writer = Keys.field("writesAll")
      let version = try #require(
        try await server.send("PUT", inbox, writer, "[]")["Collection-Version"])
      #expect(try await server.send("GET", inbox, reader).status == 200)
      #expect(try await server.send("PUT", inbox, reader, "[]").status == 403)
      #expect(try await server.send("GET", "/v1/clients/u7/collections", reader).status == 403)
      let events = try EventReader(server.address, inbox + "/delta?since=\(version)", reader)
      #expect(try await events.head().contains(" 200 "))
      set.withLock { $0 = Self.sets[1] }
      date.now = 300
      var last: SourceEvent?
      while let event = await events.next() { last = event }
      #expect(last?.json["reason"].string == "token-expired")
      #expect(try await server.send("GET", inbox, reader).status == 401)
    }
  }

  @Test func `an answer is not given again when its token has expired`() async throws {
    let date = TestCalendar()
    let source = TokenSource(.fetched { Array(Self.sets[0].utf8) }, rules: rules)
    let authenticator = try Authenticator(.text(Keys.list), tokens: source, now: { date.now })
    try await authenticator.loadTokenKeys()
    try await TestServer.run({ $0.authenticator = authenticator }) { server in
      _ = try await server.send("PUT", inbox, Keys.field("writesAll"), "[]")
      for _ in 1...3 { #expect(try await server.send("GET", inbox, reader).status == 200) }
      date.now = 4_102_444_800 + 29
      #expect(try await server.send("GET", inbox, reader).status == 200)
      date.now += 1
      let answer = try await server.send("GET", inbox, reader)
      #expect(answer.json["code"].string == "token-expired")
    }
  }

  @Test func `a claim that is no view refuses reading, and the token is good`() async throws {
    let source = TokenSource(.fetched { Array(Self.sets[0].utf8) }, rules: rules)
    let authenticator = try Authenticator(.text(Keys.list), tokens: source, now: { 0 })
    try await authenticator.loadTokenKeys()
    try await TestServer.run({ $0.authenticator = authenticator }) { server in
      _ = try await server.send("PUT", inbox, Keys.field("writesAll"), #"[{"id":"hidden"}]"#)
      for token in Self.restricted {
        let field = ["Authorization": "Bearer \(token)"]
        for path in [inbox, inbox + "/delta", inbox + "?where=/id:exists"] {
          let answer = try await server.send("GET", path, field)
          #expect(answer.status == 403 && !answer.text.contains("hidden"), "\(path)")
          #expect(answer.json["code"].string == "insufficient-scope")
        }
        #expect(try await server.send("GET", "/v1", field).status == 200)
      }
    }
  }

  @Test func `nothing of a token is in the log, nor what it says`() async throws {
    let pipe = LogPipe()
    let source = TokenSource(.fetched { Array(Self.sets[0].utf8) }, rules: rules)
    let authenticator = try Authenticator(nil, tokens: source, now: { 0 })
    try await authenticator.loadTokenKeys()
    try await TestServer.run({
      $0.authenticator = authenticator
      $0.accessLog = pipe.log
    }) { server in
      for (method, path, body) in [
        ("GET", inbox, nil), ("PUT", inbox, "[]"), ("GET", "/v1/clients", nil),
        ("GET", inbox + "/versions", nil),
      ] {
        _ = try await server.send(method, path, reader, body)
      }
      let lines = "\(try await pipe.lines(4))"
      #expect(lines.contains("insufficient-scope") && lines.contains("versions"))
      let parts = Self.token.split(separator: ".").map { String($0) }
      for secret in parts + ["u42", "inbox", "issuer.example"] {
        #expect(!lines.contains(secret), "\(lines)")
      }
    }
  }

  @Test
  func
    `a set of keys comes from a URL, is read again at SIGHUP, and only https or this machine is asked`()
    async throws
  {
    let set = Mutex(Self.sets[0])
    try await TestBackend.run { _, responder in
      responder.send(HTTPResponse(status: 200, body: .bytes(Array(set.withLock(\.self).utf8))))
    } _: { backend in
      let service = try await RunningService(environment: [
        "LIVEDELTA_AUTH_JWKS": "http://\(backend)/jwks", "LIVEDELTA_AUTH_AUDIENCE": "livedelta",
      ])
      let address = try ServerAddress(try #require(service.listening.first))
      let client = DeltaClient(address, transport: CurlTransport(), tokens: { _ in Self.token })
      #expect(try await client.request("GET", inbox).status == 404)
      #expect(
        try await DeltaClient(address, transport: CurlTransport()).request("GET", inbox).status
          == 401)
      set.withLock { $0 = Self.sets[1] }
      service.send(SIGHUP)
      try await until { try await client.request("GET", inbox).status == 401 }
      await service.stop()
    }
  }
}
