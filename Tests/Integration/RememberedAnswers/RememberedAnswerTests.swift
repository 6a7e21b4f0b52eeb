import CollectionService
import DeltaHTTP
import HTTPTestSupport
import LiveDeltaClient
import TestSupport
import Testing
import VersionedCollections

/// Answers that event loops give again: the same as the ordinary route gives, until the collection changes.
@Suite struct RememberedAnswerTests {
  private let inbox = TestServer.inbox
  private let items =
    "[" + (0..<60).map { "{\"id\":\($0),\"text\":\"item\"}" }.joined(separator: ",") + "]"

  /// A response without what is its own.
  private struct Plain: Equatable {
    let status: Int
    let fields: [String]
    let body: [UInt8]

    init(_ response: RawResponse) {
      status = response.status
      fields = response.fields.map { "\($0.name): \($0.value)" }
        .filter { !$0.hasPrefix("date:") && !$0.hasPrefix("request-id:") }
      body = response.body
    }
  }

  @Test func `what is given again is what the ordinary route answered, but for its id`()
    async throws
  {
    try await TestServer.run({ $0.crossOrigins = ["https://app.example"] }) { server in
      let first = try await server.put(items)
      let head = try await server.put(items.replacing("item", with: "more", maxReplacements: 1))
      let delta = inbox + "/delta?since="
      let requests: [(method: String, target: String, fields: [String: String])] = [
        ("GET", inbox, [:]), ("GET", inbox, ["Accept-Encoding": "gzip"]),
        ("GET", inbox + "?dialect=snapshot", ["Origin": "https://app.example"]),
        ("HEAD", inbox, [:]), ("GET", inbox, ["If-None-Match": "\"\(head)\""]),
        ("GET", inbox, ["Accept": "application/vnd.livedelta.ops+json"]), ("GET", delta, [:]),
        ("GET", delta + head, ["Origin": "https://other.example"]), ("GET", delta + first, [:]),
        ("GET", delta + first + "&dialect=json-patch", ["Accept-Encoding": "gzip"]),
        ("HEAD", delta + first, [:]),
        ("GET", delta + first + "&wait=0", ["Prefer": "handling=strict"]),
      ]
      var ids: Set<String> = []
      for (method, target, fields) in requests {
        let client = try RawConnection(server.address)
        let before = try await server.repeatedCount()
        var answers: [Plain] = []
        for _ in 0..<3 {
          await client.send(method, target, fields)
          let answer = try await client.response(toHead: method == "HEAD")
          ids.insert(try #require(answer["Request-Id"]))
          answers.append(Plain(answer))
        }
        #expect(
          answers[1] == answers[0] && answers[2] == answers[0], "\(method) \(target) \(fields)")
        #expect(try await server.repeatedCount() == before + 2, "\(method) \(target) \(fields)")
      }
      #expect(ids.count == 3 * requests.count)
    }
  }

  @Test
  func `what is not told of the head alone, or has something of the request, is not given again`()
    async throws
  {
    try await TestServer.run { server in
      let first = try await server.put("[]")
      _ = try await server.send("DELETE", inbox)
      let head = try await server.put("[]")
      let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
      let requests: [(target: String, fields: [String: String], status: Int)] = [
        (inbox, ["Request-Id": "mine"], 200), (inbox, ["traceparent": trace], 200),
        (inbox, ["Host": "elsewhere.example"], 421), (inbox + "x", [:], 404),
        (inbox + "/delta?since=\(first)", [:], 200), (inbox + "/delta?since=none", [:], 400),
        (inbox + "/delta?since=\(head)&wait=-1", ["Accept": "text/plain"], 406),
      ]
      for (target, fields, status) in requests {
        let client = try RawConnection(server.address)
        for _ in 0..<2 {
          let lines = ["Host": "localhost"].merging(fields) { $1 }.map { "\($0): \($1)\r\n" }
          await client.send(Array("GET \(target) HTTP/1.1\r\n\(lines.joined())\r\n".utf8))
          #expect(try await client.response().status == status, "\(target) \(fields)")
        }
      }
      #expect(try await server.repeatedCount() == 0)
    }
  }

  @Test func `nothing is given again after a write, other settings, or a deletion`() async throws {
    try await TestServer.run { server in
      let client = try RawConnection(server.address)
      func get() async throws -> RawResponse {
        for _ in 0..<2 {
          await client.send("GET", inbox)
          _ = try await client.response()
        }
        await client.send("GET", inbox)
        return try await client.response()
      }
      _ = try await server.put("[]")
      #expect(try await get().status == 200)
      let version = try await server.put(#"[{"id":1}]"#)
      #expect(try await get()["Collection-Version"] == version)
      let settings = try await server.send(
        "PATCH", inbox + "/settings", [:], #"{"animations":{"insert":"fade"}}"#)
      let changed = try await get()
      if settings.status == 200 { #expect(changed.text.contains("fade")) }
      _ = try await server.send("DELETE", inbox)
      #expect(try await get().status == 404)
      _ = try await server.put(#"[{"id":2}]"#)
      #expect(try await get().text.contains(#"{"id":2}"#))
    }
  }

  @Test func `each answer given again has its line in the log`() async throws {
    let pipe = LogPipe()
    try await TestServer.run({ $0.accessLog = pipe.log }) { server in
      let head = try await server.put(items)
      let client = try RawConnection(server.address)
      var ids: [String?] = []
      for _ in 0..<3 {
        await client.send("GET", inbox + "/delta?since=\(head)")
        ids.append(try await client.response()["Request-Id"])
      }
      let lines = try await pipe.lines(4).dropFirst()
      #expect(lines.map { $0["request"].string } == ids)
      for name in ["method", "kind", "client", "collection"] {
        #expect(Set(lines.map { $0[name].string }).count == 1)
      }
      for name in ["status", "bytes", "parkedMicroseconds"] {
        #expect(Set(lines.map { $0[name].int }).count == 1)
      }
      #expect(
        lines.allSatisfy { $0["kind"].string == "delta" && $0["durationMicroseconds"].int != nil })
    }
  }

  @Test func `answers that are remembered have a bound`() async throws {
    try await TestServer.run({
      $0.serviceLimits.cacheBytesMax = 1 << 20
      $0.loops = 1
    }) { server in
      _ = try await server.put(items)
      let client = try RawConnection(server.address)
      // Some 3 KB each, and room for 256 KiB.
      for number in 0..<500 {
        await client.send("GET", inbox + "?number=\(number)")
        _ = try await client.response()
      }
      func isRepeated(_ number: Int) async throws -> Bool {
        let before = try await server.repeatedCount()
        await client.send("GET", inbox + "?number=\(number)")
        _ = try await client.response()
        return try await server.repeatedCount() > before
      }
      #expect(try await isRepeated(499))
      #expect(try await !isRepeated(0))
    }
  }
}

extension TestServer {
  /// How many answers event loops gave again.
  func repeatedCount() async throws -> Int {
    let operations = try RawConnection(self.operations)
    await operations.send("GET", "/metrics")
    let text = try await operations.response().text
    let line = text.split(separator: "\n").first {
      $0.hasPrefix("livedelta_http_repeated_answers_total ")
    }
    return Int(try #require(line).split(separator: " ")[1]) ?? -1
  }
}
