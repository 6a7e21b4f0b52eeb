import Authentication
import CollectionService
import DeltaHTTP
import Foundation
import HTTPTestSupport
import TestSupport
import Testing
import VersionedCollections

/// Who may do what with a key.
@Suite(.timeLimit(.minutes(10))) struct AccessTests {
  private let inbox = TestService.inbox

  @Test func `403 tells nothing of what is there`() async throws {
    try await TestService.run(Keys.configure) { server in
      let writer = Keys.field("writesAll")
      #expect(try await server.send("PUT", inbox, writer, "[]").status == 201)
      var answers: Set<String> = []
      for path in [inbox, inbox + "-none", inbox + "/versions", "/v1/clients/none/collections"] {
        let answer = try await server.send("GET", path, Keys.field("readsOther"))
        #expect(answer.json["code"].string == "insufficient-scope")
        #expect(
          answer["WWW-Authenticate"] == #"Bearer realm="livedelta", error="insufficient_scope""#)
        #expect(answer["Collection-Version"] == nil)
        answers.insert(answer.text)
      }
      #expect(answers.count == 1)
    }
  }

  @Test func `clients are listed to those who may list their collections`() async throws {
    try await TestService.run(Keys.configure) { server in
      for client in ["u41", "u42", "u7"] {
        let path = "/v1/clients/\(client)/collections/inbox"
        let writer = Keys.field("writesAll")
        #expect(try await server.send("PUT", path, writer, "[]").status == 201)
      }
      for (key, clients) in [
        ("readsInbox", []), ("readsClient", ["u42"]), ("writesClient", ["u41", "u42"]),
        ("writesAll", ["u41", "u42", "u7"]), ("readsOther", ["u7"]), ("follows", []),
        ("operates", ["u41", "u42", "u7"]),
      ] {
        let answer = try await server.send("GET", "/v1/clients", Keys.field(key))
        #expect(answer.json["clients"].elements.map { $0["client"].string } == clients, "\(key)")
      }
      let page = try await server.send("GET", "/v1/clients?limit=1", Keys.field("writesClient"))
      #expect(page.text == #"{"clients":[{"client":"u41","collections":1}],"next":"u41"}"#)
      let end = "/v1/clients?limit=1&cursor=u41"
      let last = try await server.send("GET", end, Keys.field("writesClient"))
      #expect(last.text == #"{"clients":[{"client":"u42","collections":1}]}"#)
    }
  }

  @Test func `an expired and an unknown credential are told apart, and neither is repeated`()
    async throws
  {
    try await TestService.run(Keys.configure) { server in
      let expired = try await server.send("GET", inbox, Keys.field("expired"))
      #expect(expired.status == 401)
      #expect(expired.json["code"].string == "token-expired")
      let unknown = try await server.send("GET", inbox, Keys.field("s3cr3t"))
      #expect(unknown.status == 401)
      #expect(unknown.json["code"].string == "unauthenticated")
      #expect(!unknown.text.contains("s3cr3t"))
      for answer in [expired, unknown] {
        #expect(answer["WWW-Authenticate"] == #"Bearer realm="livedelta", error="invalid_token""#)
        #expect(answer["Cache-Control"] == "no-store")
      }
    }
  }

  @Test func `a batch is refused whole for one collection that may not be written`() async throws {
    try await TestService.run(Keys.configure) { server in
      let path = "/v1/clients/u42/batch"
      let writes = #"{"collection":"inbox","put":[]},{"collection":"b","put":[]}"#
      let body = #"{"atomic":false,"writes":[\#(writes)]}"#
      let refused = try await server.send("POST", path, Keys.field("writesInbox"), body)
      #expect(refused.status == 403)
      let reader = Keys.field("readsClient")
      #expect(try await server.send("GET", inbox, reader).status == 404)
      #expect(try await server.send("POST", path, Keys.field("writesClient"), body).status == 200)
      #expect(try await server.send("GET", inbox, reader).status == 200)
    }
  }

  @Test func `a sync is refused for one collection that may not be read, also as a stream`()
    async throws
  {
    try await TestService.run(Keys.configure) { server in
      let path = "/v1/clients/u42/sync"
      let field = Keys.field("readsInbox")
      let body = #"{"collections":{"inbox":null,"cart":null}}"#
      #expect(try await server.send("POST", path, field, body).status == 403)
      let events = field.merging(["Accept": "text/event-stream"]) { $1 }
      let stream = try await server.send("GET", path + "?collections=inbox,cart", events)
      #expect(stream.status == 403)
    }
  }

  @Test func `a percent-encoded name is decided as the name that it stands for`() async throws {
    try await TestService.run(Keys.configure) { server in
      let writer = Keys.field("writesInbox")
      let paths = [
        ("/v1/clients/u42/collections/inb%6Fx", 201),
        ("/v1/clients/%754%32/collections/inbox", 200),
        ("/v1/clients/u42/collections/inbox2", 403),
        ("/v1/clients/u42/collections/inbo%78%32", 403),
        ("/v1/clients/u7/collections/inbox", 403), ("/v1/clients/u42%2Fcollections%2Finbox", 400),
        ("/v1/clients/u42/collections/%2E%2E", 400), ("//v1/clients/u42/collections/inbox", 404),
        ("/v1/clients/u42/collections/inbox%2Fdelta", 400),
        ("/v1/clients/u42/./collections/inbox", 404),
      ]
      for (path, status) in paths {
        let answer = try await server.send("PUT", path, writer, "[]")
        #expect(answer.status == status, "\(path)")
      }
    }
  }

  @Test
  func `a preflight needs no credential, and a page of another origin writes nothing with one`()
    async throws
  {
    try await TestService.run({
      Keys.configure(&$0)
      $0.crossOrigins = ["https://app.example"]
    }) { server in
      let preflight = try await server.send(
        "OPTIONS", inbox,
        [
          "Origin": "https://app.example", "Access-Control-Request-Method": "PUT",
          "Access-Control-Request-Headers": "authorization",
        ])
      #expect(preflight.status == 204)
      #expect(preflight["Access-Control-Allow-Headers"]?.contains("Authorization") == true)
      #expect(preflight["Access-Control-Allow-Credentials"] == nil)
      let writer = Keys.field("writesAll").merging(["Origin": "https://evil.example"]) { $1 }
      let refused = try await server.send("PUT", inbox, writer, "[]")
      #expect(refused.json["code"].string == "origin-not-allowed")
      let page = ["Origin": "https://app.example"]
      let unknown = try await server.send("GET", inbox, page)
      #expect(unknown.status == 401)
      #expect(unknown["Access-Control-Allow-Origin"] == "https://app.example")
      #expect(unknown["Access-Control-Expose-Headers"]?.contains("WWW-Authenticate") == true)
    }
  }

  @Test func `an answer that was given to one is not given to another`() async throws {
    try await TestService.run(Keys.configure) { server in
      let writer = Keys.field("writesAll")
      let version = try #require(
        try await server.send("PUT", inbox, writer, #"[{"id":1}]"#)["Collection-Version"])
      for path in [inbox, inbox + "/delta", inbox + "/delta?since=\(version)"] {
        for _ in 1...3 {
          #expect(try await server.send("GET", path, writer).status == 200)
          #expect(try await server.send("GET", path).status == 401)
          #expect(try await server.send("GET", path, Keys.field("readsOther")).status == 403)
        }
      }
    }
  }

  @Test func `an answer is not given again when its key is gone, narrower or expired`()
    async throws
  {
    let file = NSTemporaryDirectory() + "keys-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let date = TestCalendar()
    let writer = Keys.line("writer", "write:**")
    func write(_ rest: String...) throws {
      let lines = [writer] + rest.map { Keys.line("reader", $0) }
      try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    }
    try write("read:u42")
    let authenticator = try Authenticator(.file(file), now: { date.now })
    try await TestService.run({ $0.authenticator = authenticator }) { server in
      func status() async throws -> Int {
        try await server.send("GET", inbox, Keys.field("reader")).status
      }
      _ = try await server.send("PUT", inbox, Keys.field("writer"), "[]")
      for (rest, refused) in [("read:u7", 403), ("", 401), ("read:u42 expires=1970-01-02", 401)] {
        try write("read:u42")
        authenticator.reload()
        for _ in 1...3 { #expect(try await status() == 200) }
        if rest.isEmpty { try write() } else { try write(rest) }
        authenticator.reload()
        if rest.contains("expires") {
          for _ in 1...3 { #expect(try await status() == 200) }
          date.now = 86_400
        }
        #expect(try await status() == refused)
      }
    }
  }

  @Test func `draining needs admin, health does not`() async throws {
    try await TestService.run(Keys.configure) { server in
      let operations = TestClient(server.operations)
      func status(_ method: String, _ path: String, _ key: String?) async throws -> Int {
        try await server.send(method, path, key.map(Keys.field) ?? [:], on: operations).status
      }
      let live = try await status("GET", "/livez", nil)
      #expect(live == 200)
      #expect(try await status("GET", "/readyz", nil) == 200)
      #expect(try await status("GET", "/nothing", nil) == 401)
      #expect(try await status("POST", "/drain", "writesAll") == 403)
      #expect(try await status("GET", "/readyz", nil) == 200)
      #expect(try await status("POST", "/drain", "operates") == 202)
      #expect(try await status("GET", "/readyz", nil) == 503)
    }
  }
}
