import LiveDeltaClient
import TestSupport
import Testing

/// A raw connection that asks for events and gives them one by one; what an `EventSource` is to a page.
final class EventReader: Sendable {
  private let connection: RawConnection

  /// Sends a request; HTTP/1.0, so that the response comes without chunks.
  init(_ address: ServerAddress, _ path: String, _ fields: [String: String] = [:]) throws {
    var request = "GET \(path) HTTP/1.0\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
    for (name, value) in fields { request += "\(name): \(value)\r\n" }
    connection = try RawConnection(address, sending: request + "\r\n")
  }

  /// The head of the response.
  func head() async throws -> String { try #require(await block(endingWith: "\r\n\r\n")) }

  /// The next event, `retry` fields and pings aside, which come when a machine is slow; nil at the
  /// end of the answer.
  func next() async -> SourceEvent? {
    while let lines = await block(endingWith: "\n\n") {
      if let event = SourceEvent(lines), event.name != "ping" { return event }
    }
    return nil
  }

  /// The next piece of text up to a mark; the retry field too.
  func block(endingWith mark: String) async -> String? {
    await connection.block(endingWith: mark)
  }
}
