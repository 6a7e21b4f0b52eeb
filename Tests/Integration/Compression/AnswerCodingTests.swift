import CollectionService
import HTTPTestSupport
import LiveDeltaClient
import TestSupport
import Testing
import VersionedCollections

@testable import DeltaHTTP

/// What goes out in a content coding, and what in none.
@Suite(.timeLimit(.minutes(10))) struct AnswerCodingTests {
  private let inbox = TestServer.inbox

  /// A snapshot of some length.
  private func snapshot(_ items: Int, title: String = "Something to read") -> String {
    let list = (0..<items).map { #"{"id":"m\#($0)","title":"\#(title) \#($0)"}"# }
    return "[\(list.joined(separator: ","))]"
  }

  private struct Wish: Sendable {
    var field: String?
    /// What a long answer has, and what a short one; "406" for none.
    var long: String?
    var short: String?
  }

  private static let wishes: [Wish] = [
    Wish(field: nil, long: nil, short: nil),
    Wish(field: "", long: nil, short: nil),
    Wish(field: "gzip", long: "gzip", short: nil),
    Wish(field: "x-gzip", long: "gzip", short: nil),
    Wish(field: "GZIP", long: "gzip", short: nil),
    Wish(field: "deflate", long: nil, short: nil),
    Wish(field: "gzip, deflate, br, zstd", long: "gzip", short: nil),
    Wish(field: "gzip;q=0.5, deflate;q=0.8", long: "gzip", short: nil),
    Wish(field: "gzip;q=0.001", long: "gzip", short: nil),
    Wish(field: "gzip;q=0, deflate", long: nil, short: nil),
    Wish(field: "gzip; q=0", long: nil, short: nil),
    Wish(field: "br, zstd", long: nil, short: nil),
    Wish(field: "*", long: "gzip", short: nil),
    Wish(field: "gzip;q=0, *", long: nil, short: nil),
    Wish(field: "*;q=0, gzip", long: "gzip", short: "gzip"),
    Wish(field: "*;q=0, gzip;q=0.2", long: "gzip", short: "gzip"),
    Wish(field: "*;q=0, deflate;q=0.2", long: "406", short: "406"),
    Wish(field: "identity;q=0, gzip", long: "gzip", short: "gzip"),
    Wish(field: "identity, gzip;q=0.5", long: nil, short: nil),
    Wish(field: "identity;q=0.5, gzip;q=0.5", long: "gzip", short: nil),
    Wish(field: "*;q=0, identity;q=0.1", long: nil, short: nil),
    Wish(field: "identity;q=0", long: "406", short: "406"),
    Wish(field: "*;q=0", long: "406", short: "406"),
    Wish(field: "identity;q=0, br", long: "406", short: "406"),
    Wish(field: "gzip;q=high", long: nil, short: nil),
  ]

  @Test func `the coding is the most welcome one, from 860 bytes up`() async throws {
    try await TestServer.run { server in
      _ = try await server.put(snapshot(100))
      _ = try await server.put("[]", to: inbox + "2")
      let client = try RawConnection(server.address)
      for wish in Self.wishes {
        let fields = wish.field.map { ["Accept-Encoding": $0] } ?? [:]
        for (path, coding) in [(inbox, wish.long), (inbox + "2", wish.short)] {
          await client.send("GET", path, fields)
          let answer = try await client.response()
          #expect(answer["Vary"] == "Accept-Encoding, Accept, Authorization")
          guard coding != "406" else {
            #expect(answer.status == 406, "\(wish)")
            continue
          }
          #expect(answer.status == 200)
          #expect(answer["Content-Encoding"] == coding, "\(wish)")
          let text = try #require(inflated(answer), "\(wish)")
          #expect(JSONTree(text)["kind"].string == "snapshot", "\(wish)")
        }
      }
    }
  }

  @Test func `an answer of 860 bytes is coded, one of 859 is not`() async throws {
    try await TestServer.run { server in
      let client = try RawConnection(server.address)
      var seen: Set<Int> = []
      for length in 640...800 {
        let path = inbox + "\(length)"
        _ = try await server.put(#"[{"id":"\#("a")","t":"\#(text(length))"}]"#, to: path)
        await client.send("GET", path)
        let count = try await client.response().body.count
        guard 855...865 ~= count else { continue }
        seen.insert(count)
        await client.send("GET", path, ["Accept-Encoding": "gzip"])
        let answer = try await client.response()
        #expect(answer["Content-Encoding"] == (count >= 860 ? "gzip" : nil), "\(count)")
        #expect(inflated(answer)?.count == count)
      }
      #expect(seen.contains(859) && seen.contains(860))
    }
  }

  private func text(_ length: Int) -> String { String(repeating: "x", count: length) }

  @Test func `every resource of some length is coded, whatever its form`() async throws {
    try await TestServer.runOnDisk { server in
      let first = try await server.put(snapshot(60))
      let second = try await server.put(snapshot(60, title: "Other"))
      for number in 0..<30 { _ = try await server.put("[]", to: inbox + "\(number)") }
      let client = try RawConnection(server.address)
      var paths = [
        "/v1", inbox, inbox + "/delta", inbox + "/delta?since=\(first)",
        inbox + "?version=\(first)",
        inbox + "/delta?from=\(second)&to=\(first)", "/v1/clients/u42/collections",
      ]
      paths += Dialect.allCases.map { inbox + "/delta?since=\(first)&dialect=\($0.name)" }
      paths += ["/v1/clients/u42/collections/none/delta?dialect=none"]
      for path in paths {
        await client.send("GET", path)
        let plain = try await client.response()
        await client.send("GET", path, ["Accept-Encoding": "gzip"])
        let answer = try await client.response()
        #expect(answer.status == plain.status, "\(path)")
        let isLong = plain.body.count >= 860
        #expect(answer["Content-Encoding"] == (isLong ? "gzip" : nil), "\(path)")
        #expect(inflated(answer) == plain.body, "\(path)")
        await client.send("HEAD", path, ["Accept-Encoding": "gzip"])
        let head = try await client.response(toHead: true)
        #expect(head["Content-Length"] == "\(answer.body.count)", "\(path)")
        #expect(head["Content-Encoding"] == answer["Content-Encoding"], "\(path)")
        #expect(head["ETag"] == answer["ETag"], "\(path)")
      }
      let operations = try RawConnection(server.operations)
      await operations.send("GET", "/metrics", ["Accept-Encoding": "gzip"])
      let metrics = try await operations.response()
      #expect(metrics["Content-Encoding"] == "gzip")
      #expect(inflated(metrics)?.isEmpty == false)
    }
  }

  @Test func `answers to POST and PUT are coded, and a write does not fail for it`() async throws {
    try await TestServer.run { server in
      let client = try RawConnection(server.address)
      let body = Array(snapshot(80).utf8)
      let fields = [
        "Accept-Encoding": "gzip", "Prefer": "return=representation",
        "Content-Type": "application/json",
      ]
      await client.send("PUT", inbox, fields, body)
      let written = try await client.response()
      #expect(written.status == 201)
      #expect(written["Content-Encoding"] == "gzip")
      #expect(JSONTree(try #require(inflated(written)))["kind"].string == "snapshot")
      await client.send("PUT", inbox, ["Accept-Encoding": "identity;q=0"], Array("[]".utf8))
      #expect(try await client.response().status == 200)
      let pair = Array(#"{"old":[],"new":\#(snapshot(80))}"#.utf8)
      await client.send("POST", "/v1/diff", ["Accept-Encoding": "gzip"], pair)
      let delta = try await client.response()
      #expect(delta["Content-Encoding"] == "gzip")
      #expect(JSONTree(try #require(inflated(delta)))["kind"].string == "delta")
      _ = try await server.put(snapshot(80))
      _ = try await server.put(snapshot(80), to: inbox + "2")
      let wish = Array(#"{"collections":{"inbox":null,"inbox2":null,"none":null}}"#.utf8)
      await client.send("POST", "/v1/clients/u42/sync", ["Accept-Encoding": "gzip"], wish)
      let sync = try await client.response()
      #expect(sync["Content-Encoding"] == "gzip")
      let tree = JSONTree(try #require(inflated(sync)))
      #expect(tree["collections"].keys == ["inbox", "inbox2"])
      #expect(tree["missing"].elements.compactMap(\.string) == ["none"])
      await client.send("POST", "/v1/clients/u42/sync", [:], wish)
      #expect(try await client.response().body == inflated(sync))
    }
  }

  @Test func `tags differ by dialect and coding, and conditions look at the state`() async throws {
    try await TestServer.run { server in
      let version = try await server.put(snapshot(100))
      let client = try RawConnection(server.address)
      var tags: [String] = []
      for coding in ["identity", "gzip"] {
        for accept in ["application/json", "application/vnd.livedelta.snapshot+json"] {
          await client.send("GET", inbox, ["Accept-Encoding": coding, "Accept": accept])
          tags.append(try #require(try await client.response()["ETag"]))
        }
      }
      #expect(Set(tags).count == 4)
      #expect(tags.allSatisfy { $0.hasPrefix("\"\(version)") && $0.hasSuffix("\"") })
      for tag in tags {
        for (index, coding) in ["identity", "gzip"].enumerated() {
          let fields = ["Accept-Encoding": coding, "If-None-Match": "\"x\", W/\(tag)"]
          await client.send("GET", inbox, fields)
          let answer = try await client.response()
          #expect(answer.status == 304)
          #expect(answer["ETag"] == tags[index * 2])
          #expect(answer["Vary"] == "Accept-Encoding, Accept, Authorization")
          #expect(answer["Collection-Version"] == version)
          #expect(answer["Cache-Control"] == "private, no-cache")
          #expect(answer["Content-Encoding"] == nil)
          #expect(answer["Content-Type"] == nil)
        }
      }
      await client.send("GET", inbox, ["If-None-Match": "\"x;gzip\""])
      #expect(try await client.response().status == 200)
      for (index, tag) in tags.enumerated() {
        let head = try await server.send("GET", inbox)["Collection-Version"] ?? ""
        let current = tag.replacing(version, with: head)
        await client.send(
          "PUT", inbox, ["If-Match": "W/\(current)"], Array(#"[{"id":\#(index)}]"#.utf8))
        #expect(try await client.response().status == 412)
        await client.send("PUT", inbox, ["If-Match": current], Array(#"[{"id":\#(index)}]"#.utf8))
        #expect(try await client.response().status == 200)
      }
    }
  }

  @Test func `readers that wait for the same share one encoding`() async throws {
    try await TestServer.run { server in
      let version = try await server.put(snapshot(60))
      let before = server.server.service.counters.encodings.value
      var readers: [RawConnection] = []
      for _ in 0..<20 {
        let reader = try RawConnection(server.address)
        await reader.send(
          "GET", inbox + "/delta?since=\(version)&wait=50",
          ["Accept-Encoding": "gzip"])
        readers.append(reader)
      }
      try await server.untilParked(20)
      _ = try await server.put(snapshot(60, title: "Other"))
      var texts: Set<[UInt8]> = []
      for reader in readers { texts.insert(try #require(inflated(try await reader.response()))) }
      #expect(texts.count == 1)
      #expect(server.server.service.counters.encodings.value == before + 1)
    }
  }

  @Test func `large answers are coded whole`() async throws {
    try await TestServer.runOnDisk { server in
      let first = try await server.put(snapshot(9000))
      _ = try await server.put(snapshot(9000, title: "Other"))
      let client = try RawConnection(server.address)
      let reset = inbox + "/delta?since=\(first.replacing(".1.", with: ".9."))"
      for path in [inbox, inbox + "/delta?since=\(first)", inbox + "?version=\(first)", reset] {
        await client.send("GET", path)
        let plain = try await client.response()
        await client.send("GET", path, ["Accept-Encoding": "gzip"])
        let coded = try await client.response()
        #expect(coded["Content-Encoding"] == "gzip")
        #expect(coded.body.count < plain.body.count / 3)
        #expect(inflated(coded) == plain.body, "\(path)")
      }
    }
  }

  @Test func `stored blocks and combined checksums are right for any pieces`() throws {
    var generator = SystemRandomNumberGenerator()
    for count in [0, 1, 127, 859, 65_535, 65_536, 200_000] {
      let text = (0..<count).map { _ in UInt8.random(in: 0..<4, using: &generator) }
      let mark = text.isEmpty ? 0 : Int.random(in: 0..<text.count)
      let (front, back) = (Array(text[..<mark]), Array(text[mark...]))
      for isDeflated in [(true, true), (true, false), (false, true), (false, false)] {
        var coded = CodedText(.gzip)
        var bytes = ContentCoding.gzip.head
        for (piece, isDeflated) in [(front, isDeflated.0), (back, isDeflated.1)] {
          bytes += coded.append(isDeflated ? Deflater.deflate(piece) : .init(piece))
        }
        #expect(Zipper.inflate(bytes + coded.end(), .gzip) == text)
      }
    }
  }

  @Test func `the client asks for a coding, and undoes it`() async throws {
    try await TestServer.run { server in
      _ = try await server.put(snapshot(100))
      let answer = try await server.send("GET", inbox)
      #expect(answer["Content-Encoding"] == "gzip")
      #expect(answer.json["kind"].string == "snapshot")
      let plain = try await server.send("GET", inbox, ["Accept-Encoding": "identity"])
      #expect(plain["Content-Encoding"] == nil)
      #expect(plain.body == answer.body)
    }
  }
}

/// The text of an answer, whatever its coding; nil when it is broken.
func inflated(_ answer: RawResponse) -> [UInt8]? {
  switch answer["Content-Encoding"] {
  case nil: answer.body
  case "gzip"?: Zipper.inflate(answer.body, .gzip)
  default: nil
  }
}
