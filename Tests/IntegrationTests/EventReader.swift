import Dispatch
import Glibc
import LiveCollectionsClient
import Testing

/// A bare socket that asks for events and gives them one by one; what an `EventSource` is to a page.
final class EventReader: Sendable {
  struct Event: Hashable, Sendable {
    var name = ""
    var id: String?
    var data = ""
    var json: JSONTree { JSONTree(Array(data.utf8)) }
  }

  /// What is read from the socket, in the queue's hands.
  private final class Input: @unchecked Sendable {
    var bytes: [UInt8] = []
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "test.events")
  private let input = Input()

  /// Sends a request; HTTP/1.0, so that the answer comes without chunks.
  init(_ address: ServerAddress, _ path: String, _ fields: [String: String] = [:]) throws {
    let port = try #require(
      UInt16(String(describing: address).split(separator: ":").last.map(String.init) ?? ""))
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var to = sockaddr_in()
    to.sin_family = sa_family_t(AF_INET)
    to.sin_port = port.bigEndian
    to.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &to) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    var request = "GET \(path) HTTP/1.0\r\nHost: test\r\nAccept: text/event-stream\r\n"
    for (name, value) in fields { request += "\(name): \(value)\r\n" }
    let bytes = Array((request + "\r\n").utf8)
    try #require(send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  deinit { close(descriptor) }

  /// The head of the answer.
  func head() async throws -> String { try #require(await block(endingWith: "\r\n\r\n")) }

  /// The next event, `retry` fields and pings aside, which come when a machine is slow; nil at the
  /// end of the answer.
  func next() async -> Event? {
    while let text = await block(endingWith: "\n\n") {
      var event = Event()
      for line in text.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
        switch parts[0] {
        case "event": event.name = value
        case "id": event.id = value
        case "data": event.data = value
        default: continue
        }
      }
      if !event.name.isEmpty, event.name != "ping" { return event }
    }
    return nil
  }

  /// The next piece of text up to a mark; the retry field too.
  func block(endingWith mark: String) async -> String? {
    await withCheckedContinuation { continuation in
      queue.async { [descriptor, input] in
        continuation.resume(returning: Self.read(descriptor, input, Array(mark.utf8)))
      }
    }
  }

  private static func read(_ descriptor: Int32, _ input: Input, _ mark: [UInt8]) -> String? {
    while true {
      let text = String(decoding: input.bytes, as: UTF8.self)
      if let range = text.firstRange(of: String(decoding: mark, as: UTF8.self)) {
        let end = text[..<range.upperBound].utf8.count
        input.bytes.removeFirst(end)
        return String(text[..<range.lowerBound])
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count <= 0 { return nil }
      input.bytes.append(contentsOf: buffer[..<count])
    }
  }
}
