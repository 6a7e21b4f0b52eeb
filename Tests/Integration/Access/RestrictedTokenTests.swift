import Authentication
import DeltaHTTP
import HTTPTestSupport
import LiveDeltaClient
import LiveDeltaCurl
import Logging
import TestSupport
import Testing
import VersionedCollections

/// Which tokens are shown to whom, and what they are worth.
@Suite(.timeLimit(.minutes(10))) struct RestrictedTokenTests {
  private let inbox = TestServer.inbox
  private let writer = Keys.field("writer")
  private static let edits = ["Content-Type": "application/vnd.livedelta.edits+json"]

  private func run(
    _ reader: String = RestrictedReader.visible, log: RecordedLog = RecordedLog(),
    _ body: (TestServer, RestrictedReader, ChangingKeys) async throws -> Void
  ) async throws {
    let keys = try ChangingKeys(["writer": "write:** admin changes", "reader": reader])
    try await TestServer.runOnDisk(
      { $0.authenticator = keys.authenticator }, logger: log.logger
    ) { server in
      try await body(server, RestrictedReader(server: server, key: "reader"), keys)
    }
  }

  /// Puts a collection; its plain version.
  @discardableResult
  private func put(_ body: String, _ server: TestServer, to name: String = "inbox") async throws
    -> String
  {
    let path = "/v1/clients/u42/collections/\(name)"
    let answer = try await server.send("PUT", path, writer, body)
    #expect(200...201 ~= answer.status, "\(answer.text)")
    return try #require(answer["Collection-Version"])
  }

  private func edit(_ edits: String, _ server: TestServer) async throws -> String {
    let answer = try await server.send(
      "PATCH", inbox, writer.merging(Self.edits) { $1 }, #"{"edits":[\#(edits)]}"#)
    #expect(answer.status == 200, "\(answer.text)")
    return try #require(answer["Collection-Version"])
  }

  /// The plain token and its digest are told nowhere, whatever is asked and however it is refused.
  @Test func `no answer shows a restricted reader a plain token`() async throws {
    try await run { server, reader, _ in
      var plain = [try await put(RestrictedReader.items, server)]
      let held = try await reader.version()
      plain.append(try await edit(#"{"op":"merge","id":"h1","value":{"t":9}}"#, server))
      plain.append(
        try await edit(
          #"{"op":"append","section":"","items":[{"id":"v2","public":true}]}"#, server))
      let digests = plain.map { String($0.split(separator: ".")[2]) }
      let now = try await reader.version()
      let asks: [(method: String, rest: String, fields: [String: String], body: String?)] = [
        ("GET", "", [:], nil), ("HEAD", "", [:], nil), ("GET", "?where=/t:exists", [:], nil),
        ("GET", "?window=first:1&dialect=splice", [:], nil), ("GET", "?dialect=none", [:], nil),
        ("GET", "?where=x", [:], nil), ("GET", "?wher=/t:exists", [:], nil),
        ("GET", "", ["If-None-Match": "\"\(now)\""], nil), ("GET", "", ["Accept": "a/b"], nil),
        ("GET", "", ["Collection-Version": held], nil),
        ("GET", "/delta", [:], nil), ("GET", "/delta?since=", [:], nil),
        ("GET", "/delta?since=\(held)", [:], nil), ("GET", "/delta?since=\(now)&wait=1", [:], nil),
        ("GET", "/delta?since=zz", [:], nil), ("GET", "/delta?since=\(held).x", [:], nil),
        ("GET", "/delta?since=a.1.AAAAAAAAAAAAAAAA", [:], nil),
        ("GET", "/delta?since=a.1.AAAAAAAAAAAAAAAA", ["Prefer": "handling=strict"], nil),
        ("GET", "/delta?since=\(held)&dialect=ops", [:], nil),
        ("GET", "/delta?since=\(held)&dialect=json-patch", [:], nil),
        ("GET", "/delta?since=\(held)&dialect=snapshot", [:], nil),
        ("GET", "/delta?since=\(held)&items=patch", [:], nil),
        ("GET", "/delta?from=\(held)&to=\(now)", [:], nil), ("GET", "?version=\(held)", [:], nil),
        ("GET", "?version=a.1.AAAAAAAAAAAAAAAA", [:], nil),
        ("GET", "/delta?from=\(held)", [:], nil),
        ("GET", "/versions", [:], nil), ("GET", "/versions?limit=1", [:], nil),
        ("HEAD", "/versions", [:], nil), ("GET", "/settings", [:], nil),
        ("HEAD", "/settings", [:], nil), ("PUT", "/settings", [:], "{}"), ("PUT", "", [:], "[]"),
        ("PUT", "", ["If-Match": "\"\(held)\""], "[]"), ("PUT", "", ["If-None-Match": "*"], "[]"),
        ("PATCH", "", Self.edits, #"{"edits":[]}"#), ("DELETE", "", [:], nil),
        ("DELETE", "", ["If-Match": "\"\(held)\""], nil), ("POST", "", [:], "[]"),
        ("POST", "/revert", [:], #"{"to":"\#(held)"}"#), ("OPTIONS", "", [:], nil),
        ("GET", "/delta?closeafter=event", ["Accept": "text/event-stream"], nil),
        (
          "GET", "/delta?closeafter=event&since=\(held)", ["Accept": "text/event-stream"], nil
        ),
        (
          "GET", "/delta?closeafter=event&since=zz", ["Accept": "text/event-stream"], nil
        ),
      ]
      var answers: [ClientResponse] = []
      for (method, rest, fields, body) in asks {
        let all = reader.field.merging(fields) { $1 }
        answers.append(
          try await server.send(method, inbox + rest, all, body, on: server.reader()))
      }
      let client = "/v1/clients/u42"
      for (method, path, body) in [
        ("POST", "/sync", #"{"collections":{"inbox":null}}"#),
        ("POST", "/sync", #"{"collections":{"inbox":"\#(held)"}}"#),
        ("POST", "/sync", #"{"collections":{"inbox":"x"}}"#),
        ("POST", "/sync", #"{"collections":{"inbox":"\#(now)","none":null},"wait":1}"#),
        ("POST", "/batch", #"{"writes":[{"collection":"inbox","put":[]}]}"#),
        ("GET", "/collections", nil), ("DELETE", "", nil),
      ] as [(String, String, String?)] {
        answers.append(try await server.send(method, client + path, reader.field, body))
      }
      let events = [HeaderField("Accept", "text/event-stream")]
      for path in [
        "/sync?collections=inbox&closeafter=event",
        "/sync?collections=inbox:\(held)&closeafter=event",
      ] {
        answers.append(
          try await server.reader().request(
            "GET", client + path,
            fields: events + reader.field.map { HeaderField($0.key, $0.value) }))
      }
      var shown = 0
      for (index, answer) in answers.enumerated() {
        let text =
          answer.fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n") + answer.text
        for digest in digests {
          #expect(!text.contains(digest), "\(index): \(answer.status) \(text)")
        }
        if text.contains(now) { shown += 1 }
      }
      #expect(shown > 15)
      #expect(answers[0]["ETag"]?.contains(now) == true && answers[0]["Collection-Version"] == now)
    }
  }

  @Test func `a restricted reader cannot tell by its tokens that a content came back`() async throws
  {
    try await run { server, reader, _ in
      var versions: [String] = []
      for n in [1, 2, 1] {
        let items = #"[{"id":"h","public":false,"n":\#(n)},{"id":"v","public":true}]"#
        try await put(items, server)
        versions.append(try await reader.version())
      }
      let parts = versions.map { $0.split(separator: ".").map(String.init) }
      #expect(Set(parts.map { $0[2] }).count == 3 && Set(parts.map { $0[3] }).count == 1)
      let list = try await reader.get("/versions").json["versions"].elements
      #expect(list.compactMap(\.["version"].string) == versions.reversed())
    }
  }

  @Test func `a writer that sees everything may name a version by a marked token`() async throws {
    try await run { server, reader, _ in
      let first = try await put(RestrictedReader.items, server)
      let held = try await reader.version()
      let wrong = [
        String(held.dropLast()) + (held.last == "A" ? "B" : "A"),
        "\(first).\(held.split(separator: ".").last ?? "")",
        held.replacing(".1.", with: ".2."), "zzzzzzzz\(held.drop { $0 != "." })",
      ]
      func write(_ method: String, _ rest: String, _ match: String?, _ body: String?) async throws
        -> ClientResponse
      {
        let fields = match.map { ["If-Match": "\"\($0)\""] } ?? [:]
        return try await server.send(method, inbox + rest, writer.merging(fields) { $1 }, body)
      }
      for token in wrong {
        #expect(try await write("PUT", "", token, "[]").status == 412, "\(token)")
        #expect(try await write("DELETE", "", token, nil).status == 412, "\(token)")
        let revert = try await write("POST", "/revert", nil, #"{"to":"\#(token)"}"#)
        #expect(400..<500 ~= revert.status, "\(token): \(revert.text)")
        let batch =
          #"{"writes":[{"collection":"inbox","ifVersion":"\#(token)","put":{"items":[]}}]}"#
        let answer = try await server.send("POST", "/v1/clients/u42/batch", writer, batch)
        #expect(answer.text.contains("version-conflict"), "\(answer.status) \(answer.text)")
      }
      #expect(try await write("GET", "", nil, nil)["Collection-Version"] == first)
      #expect(try await write("PUT", "", held, "[]").status == 200)
      // It names the version of then, which is not the newest one now.
      #expect(try await write("PUT", "", held, "[]").status == 412)
      let back = try await write("POST", "/revert", nil, #"{"to":"\#(held)"}"#)
      #expect(back.status == 200, "\(back.text)")
      #expect(try await reader.get().json.shownIDs == ["v1"])
      let now = try await reader.version()
      let batch = #"{"writes":[{"collection":"inbox","ifVersion":"\#(now)","put":{"items":[]}}]}"#
      #expect(try await server.send("POST", "/v1/clients/u42/batch", writer, batch).status == 200)
      let last = try await reader.version()
      #expect(try await write("DELETE", "", last, nil).status == 204)
    }
  }

  // MARK: Others that are told versions

  @Test func `the feed tells plain tokens only of what its reader may read whole`() async throws {
    try await run { server, _, keys in
      keys["feed"] = "changes"
      keys["part"] = "changes \(RestrictedReader.visible)"
      keys["whole"] = "changes read:u42/**"
      var readers: [(String, EventReader)] = []
      for key in ["feed", "part", "whole", "writer"] {
        let events = try EventReader(server.address, "/v1/changes", Keys.field(key))
        #expect(await events.next()?.name == "bookmark")
        readers.append((key, events))
      }
      let plain = try await put(RestrictedReader.items, server)
      var changed: [String: String] = [:]
      for (key, events) in readers {
        let version = try #require(await events.next()?.json["version"].string)
        let isWhole = key == "whole" || key == "writer"
        #expect((version == plain) == isWhole, "\(key) \(version)")
        #expect(version.split(separator: ".").count == (isWhole ? 3 : 4))
        #expect(isWhole || !version.contains(plain.split(separator: ".")[2]))
        changed[key] = version
      }
      #expect(changed["feed"] == changed["part"])
      _ = try await server.send("DELETE", inbox, writer)
      for (key, events) in readers {
        let gone = try #require(await events.next())
        #expect(gone.name == "deleted" && gone.json["version"].string == changed[key], "\(key)")
      }
      let body = #"{"items":[{"id":1}],"settings":{"audience":"public"}}"#
      let open = try await put(body, server, to: "wall")
      for (key, events) in readers {
        #expect(try #require(await events.next()).json["version"].string == open, "\(key)")
      }
    }
  }

  @Test func `webhooks are the operator's: they tell plain tokens`() async throws {
    let receiver = WebhookReceiver()
    let keys = try ChangingKeys(["writer": "write:**", "reader": RestrictedReader.visible])
    try await TestServer.run({
      $0.webhook = receiver.configuration
      $0.time = TimeSource(receiver.clock)
      $0.authenticator = keys.authenticator
    }) { server in
      try await until { receiver.position != nil }
      receiver.forget()
      let plain = try await put(RestrictedReader.items, server)
      try await until {
        receiver.clock.advance(by: .seconds(1))
        return receiver.accepted.count >= 1
      }
      #expect(receiver.accepted.first?.versions == [plain])
    }
  }
}
