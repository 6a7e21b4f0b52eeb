import Foundation
import TestSupport
import Testing

@testable import LiveDeltaClient

/// Streams over each transport, from a peer that sends what a test says.
@Suite(.timeLimit(.minutes(10))) struct StreamTests {
  private let ping = "event: ping\ndata: {}\n\n"

  @Test(arguments: TransportKind.allCases)
  func `a reader that falls behind by more than 256 events loses the connection`(
    kind: TransportKind
  ) async throws {
    let peer = try ScriptedPeer([.events(String(repeating: ping, count: 257), closes: false)])
    var events = try kind.client(peer).events("/x").makeAsyncIterator()
    try await until { peer.ends != 0 }
    for _ in 0..<256 { #expect(try await events.next()?.name == "ping") }
    let error = await #expect(throws: ClientError.self) { try await events.next() }
    #expect(error == .transport(code: 0, reason: "the reader is too slow"))
  }

  /// Answers that never end: without a head, within it, within a body, and as a stream.
  private static let unfinished = [
    "", "HTTP/1.1 200 OK\r\nContent-", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1234",
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: ping\ndata",
  ]

  @Test(arguments: TransportKind.allCases, unfinished)
  func `cancelling ends a request and its connection, however far its answer has come`(
    kind: TransportKind, answer: String
  ) async throws {
    let peer = try ScriptedPeer([.init(answer: answer)])
    let client = try kind.client(peer)
    let waiting = Task { try await client.request("GET", "/x") }
    try await until { !peer.requests.isEmpty }
    waiting.cancel()
    await #expect(throws: ClientError.cancelled) { try await waiting.value }
    try await until { peer.ends != 0 }
  }

  @Test(arguments: TransportKind.allCases, unfinished)
  func `cancelling ends a stream and its connection`(
    kind: TransportKind, answer: String
  ) async throws {
    let peer = try ScriptedPeer([.init(answer: answer)])
    let events = try kind.client(peer).events("/x")
    let reading = Task {
      for try await _ in events {}
    }
    try await until { !peer.requests.isEmpty }
    reading.cancel()
    _ = await reading.result
    try await until { peer.ends != 0 }
  }

  @Test(arguments: TransportKind.allCases)
  func `cancelling ends a request whose credential is still to come`(
    kind: TransportKind
  ) async throws {
    let peer = try ScriptedPeer([])
    let client = try kind.client(peer) { _ in
      await untilCancelled()
      throw CancellationError()
    }
    let waiting = Task { try await client.request("GET", "/x") }
    waiting.cancel()
    await #expect(throws: ClientError.cancelled) { try await waiting.value }
    peer.stop()
    #expect(peer.connections == 0)
  }

  @Test func `events are the same however their bytes are divided`() throws {
    let text = Array(
      ": comment\nretry: 5\r\nevent: a\r\nid: 1\r\ndata: x\r\ndata:y\r\n\r\ndata\n\n\n\nevent: n\n\n"
        .utf8)
    let expected = try #require(Self.events([text]))
    #expect(expected.map(\.name) == ["a", "message"])
    #expect(expected.map(\.data) == ["x\ny", ""])
    #expect(expected.map(\.id) == ["1", "1"])
    #expect(expected.map(\.retryMilliseconds) == [5, 5])
    for place in text.indices {
      let parts = [Array(text[..<place]), Array(text[place...])]
      #expect(Self.events(parts) == expected, "\(place)")
    }
    #expect(Self.events([Array("data: 123456\n".utf8)], bytesMax: 10) == nil)
  }

  /// A stream of `conformance/vectors/streams.json`, which the tests of all clients read.
  private struct Vector: Decodable {
    struct Event: Decodable {
      var event, id, data: String
    }

    var name: String
    var stream: String?
    var hex: String?
    var events: [Event]
    var retry: Int?

    var bytes: [UInt8] {
      if let stream { return Array(stream.utf8) }
      let digits = Array(hex?.utf8 ?? "".utf8).map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
      return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
  }

  @Test func `event streams are those of the standard, wherever they are cut`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../conformance/vectors/streams.json")
    let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
    #expect(vectors.count >= 70)
    for vector in vectors {
      let bytes = vector.bytes
      let wanted = vector.events.map { [$0.event, $0.id, $0.data] }
      let halves = stride(from: 0, through: bytes.count, by: bytes.count > 1000 ? 97 : 1).map {
        [Array(bytes[..<$0]), Array(bytes[$0...])]
      }
      for pieces in halves + [bytes.map { [$0] }] {
        // One more event shows the pause, which those before it need not.
        let marked = pieces + [Array("\n\ndata: last\n\n".utf8)]
        let found = try #require(Self.events(pieces, bytesMax: 10_000), "\(vector.name)")
        #expect(
          found.map { [$0.name, $0.id ?? "", $0.data] } == wanted, "\(vector.name) \(pieces)")
        let last = try #require(Self.events(marked, bytesMax: 10_000)?.last)
        #expect(last.retryMilliseconds == vector.retry, "\(vector.name)")
      }
    }
  }

  /// The events in these pieces; `nil` if one is too large.
  private static func events(_ pieces: [[UInt8]], bytesMax: Int = 100) -> [StreamEvent]? {
    var reader = EventReader(eventBytesMax: bytesMax)
    var events: [StreamEvent] = []
    for piece in pieces {
      guard let more = reader.take(piece) else { return nil }
      events += more
    }
    return events
  }
}
