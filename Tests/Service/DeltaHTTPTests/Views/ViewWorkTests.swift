import Authentication
import CollectionService
import DeltaHTTP
import HTTPTestSupport
import TestSupport
import Testing
import VersionedCollections

/// What views may cost, as their readers are told.
@Suite(.timeLimit(.minutes(10))) struct ViewWorkTests {
  private let inbox = TestService.inbox
  private static let content =
    "[" + (0..<5000).map { #"{"id":"i\#($0)","n":\#($0)}"# }.joined(separator: ",") + "]"

  /// Nothing is allowed but what costs next to nothing.
  private static func allowNothing(_ configuration: inout DeltaServerConfiguration) {
    configuration.serviceLimits.viewMillisecondsMax = 0
    configuration.time = TimeSource(ManualClock())
  }

  @Test func `a view that costs too much is 503, and to be asked for later each time`() async throws
  {
    try await TestService.run(Self.allowNothing) { server in
      let first = try await server.put(Self.content)
      let paths = [inbox + "?", inbox + "/delta?", inbox + "/delta?since=\(first)&"]
      for (number, path) in paths.enumerated() {
        var last: String?
        for seconds in ["5", "10", "20"] {
          var answer = try await server.send("GET", path + "where=/n:ge:\(number)")
          // One that is ordered while the last one is under way ends with that.
          while let last, answer["Retry-After"] == last {
            answer = try await server.send("GET", path + "where=/n:ge:\(number)")
          }
          last = answer["Retry-After"]
          // The version that the reader has is the newest one: nothing is to be found out.
          if number == 2 {
            #expect(answer.status == 503 || answer.json["kind"].string == "unchanged")
            continue
          }
          #expect(answer.status == 503 && answer.json["code"].string == "too-much-work")
          #expect("\(answer.json["limit"])" == "0")
          #expect(answer["Retry-After"] == seconds, "\(path)")
        }
      }
      let sync = try await server.send(
        "POST", "/v1/clients/u42/sync", [:],
        #"{"collections":{"inbox":{"since":null,"view":{"where":["/n:ge:9"]}}}}"#)
      #expect(sync.status == 503 && sync.json["code"].string == "too-much-work")
      #expect(try await server.send("GET", inbox).status == 200)
      // What is small is not measured.
      _ = try await server.send("PUT", inbox + "2", [:], #"[{"id":"a","n":1}]"#)
      #expect(try await server.send("GET", inbox + "2?where=/n:ge:1").status == 200)
    }
  }

  @Test func `a stream of a view that costs too much has a problem, and ends`() async throws {
    try await TestService.run(Self.allowNothing) { server in
      _ = try await server.put(Self.content)
      let answer = try await server.send(
        "GET", inbox + "/delta?where=/n:ge:1", ["Accept": "text/event-stream"])
      #expect(answer.status == 200)
      let parts = [
        "retry: 15000\n", "event: problem\n", "too-much-work", "event: end\n", "overload",
      ]
      var rest = answer.text[...]
      for part in parts {
        let place = try #require(rest.firstRange(of: part), "\(part) in \(answer.text)")
        rest = rest[place.upperBound...]
      }
    }
  }

  /// A reader sees what is below a number.
  private static func impose(_ configuration: inout DeltaServerConfiguration) {
    let keys = [
      Keys.line("writer", "write:**"), Keys.line("viewer", "read:u42/inbox?where=/n:lt:4000"),
    ].joined(separator: "\n")
    configuration.authenticator = try? Authenticator(.text(keys), now: { 0 })
  }

  @Test func `an imposed view that costs too much is 503, and never the whole`() async throws {
    try await TestService.run { configuration in
      Self.impose(&configuration)
      Self.allowNothing(&configuration)
    } _: { server in
      let viewer = Keys.field("viewer")
      let put = try await server.send("PUT", inbox, Keys.field("writer"), Self.content)
      let first = try #require(put["Collection-Version"])
      for query in ["", "?where=/n:ge:1", "/delta", "/delta?since=\(first)"] {
        let answer = try await server.send("GET", inbox + query, viewer)
        #expect(answer.status == 503 && answer.json["code"].string == "too-much-work", "\(query)")
      }
      let sync = try await server.send(
        "POST", "/v1/clients/u42/sync", viewer, #"{"collections":{"inbox":null}}"#)
      #expect(sync.status == 503 && sync.json["code"].string == "too-much-work")
      let stream = try await server.send(
        "GET", inbox + "/delta", viewer.merging(["Accept": "text/event-stream"]) { $1 })
      #expect(stream.text.contains("too-much-work") && !stream.text.contains("i4000"))
    }
  }

  @Test func `who begins anew because of another restriction is answered, however long that takes`()
    async throws
  {
    try await TestService.run(Self.impose) { server in
      let viewer = Keys.field("viewer")
      let put = try await server.send("PUT", inbox, Keys.field("writer"), Self.content)
      let first = try #require(put["Collection-Version"])
      let poll = try await server.send("GET", inbox + "/delta?since=\(first)", viewer)
      let sync = try await server.send(
        "POST", "/v1/clients/u42/sync", viewer, #"{"collections":{"inbox":"\#(first)"}}"#)
      let stream = try await server.send(
        "GET", inbox + "/delta?since=\(first)&closeafter=event",
        viewer.merging(["Accept": "text/event-stream"]) { $1 })
      for text in [poll.text, sync.text, stream.text] {
        #expect(text.contains("view-changed") && text.contains("i3999"))
        #expect(!text.contains("i4000"))
      }
    }
  }

  @Test func `the terms of a sync have a bound together`() async throws {
    try await TestService.run { server in
      func body(_ count: Int) -> String {
        let long = String(repeating: "x", count: 8000)
        let views = (0..<count).map { #""c\#($0)":{"view":{"where":["/a:eq:\#(long)"]}}"# }
        return #"{"collections":{\#(views.joined(separator: ","))}}"#
      }
      let path = "/v1/clients/u42/sync"
      #expect(try await server.send("POST", path, [:], body(8)).status == 200)
      let answer = try await server.send("POST", path, [:], body(9))
      #expect(answer.status == 400 && answer.json["code"].string == "bad-parameter")
      #expect("\(answer.json["limit"])" == "65536")
      #expect(answer.json["errors"][0]["pointer"].string == "/collections/c8/view/where/0")
      let told = try await server.send("GET", "/v1").json["limits"]
      #expect("\(told["viewBytes"]) \(told["viewMilliseconds"])" == "65536 1000")
    }
  }

  @Test func `the views of a principal take as much of the processor as its share`() async throws {
    let clock = ManualClock()
    try await TestService.run { configuration in
      Keys.configure(&configuration)
      configuration.time = TimeSource(clock, date: { 1_000_000 })
      configuration.shares.viewMillisecondsPerSecond = 1
    } _: { server in
      let key = Keys.field("writesClient")
      _ = try await server.send("PUT", inbox, key, Self.content)
      var answer = try await server.send("GET", inbox + "?where=/n:ge:0", key)
      #expect(answer.status == 200)
      // What a view took is counted a moment after its answer was sent.
      for number in 1...1000 where answer.status == 200 {
        answer = try await server.send("GET", inbox + "?where=/n:ge:\(number)", key)
      }
      #expect(answer.status == 429 && answer.json["code"].string == "rate-limited")
      #expect(answer["RateLimit-Policy"] == #""views";q=1;w=1"#)
      #expect(Int(answer["Retry-After"] ?? "").map { $0 > 0 } == true)
      let stream = try await server.send(
        "GET", inbox + "/delta?where=/n:ge:1", key.merging(["Accept": "text/event-stream"]) { $1 })
      #expect(stream.status == 200 && stream.text.contains("overload"))
      #expect(try await server.send("GET", inbox, key).status == 200)
      let other = Keys.field("readsInbox")
      #expect(try await server.send("GET", inbox + "?where=/n:ge:2", other).status == 200)
      clock.advance(by: .seconds(3600))
      #expect(try await server.send("GET", inbox + "?where=/n:ge:3", key).status == 200)
    }
  }
}
