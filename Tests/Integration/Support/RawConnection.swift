import Dispatch
import LiveDeltaClient
import TestSupport
import Testing

/// A raw client that tasks can wait for: it reads on a queue of its own.
final class RawConnection: Sendable {
  private let client: RawClient
  private let queue = DispatchQueue(label: "test.raw")

  /// Connects, and sends a text.
  init(_ address: ServerAddress, sending text: String = "") throws {
    let port = String(describing: address).split(separator: ":").last.flatMap { UInt16($0) }
    client = try RawClient(port: try #require(port))
    client.send(text)
  }

  /// Sends bytes; what the server does not take any more is dropped.
  func send(_ bytes: [UInt8]) async { try? await perform { $0.send(bytes) } }

  /// Sends a request, `Host` and the length of its body added.
  func send(
    _ method: String, _ target: String, _ fields: [String: String] = [:], _ body: [UInt8]? = nil
  ) async {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    await send(Array((head + "\r\n").utf8) + (body ?? []))
  }

  /// Says that nothing more is sent.
  func finishSending() { client.finishSending() }

  /// The next response.
  func response(toHead isHead: Bool = false) async throws -> RawResponse {
    try await perform { try $0.response(toHead: isHead) }
  }

  /// The status and the fields of the next response.
  func head() async throws -> RawResponse { try await perform { try $0.head() } }

  /// The next chunk of a streamed body; nil at its end.
  func chunk() async -> [UInt8]? { try? await perform { try $0.chunk() } }

  /// The text up to a mark; nil when the connection ends before it.
  func block(endingWith mark: String) async -> String? {
    try? await perform { try $0.block(endingWith: mark) }
  }

  /// Whether the server has ended the connection, once all that came is read.
  func isAtEnd() async -> Bool { (try? await perform { try $0.bytes(1) }) == nil }

  private func perform<Result: Sendable>(
    _ body: @escaping @Sendable (RawClient) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { done in
      queue.async { [client] in done.resume(with: .init { try body(client) }) }
    }
  }
}
