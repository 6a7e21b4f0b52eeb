import DeltaHTTP
import TestSupport
import Testing
import VersionedCollections

@Suite struct HistoryTests {
  private let inbox = TestService.inbox

  @Test func `the versions that are kept`() async throws {
    try await TestService.run { configuration in
      configuration.serviceLimits.retention.versionsMax = 2
    } _: { server in
      var versions: [String] = []
      for number in 1...3 { versions.append(try await server.put("[{\"id\":\(number)}]")) }
      let list = try await server.send("GET", inbox + "/versions")
      #expect(list.status == 200)
      #expect(
        (0..<3).map { list.json["versions"][$0]["version"].string } == [
          versions[2], versions[1], nil,
        ])
      #expect(list.json["versions"][0]["seq"].int == 3)
      #expect(list.json["versions"][0]["at"].string?.hasSuffix("Z") == true)
      let newest = try await server.send("GET", inbox + "/versions?limit=1")
      #expect(newest.json["versions"][0]["version"].string == versions[2])
      #expect(newest.json["versions"][1]["version"].string == nil)
      #expect(try await server.send("GET", inbox + "/versions?limit=0").status == 400)
      for (version, status, code) in [
        (versions[0], 410, "history-compacted"),
        ("zzzzzzzz.1.AAAAAAAAAAAAAAAA", 404, "unknown-version"),
        ("x", 400, "bad-token"),
      ] {
        let answer = try await server.send("GET", inbox + "?version=\(version)")
        #expect(answer.status == status)
        #expect(answer.json["code"].string == code)
      }
      #expect(try await server.send("GET", inbox + "2/versions").status == 404)
    }
  }

  @Test func `the delta between two versions, in either direction`() async throws {
    try await TestService.run { server in
      var versions: [String] = []
      for body in [#"[{"id":1},{"id":2}]"#, #"[{"id":2},{"id":1}]"#, #"[{"id":2},{"id":3}]"#] {
        versions.append(try await server.put(body))
      }
      func between(_ from: String, _ to: String) async throws -> TestResponse {
        try await server.send("GET", inbox + "/delta?from=\(from)&to=\(to)")
      }
      let forth = try await between(versions[0], versions[1])
      #expect(forth.status == 200)
      #expect(forth["Cache-Control"] == "private, max-age=31536000, immutable")
      #expect(forth.json["from"].string == versions[0])
      #expect(forth.json["to"].string == versions[1])
      #expect(forth.json["seq"].int == 2)
      #expect("\(forth.json["steps"])" == #"[{"move":{"items":[[0,1,0,0]]},"counts":[2]}]"#)
      let back = try await between(versions[1], versions[0])
      #expect("\(back.json["steps"])" == #"[{"move":{"items":[[0,1,0,0]]},"counts":[2]}]"#)
      let none = try await between(versions[1], versions[1])
      #expect("\(none.json["steps"])" == "[]")
      let whole = try await between(versions[0], versions[2])
      #expect("\(whole.json["deleted"])" == #"["1"]"#)
      // Item 1 is gone from the head, and where nothing is on disk its content with it.
      let gone = try await between(versions[2], versions[1])
      #expect(gone.status == 410)
      #expect(gone.json["code"].string == "history-compacted")
      for (from, to, status) in [
        (versions[0], "zzzzzzzz.1.AAAAAAAAAAAAAAAA", 404), ("x", versions[0], 400),
        (versions[0], "", 400),
      ] {
        #expect(try await between(from, to).status == status)
      }
      #expect(try await server.send("GET", inbox + "/delta?from=\(versions[0])").status == 400)
    }
  }
}
