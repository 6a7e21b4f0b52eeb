import CollectionService
import DeltaHTTP
import HTTP1
import SocketServer
import TestSupport
import Testing
import VersionedCollections

@Suite struct DeltaTests {
  private let inbox = TestService.inbox

  @Test func `over a threshold a delta says so, unless it is longer than the snapshot`()
    async throws
  {
    try await TestService.run { server in
      let text = String(repeating: "x", count: 200)
      let items = { (id: String, n: Int) in
        (0..<5).map { "{\"id\":\"\(id)\($0)\",\"n\":\($0 == 2 ? n : 0),\"t\":\"\(text)\"}" }.joined(
          separator: ",")
      }
      let settings = #""settings":{"dataCountAnimationThreshold":4}"#
      let first = try await server.put("{\(settings),\"items\":[\(items("a", 0))]}")
      let second = try await server.put("[\(items("a", 1))]")
      for dialect in ["staged", "ops", "splice", "diffable"] {
        let path = inbox + "/delta?since=\(first)&dialect=\(dialect)"
        let delta = try await server.send("GET", path)
        #expect(delta.json["kind"].string == "delta", "\(dialect)")
        #expect(delta.json["animate"].bool == false, "\(dialect)")
        #expect("\(delta.json["items"])" == #"{"a2":{"id":"a2","n":1,"t":"\#(text)"}}"#)
      }
      let third = try await server.put("[\(items("b", 1))]")
      let all = try await server.send("GET", inbox + "/delta?since=\(second)")
      #expect(all.json["kind"].string == "snapshot")
      #expect(all.json["version"].string == third)
      #expect(all.json["reset"]["reason"].string == "delta-too-large")
      _ = try await server.send("PUT", inbox + "/settings", [:], "{}")
      let under = try await server.send("GET", inbox + "/delta?since=\(second)")
      #expect(under.json["kind"].string == "delta")
      #expect(under.json["animate"].bool == nil)
    }
  }

  @Test func `the example of the protocol, to the letter`() async throws {
    try await TestService.run { server in
      let from = try await server.put(
        #"{"sections":[{"id":"today","title":"Today","items":[{"id":"m1"},{"id":"m2"},{"id":"m3","title":"Trip","unread":true}]},{"id":"earlier","title":"Earlier","items":[{"id":"m4"},{"id":"m5"}]}]}"#
      )
      let to = try await server.put(
        #"{"sections":[{"id":"pinned","title":"Pinned","items":[{"id":"m4"},{"id":"m9"}]},{"id":"today","title":"Today","items":[{"id":"m6"},{"id":"m1"},{"id":"m3","title":"Trip","unread":false}]},{"id":"earlier","title":"Earlier","items":[{"id":"m5"}]}]}"#
      )
      let answer = try await server.send("GET", inbox + "/delta?since=\(from)")
      #expect(answer["Content-Type"] == "application/json")
      #expect(answer["Cache-Control"] == "private, no-cache")
      #expect(answer["Collection-Version"] == to)
      #expect(
        answer.text
          == #"{"kind":"delta","collection":"inbox","from":"\#(from)","to":"\#(to)","seq":2,"steps":["#
          + #"{"insert":{"sections":[{"at":0,"id":"pinned","items":["m9"]}]},"counts":[1,3,2]},"#
          + #"{"delete":{"items":[[1,1]]},"insert":{"items":[[1,0,"m6"]]},"move":{"items":[[2,0,0,0]]},"counts":[2,3,1]},"#
          + #"{"reload":{"items":[[1,2,"m3"]]},"counts":[2,3,1]}],"#
          + #""items":{"m9":{"id":"m9"},"m6":{"id":"m6"},"m3":{"id":"m3","title":"Trip","unread":false}},"#
          + #""sections":{"pinned":{"id":"pinned","title":"Pinned"}},"deleted":["m2"]}"#)
    }
  }

  @Test func `empty members of a step are left out, and ids are strings`() async throws {
    try await TestService.run { server in
      let from = try await server.put(#"[{"id":1},{"id":2},{"id":3}]"#)
      let to = try await server.put(#"[{"id":3},{"id":1},{"id":2,"a\"b":1}]"#)
      let answer = try await server.send("GET", inbox + "/delta?since=\(from)")
      #expect(
        answer.text
          == #"{"kind":"delta","collection":"inbox","from":"\#(from)","to":"\#(to)","seq":2,"steps":["#
          + #"{"move":{"items":[[0,2,0,0]]},"counts":[3]},{"reload":{"items":[[0,2,"2"]]},"counts":[3]}],"#
          + #""items":{"2":{"id":2,"a\"b":1}},"sections":{},"deleted":[]}"#)
    }
  }

  @Test func `a change of meta alone is a delta without steps`() async throws {
    try await TestService.run { server in
      let none = try await server.put(#"{"items":[]}"#)
      let some = try await server.put(#"{"items":[],"meta":{"page":1}}"#)
      let came = try await server.send("GET", inbox + "/delta?since=\(none)")
      #expect("\(came.json["steps"])" == "[]")
      #expect("\(came.json["meta"])" == #"{"page":1}"#)
      _ = try await server.put(#"{"items":[]}"#)
      let went = try await server.send("GET", inbox + "/delta?since=\(some)")
      #expect("\(went.json["meta"])" == "null")
    }
  }

  @Test func `each state of the reader's version has its answer`() async throws {
    try await TestService.run { configuration in
      configuration.serviceLimits.retention.versionsMax = 2
    } _: { server in
      func read(_ since: String, _ fields: [String: String] = [:]) async throws -> TestResponse {
        try await server.send("GET", inbox + "/delta?since=\(since)", fields)
      }
      var versions: [String] = []
      for number in 1...3 { versions.append(try await server.put("[{\"id\":\(number)}]")) }
      let head = versions[2]
      for path in [inbox + "/delta", inbox + "/delta?since="] {
        let initial = try await server.send("GET", path)
        #expect(initial.json["kind"].string == "snapshot")
        #expect(!initial.json["reset"].exists)
        #expect(initial["Cache-Control"] == "private, no-cache")
      }
      let unchanged = try await read(head)
      #expect(
        unchanged.text
          == #"{"kind":"unchanged","collection":"inbox","version":"\#(head)","seq":3}"#)
      #expect(unchanged["Cache-Control"] == "no-store")
      #expect(try await read(versions[1]).json["kind"].string == "delta")
      let parts = head.split(separator: ".").map(String.init)
      let resets = [
        ("history-compacted", versions[0]), ("diverged", "\(parts[0]).3.AAAAAAAAAAAAAAAA"),
        ("diverged", "\(parts[0]).2.\(parts[2])"), ("diverged", "\(parts[0]).4.\(parts[2])"),
        ("lineage-changed", "zzzzzzzz.3.\(parts[2])"),
      ]
      for (reason, since) in resets {
        let reset = try await read(since)
        #expect(reset.status == 200)
        #expect(reset.json["kind"].string == "snapshot")
        #expect(reset.json["version"].string == head)
        #expect(reset.json["reset"]["reason"].string == reason, "\(since)")
        #expect(reset.json["reset"]["since"].string == since)
        #expect(reset.json["reset"]["oldest"].string == versions[1])
        #expect(reset["Cache-Control"] == "no-store")
        let strict = try await read(since, ["Prefer": "handling=strict"])
        #expect(strict.status == 410)
        #expect(strict.json["code"].string == reason)
        #expect(strict["Collection-Version"] == head)
      }
      for text in ["x", "a.b", "a.b.c", "a.0.c", "a.01.c", "a.1.c.d", "a.1.%20", "%zz"] {
        let bad = try await read(text)
        #expect(bad.status == 400, "\(text)")
      }
    }
  }

  @Test func `a reader that waits gets the delta when it is there`() async throws {
    try await TestService.run { server in
      let from = try await server.put(#"[{"id":1}]"#)
      let reader = server.reader()
      async let waiting = reader.request("GET", inbox + "/delta?since=\(from)&wait=500")
      try await server.untilParked()
      let to = try await server.put(#"[{"id":1},{"id":2}]"#)
      let answer = try await waiting
      #expect(answer.status == 200)
      #expect(answer.json["kind"].string == "delta")
      #expect(answer.json["to"].string == to)
      #expect(answer["Collection-Wait"] == "55")
      #expect(answer["Cache-Control"] == "no-store")
    }
  }

  @Test func `a reader that waits is told of a deletion`() async throws {
    try await TestService.run { server in
      let from = try await server.put(#"[{"id":1}]"#)
      let reader = server.reader()
      async let waiting = reader.request("GET", inbox + "/delta?since=\(from)&wait=25")
      try await server.untilParked()
      #expect(try await server.send("DELETE", inbox).status == 204)
      #expect(try await waiting.json["kind"].string == "deleted")
    }
  }

  @Test func `missing=wait waits for the collection`() async throws {
    try await TestService.run { server in
      let reader = server.reader()
      async let waiting = reader.request("GET", inbox + "/delta?missing=wait&wait=25")
      try await server.untilParked()
      let version = try await server.put("[]")
      #expect(try await waiting.json["version"].string == version)
    }
  }

  @Test func `the dialect snapshot tells news as snapshots`() async throws {
    try await TestService.run { server in
      let from = try await server.put(#"[{"id":1}]"#)
      let to = try await server.put(#"[{"id":2}]"#)
      let answer = try await server.send("GET", inbox + "/delta?since=\(from)&dialect=snapshot")
      #expect(answer.json["kind"].string == "snapshot")
      #expect(answer["Content-Type"] == "application/vnd.livedelta.snapshot+json")
      #expect(!answer.json["reset"].exists)
      let none = try await server.send("GET", inbox + "/delta?since=\(to)&dialect=snapshot")
      #expect(none.json["kind"].string == "unchanged")
      let unknown = try await server.send("GET", inbox + "/delta?dialect=morse")
      #expect(unknown.status == 406)
      #expect(unknown.json["code"].string == "not-acceptable")
    }
  }

  @Test func `two snapshots that come together are compared`() async throws {
    try await TestService.run { server in
      let answer = try await server.send(
        "POST", "/v1/diff", [:],
        #"{"old":[{"id":1},{"id":2}],"new":{"items":[{"id":2},{"id":"x"}]}}"#)
      #expect(answer.status == 200)
      #expect(
        answer.text
          == #"{"kind":"delta","steps":[{"delete":{"items":[[0,0]]},"insert":{"items":[[0,1,"x"]]},"counts":[2]}],"items":{"x":{"id":"x"}},"sections":{},"deleted":["1"]}"#
      )
      for (body, status, pointer) in [
        (#"{"old":[]}"#, 422, ""), (#"{"old":[],"new":[],"old":[]}"#, 422, "/old"),
        (#"{"old":[],"new":[],"nwe":[]}"#, 422, "/nwe"), (#"{"odl":[],"new":[]}"#, 422, "/odl"),
        (#"{"old":[],"new":{}}"#, 422, "/new"), ("{", 400, "-"),
        (#"{"old":[],"new":[{"id":1},{"id":1}]}"#, 422, "/new/0/id"),
      ] {
        let bad = try await server.send("POST", "/v1/diff", [:], body)
        #expect(bad.status == status, "\(body)")
        #expect((bad.json["errors"][0]["pointer"].string ?? "-") == pointer, "\(bad.text)")
      }
    }
  }
}
