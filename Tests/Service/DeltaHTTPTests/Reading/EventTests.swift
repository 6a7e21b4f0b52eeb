import CollectionService
import DeltaHTTP
import SocketServer
import TestSupport
import Testing
import VersionedCollections

@Suite struct EventTests {
  private let inbox = TestService.inbox

  @Test func `events begin at once, and go on with each version`() async throws {
    try await TestService.run { server in
      let first = try await server.put(#"[{"id":1}]"#)
      let reader = try EventReader(server.listener, inbox + "/delta")
      let head = try await reader.head()
      #expect(head.contains(" 200 "))
      #expect(head.contains("Content-Type: text/event-stream\r\n"))
      #expect(head.contains("Cache-Control: no-store, no-transform\r\n"))
      #expect(head.contains("X-Accel-Buffering: no"))
      let retry = try #require(await reader.block(endingWith: "\n\n"))
      #expect(retry.hasPrefix("retry: "))
      #expect(1000...4000 ~= (Int(retry.dropFirst(7)) ?? 0))
      let snapshot = try #require(await reader.next())
      #expect(snapshot.name == "snapshot")
      #expect(snapshot.id == first)
      #expect(snapshot.json["kind"].string == "snapshot")
      #expect("\(snapshot.json["sections"])" == #"[{"id":"","items":[{"id":1}]}]"#)
      let second = try await server.put(#"[{"id":1},{"id":2}]"#)
      let delta = try #require(await reader.next())
      #expect(delta.name == "delta")
      #expect(delta.id == second)
      #expect(delta.json["from"].string == first)
      #expect(delta.json["to"].string == second)
      #expect("\(delta.json["items"])" == #"{"2":{"id":2}}"#)
    }
  }

  @Test func `the first event is a bookmark for the head, and Last-Event-ID wins`() async throws {
    try await TestService.run { server in
      let first = try await server.put(#"[{"id":1}]"#)
      let second = try await server.put("[]")
      let path = inbox + "/delta?since=\(first)&closeafter=event"
      let delta = try await server.send("GET", path, ["Accept": "text/event-stream"])
      #expect(delta.text.contains("event: delta\nid: \(second)\n"))
      let bookmark = try await server.send(
        "GET", path, ["Accept": "text/event-stream", "Last-Event-ID": second])
      #expect(
        bookmark.text.contains("event: bookmark\nid: \(second)\ndata: {\"kind\":\"unchanged\""))
      #expect(bookmark["Collection-Version"] == second)
      let foreign = try await server.send(
        "GET", path,
        ["Accept": "text/event-stream", "Last-Event-ID": "zzzzzzzz.1.AAAAAAAAAAAAAAAA"])
      #expect(foreign.text.contains(#""reset":{"reason":"lineage-changed""#))
    }
  }

  @Test func `a missing collection is a problem in the stream, which goes on when it is made`()
    async throws
  {
    try await TestService.run { server in
      let reader = try EventReader(server.listener, inbox + "/delta")
      let head = try await reader.head()
      #expect(head.contains(" 200 "))
      #expect(await reader.block(endingWith: "\n\n")?.hasPrefix("retry: ") == true)
      #expect(await reader.block(endingWith: "\n\n") == "retry: 15000")
      let problem = try #require(await reader.next())
      #expect(problem.name == "problem")
      #expect(problem.id == nil)
      #expect(problem.json["code"].string == "collection-not-found")
      let first = try await server.put("[]")
      #expect(await reader.next()?.id == first)
    }
  }

  @Test func `a stream is for who would rather have it`() async throws {
    try await TestService.run { server in
      _ = try await server.put("[]")
      let path = inbox + "/delta?closeafter=event"
      for (accept, type) in [
        ("text/event-stream;q=0.1, application/json", "application/json"),
        ("text/event-stream;q=0, */*", "application/json"),
        ("text/event-stream, application/json", "text/event-stream"),
        ("application/json;q=0.5, text/event-stream;q=0.6", "text/event-stream"),
        ("text/event-stream", "text/event-stream"), ("*/*", "application/json"),
      ] {
        let answer = try await server.send("GET", path, ["Accept": accept])
        #expect(answer["Content-Type"] == type, "\(accept)")
      }
    }
  }

  @Test func `a deletion is told, and the stream waits for the next life`() async throws {
    try await TestService.run { server in
      let first = try await server.put("[]")
      let reader = try EventReader(server.listener, inbox + "/delta?since=\(first)")
      #expect(await reader.next()?.name == "bookmark")
      #expect(try await server.send("DELETE", inbox).status == 204)
      let deleted = try #require(await reader.next())
      #expect(deleted.name == "deleted")
      #expect(deleted.id == "")
      let problem = try #require(await reader.next())
      #expect(problem.name == "problem")
      #expect(problem.json["code"].string == "collection-not-found")
      let second = try await server.put("[]")
      #expect(await reader.next()?.id == second)
    }
  }

  @Test func `missing=wait follows through a collection's lives`() async throws {
    try await TestService.run { server in
      let reader = try EventReader(server.listener, inbox + "/delta?missing=wait")
      _ = try await reader.head()
      try await server.untilParked()
      let first = try await server.put("[]")
      #expect(await reader.next()?.id == first)
      #expect(try await server.send("DELETE", inbox).status == 204)
      #expect(await reader.next()?.name == "deleted")
      let second = try await server.put("[]")
      #expect(await reader.next()?.id == second)
    }
  }

  @Test func `a stream ends when the server does`() async throws {
    try await TestService.run { server in
      let first = try await server.put("[]")
      let reader = try EventReader(server.listener, inbox + "/delta?since=\(first)")
      #expect(await reader.next()?.name == "bookmark")
      try await server.untilParked()
      server.service.releaseWaiters(over: .zero)
      #expect(await reader.next()?.data == #"{"reason":"drain","reconnect":true}"#)
      #expect(await reader.next() == nil)
    }
  }

  @Test func `too many who wait are told in the stream`() async throws {
    try await TestService.run { configuration in
      configuration.serviceLimits.parkedMax = 0
    } _: { server in
      _ = try await server.put("[]")
      let answer = try await server.send("GET", inbox + "/delta", ["Accept": "text/event-stream"])
      #expect(answer.status == 200)
      #expect(answer.text.contains("retry: 15000\n"))
      #expect(answer.text.contains(#"data: {"reason":"overload","reconnect":true}"#))
    }
  }
}

@Suite struct SyncTests {
  private let path = "/v1/clients/u42"

  @Test func `several collections in one answer, as of one moment`() async throws {
    try await TestService.run { server in
      let inbox = try await server.put(#"[{"id":1}]"#, to: path + "/collections/inbox")
      let cart = try await server.put("[]", to: path + "/collections/cart")
      let head = try await server.put("[]", to: path + "/collections/inbox")
      let answer = try await server.send(
        "POST", path + "/sync", [:],
        #"{"collections":{"inbox":"\#(inbox)","cart":"\#(cart)","new":null,"gone":"zzzzzzzz.1.AAAAAAAAAAAAAAAA"},"wait":25}"#
      )
      #expect(answer.status == 200, "\(answer.text)")
      #expect(answer["Cache-Control"] == "no-store")
      #expect(answer["Collection-Wait"] == "25")
      #expect(answer.json["kind"].string == "sync")
      #expect(answer.json["collections"].keys == ["inbox", "gone"])
      #expect(answer.json["collections"]["inbox"]["to"].string == head)
      #expect(answer.json["collections"]["gone"]["kind"].string == "deleted")
      #expect("\(answer.json["unchanged"])" == #"["cart"]"#)
      #expect("\(answer.json["missing"])" == #"["new"]"#)
    }
  }

  @Test func `a batch is never seen half`() async throws {
    try await TestService.run { server in
      let a = try await server.put("[]", to: path + "/collections/a")
      let b = try await server.put("[]", to: path + "/collections/b")
      let reader = server.reader()
      async let waiting = server.send(
        "POST", path + "/sync", [:], #"{"collections":{"a":"\#(a)","b":"\#(b)"},"wait":25}"#,
        on: reader)
      try await server.untilParked()
      let batch = try await server.send(
        "POST", path + "/batch", [:],
        #"{"writes":[{"collection":"a","put":[{"id":1}]},{"collection":"b","put":[{"id":2}]}]}"#)
      #expect(batch.status == 200)
      let answer = try await waiting
      #expect(answer.json["collections"].keys == ["a", "b"])
      #expect(
        answer.json["collections"]["b"]["to"].string == batch.json["results"][1]["version"].string)
    }
  }

  @Test func `the same as a stream, whose ids say all that is held`() async throws {
    try await TestService.run { server in
      let a = try await server.put("[]", to: path + "/collections/a")
      let reader = try EventReader(server.listener, path + "/sync?collections=a,b:")
      let first = try #require(await reader.next())
      #expect(first.name == "sync")
      #expect(first.id == "a:\(a)")
      #expect(first.json["collections"]["a"]["kind"].string == "snapshot")
      let b = try await server.put("[]", to: path + "/collections/b")
      let second = try #require(await reader.next())
      #expect(second.id == "a:\(a),b:\(b)")
      #expect("\(second.json["unchanged"])" == #"["a"]"#)
      let resumed = try EventReader(
        server.listener, path + "/sync?collections=a,b", ["Last-Event-ID": second.id ?? ""])
      let third = try #require(await resumed.next())
      #expect(third.id == second.id)
      #expect("\(third.json["unchanged"])" == #"["a","b"]"#)
    }
  }

  @Test func `news of several collections that is more than one answer may tell is refused`()
    async throws
  {
    try await TestService.run({ $0.serviceLimits.syncBytesMax = 2000 }) { test in
      let body = "[{\"id\":1,\"text\":\"\(String(repeating: "x", count: 900))\"}]"
      let paths = (1...3).map { "/v1/clients/u42/collections/c\($0)" }
      var versions: [String] = []
      for path in paths { versions.append(try await test.put(body, to: path)) }
      let sync = "/v1/clients/u42/sync"
      let plain = ["Accept-Encoding": "identity"]
      let two = try await test.send("POST", sync, plain, #"{"collections":{"c1":null,"c2":null}}"#)
      #expect(two.status == 200)
      let three = try await test.send(
        "POST", sync, plain, #"{"collections":{"c1":null,"c2":null,"c3":null}}"#)
      #expect(three.status == 413 && three.json["code"].string == "body-too-large")
      #expect(three.json["limit"].int == 2000)
      let held = try await test.send(
        "POST", sync, plain, "{\"collections\":{\"c1\":\"\(versions[0])\",\"c2\":null,\"c3\":null}}"
      )
      #expect(held.status == 200)
    }
  }

  @Test func `what is wrong with a sync is told`() async throws {
    try await TestService.run { server in
      for (body, code) in [
        ("{", "bad-json"), ("[]", "bad-parameter"), (#"{"collections":{}}"#, "bad-parameter"),
        (#"{"collections":{"a/b":null}}"#, "bad-identifier"),
        (#"{"collections":{"a":"x"}}"#, "bad-token"), (#"{"collections":{"a":1}}"#, "bad-token"),
        (#"{"collections":{"a":null},"wait":"x"}"#, "bad-parameter"),
      ] {
        let answer = try await server.send("POST", path + "/sync", [:], body)
        #expect(answer.status == 400, "\(body)")
        #expect(answer.json["code"].string == code, "\(body)")
      }
      let plain = try await server.send("GET", path + "/sync?collections=a")
      #expect(plain.status == 406)
    }
  }
}
