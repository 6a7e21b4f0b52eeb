import HTTPTestSupport
import LiveDeltaClient
import TestSupport
import Testing

/// Versions that are kept, with their contents.
@Suite(.timeLimit(.minutes(10))) struct WholeHistoryTests {
  private let inbox = TestServer.inbox

  @Test func `a kept version is given whole, as it was`() async throws {
    try await TestServer.runOnDisk { server in
      let bodies = [
        #"{"sections":[{"id":"a","t":1,"items":[{"id":1,"n":1},{"id":2}]}],"meta":{"p":1}}"#,
        #"{"sections":[{"id":"b","items":[{"id":2,"n":2}]},{"id":"a","t":2,"items":[]}]}"#, "[]",
      ]
      var known: [(version: String, answer: ClientResponse)] = []
      for body in bodies {
        let version = try await server.put(body)
        known.append((version, try await server.send("GET", inbox)))
      }
      for (version, head) in known {
        let path = inbox + "?version=\(version)"
        let answer = try await server.send("GET", path)
        #expect(answer.status == 200)
        #expect(answer.text == head.text)
        #expect(answer["ETag"] == head["ETag"])
        #expect(answer["Collection-Version"] == version)
        #expect(answer["Content-Type"] == head["Content-Type"])
        #expect(answer["Cache-Control"] == "private, max-age=31536000, immutable")
        #expect(answer["Vary"] == head["Vary"])
        let tag = try #require(head["ETag"])
        let seen = try await server.send("GET", path, ["If-None-Match": tag])
        #expect(seen.status == 304 && seen.body.isEmpty && seen["ETag"] == tag)
        let other = try await server.send("GET", path, ["If-None-Match": "\"x.1.y\""])
        #expect(other.status == 200)
        let typed = try await server.send("GET", path + "&dialect=snapshot")
        #expect(typed["Content-Type"] == "application/vnd.livedelta.snapshot+json")
        #expect(typed.text == head.text && typed["ETag"] != tag)
        #expect(try await server.send("HEAD", path)["ETag"] == tag)
        #expect(try await server.send("GET", path, ["Accept": "text/html"]).status == 406)
      }
      let address = CollectionAddress(client: "u42", name: "inbox")
      let typed = try await server.client.snapshot(of: address, version: known[0].version)
      #expect(typed.value.version == known[0].version)
    }
  }

  @Test(arguments: 1...3)
  func `any version leads to any other in each dialect, after reverts too`(seed: Int) async throws {
    var random = RandomCollections(seed: UInt64(seed))
    var generator = SeededGenerator(seed: UInt64(seed))
    try await TestServer.runOnDisk { server in
      var versions: [(token: String, document: JSONTree)] = []
      while versions.count < 24 {
        let head = try await change(server, &random, versions.map(\.token), &generator)
        let document = try JSONTree(parsing: await server.send("GET", inbox).body)
        if head != versions.last?.token { versions.append((head, document)) }
      }
      for from in versions {
        for to in versions where to.token != from.token {
          guard let dialect = CheckedDialect.all.randomElement(using: &generator) else { continue }
          let path = inbox + "/delta?from=\(from.token)&to=\(to.token)&dialect=\(dialect.name)"
          let answer = try await server.send("GET", path)
          #expect(answer.status == 200, "\(path): \(answer.text)")
          #expect(answer["Collection-Version"] == to.token)
          try dialect.check(JSONTree(parsing: answer.body), from: from.document, to: to.document)
        }
        let whole = try await server.send("GET", inbox + "?version=\(from.token)")
        #expect(try JSONTree(parsing: whole.body) == from.document, "seed \(seed)")
      }
    }
  }

  private func change(
    _ server: TestServer, _ random: inout RandomCollections, _ versions: [String],
    _ generator: inout SeededGenerator
  ) async throws -> String {
    if let version = versions.randomElement(using: &generator),
      Int.random(in: 0..<4, using: &generator) == 0
    {
      let before = try JSONTree(
        parsing: await server.send("GET", inbox + "?version=\(version)").body)
      let answer = try await revert(server, version)
      #expect(answer.status == 200, "\(answer.text)")
      let after = try JSONTree(parsing: await server.send("GET", inbox).body)
      #expect(after["sections"] == before["sections"] && after["meta"] == before["meta"])
      return try #require(answer["Collection-Version"])
    }
    random.advance()
    return try await server.put(random.body)
  }

  private func revert(
    _ server: TestServer, _ version: String, _ fields: [String: String] = [:]
  ) async throws -> ClientResponse {
    try await server.send("POST", inbox + "/revert", fields, #"{"to":"\#(version)"}"#)
  }

  @Test func `a revert makes a version's content the newest`() async throws {
    try await TestServer.runOnDisk { server in
      let first = try await server.put(#"[{"id":1,"n":1},{"id":2}]"#)
      let second = try await server.put(#"[{"id":2},{"id":3}]"#)
      let stale = try await revert(server, first, ["If-Match": "\"\(first)\""])
      #expect(stale.status == 412 && stale.json["current"].string == second)
      let fields = ["If-Match": "\"\(second)\"", "Idempotency-Key": "k"]
      let done = try await revert(server, first, fields)
      #expect(done.status == 200, "\(done.text)")
      let third = try #require(done["Collection-Version"])
      #expect(done.json["previous"].string == second && done.json["seq"].int == 3)
      #expect(done.json["counts"]["inserted"].int == 1 && done.json["counts"]["deleted"].int == 1)
      let again = try await revert(server, first, fields)
      #expect(again.text == done.text && again["Idempotency-Replayed"] == "true")
      #expect(try await revert(server, second, ["Idempotency-Key": "k"]).status == 422)
      let head = try await server.send("GET", inbox)
      #expect(head.text.contains(#""items":[{"id":1,"n":1},{"id":2}]"#))
      let delta = try await server.send("GET", inbox + "/delta?since=\(second)")
      #expect(delta.json["kind"].string == "delta" && delta.json["to"].string == third)
      #expect("\(delta.json["items"])" == #"{"1":{"id":1,"n":1}}"#)
      let unchanged = try await revert(server, third)
      #expect(unchanged.status == 200 && unchanged.json["changed"].bool == false)
      // The same content, too.
      #expect(try await revert(server, first).json["changed"].bool == false)
      let minimal = try await revert(server, second, ["Prefer": "return=minimal"])
      #expect(minimal.status == 204 && minimal["Preference-Applied"] == "return=minimal")
      let whole = try await revert(server, first, ["Prefer": "return=representation"])
      #expect(whole.json["kind"].string == "snapshot" && whole.json["seq"].int == 5)
      let change = try await revert(server, second, ["Prefer": "return=delta"])
      #expect(change.json["kind"].string == "delta" && change.json["seq"].int == 6)
      let address = CollectionAddress(client: "u42", name: "inbox")
      let receipt = try await server.client.revert(address, to: first)
      #expect(receipt.value.changed)
    }
  }

  @Test func `what is no revert is refused, and changes nothing`() async throws {
    try await TestServer.runOnDisk { server in
      let version = try await server.put("[]")
      for (body, status, code, pointer) in [
        (#"{"to":"\#(version)","form":1}"#, 422, "bad-snapshot", "/form"),
        ("{}", 422, "bad-snapshot", nil), ("[]", 422, "bad-snapshot", nil),
        ("{", 400, "bad-json", nil), (#"{"to":"x"}"#, 400, "bad-token", "/to"),
        (#"{"to":7}"#, 400, "bad-token", "/to"),
        (#"{"to":"zzzzzzzz.1.AAAAAAAAAAAAAAAA"}"#, 404, "unknown-version", nil),
      ] as [(String, Int, String, String?)] {
        let answer = try await server.send("POST", inbox + "/revert", [:], body)
        #expect(answer.status == status && answer.json["code"].string == code, "\(answer.text)")
        #expect(answer["Collection-Version"] ?? version == version)
        if let pointer { #expect(answer.json["errors"][0]["pointer"].string == pointer) }
      }
      #expect(try await server.send("GET", inbox + "/revert").status == 405)
      let missing = try await server.send(
        "POST", inbox + "2/revert", [:], #"{"to":"\#(version)"}"#)
      #expect(missing.status == 404)
      #expect(try await server.send("GET", inbox)["Collection-Version"] == version)
    }
  }

  @Test func `a revert is arranged by the settings of now, and keeps the writer's layout`()
    async throws
  {
    try await TestServer.runOnDisk { server in
      let first = try await server.put(
        #"{"settings":{"idPath":"/key","itemsPath":"/rows","sectionsPath":"/data"},"#
          + #""data":[{"key":"s","rows":[{"key":2,"n":1},{"key":1}]}]}"#)
      _ = try await server.put(#"{"data":[{"key":"s","rows":[]}]}"#)
      #expect(try await revert(server, first).status == 200)
      let back = try await server.send("GET", inbox)
      #expect(back.text.contains(#"[{"key":2,"n":1},{"key":1}]"#), "\(back.text)")
      _ = try await server.put(#"{"data":[]}"#)
      _ = try await server.send(
        "PATCH", inbox + "/settings", [:], #"{"sortBy":[{"path":"/key","type":"number"}]}"#)
      #expect(try await revert(server, first).status == 200)
      let sorted = try await server.send("GET", inbox)
      #expect(sorted.text.contains(#"[{"key":1},{"key":2,"n":1}]"#), "\(sorted.text)")
    }
  }
}
