import CollectionService
import DeltaHTTP
import HTTPTestSupport
import LiveDeltaClient
import TestSupport
import Testing
import VersionedCollections

/// Streams of events in a content coding.
@Suite(.timeLimit(.minutes(10))) struct EventCodingTests {
  private let inbox = TestServer.inbox

  private func snapshot(_ mark: String) -> String {
    "[" + (0..<50).map { #"{"id":\#($0),"t":"\#(mark)"}"# }.joined(separator: ",") + "]"
  }

  /// A stream read as it comes: each chunk inflated at once.
  private final class Stream {
    let connection: RawConnection
    private let zipper: Zipper
    private(set) var text = ""

    init(_ connection: RawConnection) {
      self.connection = connection
      zipper = Zipper(.gzip)
    }

    /// Reads chunks until the text holds a mark; tells whether it came.
    func read(until mark: String) async throws -> Bool {
      while !text.contains(mark) {
        guard let chunk = await connection.chunk() else { return false }
        text += String(decoding: try #require(zipper.inflate(chunk)), as: UTF8.self)
      }
      return true
    }

    var isComplete: Bool { zipper.isAtEnd }
  }

  @Test func `each event can be read when it has come, and the end is whole`() async throws {
    let clock = ManualClock()
    try await TestServer.run({ $0.time = TimeSource(clock) }) { server in
      let first = try await server.put(snapshot("one"))
      let connection = try RawConnection(server.address)
      await connection.send(
        "GET", inbox + "/delta",
        ["Accept": "text/event-stream", "Accept-Encoding": "gzip"])
      let head = try await connection.head()
      #expect(head["Content-Encoding"] == "gzip")
      #expect(head["Vary"] == "Accept-Encoding, Accept, Authorization")
      let stream = Stream(connection)
      #expect(try await stream.read(until: "id: \(first)\ndata: "))
      #expect(try await stream.read(until: #""t":"one"}]}]}"# + "\n\n"))
      for mark in ["two", "three", "four"] {
        let version = try await server.put(snapshot(mark))
        #expect(try await stream.read(until: "event: delta\nid: \(version)\n"))
        #expect(try await stream.read(until: #""t":"\#(mark)"}"#))
      }
      _ = try await server.send("DELETE", inbox)
      #expect(try await stream.read(until: "event: deleted\n"))
      clock.advance(by: .seconds(600))
      #expect(try await stream.read(until: "event: end\n"))
      _ = try await stream.read(until: "never")
      #expect(stream.isComplete)
    }
  }

  @Test func `an event is deflated once for all streams`() async throws {
    try await TestServer.run { server in
      _ = try await server.put(snapshot("one"))
      var streams: [Stream] = []
      for _ in 0..<20 {
        let connection = try RawConnection(server.address)
        await connection.send(
          "GET", inbox + "/delta", ["Accept": "text/event-stream", "Accept-Encoding": "gzip"])
        _ = try await connection.head()
        let stream = Stream(connection)
        #expect(try await stream.read(until: "event: snapshot"))
        streams.append(stream)
      }
      try await server.untilParked(20)
      let before = server.server.service.counters.encodings.value
      _ = try await server.put(snapshot("two"))
      for stream in streams { #expect(try await stream.read(until: #""t":"two"}"#)) }
      #expect(server.server.service.counters.encodings.value == before + 1)
    }
  }

  @Test func `a stream of several collections is coded, and so is one that closes`() async throws {
    try await TestServer.run { server in
      _ = try await server.put(snapshot("one"))
      _ = try await server.put(snapshot("one"), to: inbox + "2")
      let paths = [
        "/v1/clients/u42/sync?collections=inbox,inbox2&closeafter=event",
        inbox + "/delta?closeafter=event",
      ]
      for path in paths {
        let connection = try RawConnection(server.address)
        await connection.send(
          "GET", path, ["Accept": "text/event-stream", "Accept-Encoding": "gzip"])
        let answer = try await connection.response()
        let text = String(decoding: try #require(inflated(answer)), as: UTF8.self)
        #expect(text.hasSuffix("}\n\n"))
        #expect(text.contains(#""t":"one"}"#))
      }
    }
  }
}
