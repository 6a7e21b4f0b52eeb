import LiveDeltaClient
import TestSupport
import Testing

/// What settings put into answers can change without a new version.
@Suite(.timeLimit(.minutes(10))) struct SettingsInAnswersTests {
  private let inbox = TestServer.inbox
  private static let queries = [
    "", "?dialect=staged", "?dialect=ops", "?dialect=ops&headers=1", "?dialect=splice",
    "?dialect=diffable", "?dialect=json-patch", "?dialect=snapshot",
    "?items=patch",
  ]

  private func animate(_ server: TestServer, _ animations: String) async throws {
    let answer = try await server.send(
      "PATCH", inbox + "/settings", [:], #"{"animations":\#(animations)}"#)
    #expect(answer.status == 200, "\(answer.text)")
  }

  @Test(arguments: ["identity", "gzip"])
  func `other settings in a snapshot are another state, whatever the dialect`(
    coding: String
  ) async throws {
    try await TestServer.run { server in
      // Large enough to be coded.
      let text = String(repeating: "text ", count: 400)
      let version = try await server.put(#"[{"id":1,"t":"\#(text)"}]"#)
      func get(_ query: String, _ tag: String? = nil) async throws -> ClientResponse {
        var fields = ["Accept-Encoding": coding]
        if let tag { fields["If-None-Match"] = tag }
        return try await server.send("GET", inbox + query, fields)
      }
      for query in Self.queries {
        var tags: [String] = []
        for animations in [#"{"rows":{"insert":"fade"}}"#, #"{"rows":{"insert":"top"}}"#, "null"] {
          try await animate(server, animations)
          for tag in tags + ["\"\(version);with=0\""] {
            #expect(try await get(query, tag).status == 200, "\(query) \(animations) \(tag)")
          }
          // Also what event loops remember.
          for _ in 1...3 {
            let answer = try await get(query)
            #expect(answer.text.contains(animations) == (animations != "null"))
            let tag = try #require(answer["ETag"])
            #expect(!tags.contains(tag))
            let seen = try await get(query, "\"x\", W/" + tag)
            #expect(seen.status == 304 && seen["ETag"] == tag && seen.body.isEmpty)
          }
          tags.append(try #require(try await get(query)["ETag"]))
          if animations == "null" {
            #expect(try await get(query, "\"\(version)\"").status == 304)
          } else {
            #expect(try await get(query, "\"\(version)\"").status == 200)
          }
        }
      }
    }
  }

  @Test func `a tag with settings in it names its version to a writer`() async throws {
    try await TestServer.run { server in
      _ = try await server.put("[]")
      try await animate(server, #"{"rows":{}}"#)
      let tag = try #require(try await server.send("GET", inbox)["ETag"])
      try await animate(server, #"{"rows":{"insert":"fade"}}"#)
      #expect(try await server.send("PUT", inbox, ["If-Match": tag], "[1]").status == 422)
      #expect(
        try await server.send("PUT", inbox, ["If-Match": tag], #"[{"id":1}]"#).status == 200)
      #expect(try await server.send("PUT", inbox, ["If-Match": tag], "[]").status == 412)
    }
  }

  @Test func `an answer that names all its versions has no settings, and never changes`()
    async throws
  {
    try await TestServer.runOnDisk { server in
      let first = try await server.put(#"[{"id":1},{"id":2}]"#)
      let second = try await server.put(#"[{"id":2,"n":1},{"id":3}]"#)
      func read() async throws -> [String] {
        var answers: [String] = []
        for query in Self.queries {
          let rest = query.dropFirst()
          for path in [
            "?version=\(first)&\(rest)", "?version=\(second)&\(rest)",
            "/delta?from=\(first)&to=\(second)&\(rest)",
            "/delta?from=\(second)&to=\(first)&\(rest)",
          ] {
            let answer = try await server.send("GET", inbox + path)
            #expect(answer.status == 200, "\(path) \(answer.text)")
            #expect(answer["Cache-Control"] == "private, max-age=31536000, immutable")
            answers.append((answer["ETag"] ?? "") + answer.text)
          }
        }
        return answers
      }
      let before = try await read()
      for settings in [
        #"{"animations":{"rows":{"insert":"fade"}}}"#, #"{"deltaCountAnimationThreshold":0}"#,
        #"{"dataCountAnimationThreshold":0}"#, #"{"equality":{"ignore":["/n"]}}"#,
        #"{"emptySections":"drop"}"#, #"{"retention":{"versions":9}}"#,
      ] {
        let answer = try await server.send("PATCH", inbox + "/settings", [:], settings)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await read() == before, "\(settings)")
      }
    }
  }

  @Test func `a delta has the settings of now, and may not be kept without asking`() async throws {
    try await TestServer.run { server in
      // The snapshot is longer than the delta, which is sent over a threshold too.
      let kept = #"{"id":2,"t":"\#(String(repeating: "text ", count: 400))"}"#
      let first = try await server.put(#"[{"id":1},\#(kept)]"#)
      _ = try await server.put(#"[\#(kept),{"id":3}]"#)
      let client = try RawConnection(server.address)
      func delta() async throws -> RawResponse {
        // From the third time on it is given again.
        for _ in 1...2 {
          await client.send("GET", inbox + "/delta?since=\(first)")
          _ = try await client.response()
        }
        await client.send("GET", inbox + "/delta?since=\(first)")
        return try await client.response()
      }
      #expect(try await delta()["Cache-Control"] == "private, no-cache")
      for (settings, isStill, animation) in [
        (#"{"deltaCountAnimationThreshold":0}"#, true, nil),
        (#"{"deltaCountAnimationThreshold":null}"#, false, nil),
        (#"{"dataCountAnimationThreshold":1}"#, true, nil),
        (
          #"{"dataCountAnimationThreshold":2,"animations":{"a":1}}"#, false,
          #""animations":{"a":1}"#
        ),
        (#"{"animations":{"b":2}}"#, false, #""animations":{"a":1,"b":2}"#),
      ] as [(String, Bool, String?)] {
        let answer = try await server.send("PATCH", inbox + "/settings", [:], settings)
        #expect(answer.status == 200, "\(answer.text)")
        let text = try await delta().text
        #expect(text.contains(#""animate":false"#) == isStill, "\(settings): \(text)")
        #expect(text.contains(animation ?? #""kind":"delta""#), "\(settings): \(text)")
        #expect(text.contains("animations") == (animation != nil))
      }
    }
  }
}
