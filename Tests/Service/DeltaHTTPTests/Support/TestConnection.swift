import SocketServer
import Synchronization
import TestSupport
import Testing

/// Sends requests one after the other, and gives their responses when they are asked for.
final class TestConnection: Sendable {
  private let client: TestClient
  private let exchange = Mutex<TestExchange?>(nil)

  init(_ listener: Listener, from peer: PeerAddress = .ipv4(0x0100_007F, port: 1)) throws {
    client = TestClient(listener, from: peer)
  }

  /// Sends a request.
  func send(
    _ method: String, _ target: String, _ fields: [String: String] = [:], _ body: [UInt8]? = nil
  ) async {
    let next = TestExchange(client, method, target, fields, body)
    exchange.withLock { $0 = next }
  }

  /// The response to the last request; `toHead` is for readers of the test.
  func response(toHead: Bool = false) async throws -> TestResponse {
    try await #require(exchange.withLock(\.self)).response()
  }
}

/// Reads the events of a stream one by one; what an `EventSource` is to a page.
final class EventReader: Sendable {
  private let exchange: TestExchange
  private let text = Mutex("")

  init(_ listener: Listener, _ path: String, _ fields: [String: String] = [:]) throws {
    exchange = TestExchange(
      TestClient(listener), "GET", path, fields, nil, defaults: ["accept": "text/event-stream"])
  }

  /// The head of the response.
  func head() async throws -> String { try await exchange.start().head }

  /// The next event, `retry` fields and pings aside; nil at the end of the answer.
  func next() async -> SourceEvent? {
    while let lines = await block(endingWith: "\n\n") {
      if let event = SourceEvent(lines), event.name != "ping" { return event }
    }
    return nil
  }

  /// The text up to a mark; nil if the answer ends before it.
  func block(endingWith mark: String) async -> String? {
    while true {
      let block = text.withLock { text -> String? in
        guard let end = text.firstRange(of: mark) else { return nil }
        defer { text = String(text[end.upperBound...]) }
        return String(text[..<end.lowerBound])
      }
      if let block { return block }
      var pieces = exchange.pieces.makeAsyncIterator()
      guard let piece = await pieces.next() else { return nil }
      text.withLock { $0 += String(decoding: piece, as: UTF8.self) }
    }
  }
}
