import Dispatch
import Glibc
import LiveCollectionsClient
import Testing

/// A bare socket: what it sends is what the server gets, and nothing is undone of what comes back.
final class RawConnection: Sendable {
  /// An answer as it came, its transfer coding taken off.
  struct Answer: Sendable {
    var status = 0
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    subscript(name: String) -> String? {
      fields.first { $0.name == name.lowercased() }?.value
    }
  }

  /// What is read from the socket, in the queue's hands.
  private final class Input: @unchecked Sendable {
    var bytes: [UInt8] = []
  }

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "test.raw")
  private let input = Input()

  init(_ address: ServerAddress) throws {
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
  }

  deinit { close(descriptor) }

  /// Sends bytes; what the server does not take any more is dropped.
  func send(_ bytes: [UInt8]) async {
    await withCheckedContinuation { done in
      queue.async { [descriptor] in
        var rest = bytes[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes {
            Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
          if count <= 0 { break }
          rest = rest.dropFirst(count)
        }
        done.resume()
      }
    }
  }

  /// Sends a request, `Host` and the length of its body added.
  func send(
    _ method: String, _ target: String, _ fields: [String: String] = [:], _ body: [UInt8]? = nil
  ) async {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: test\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    await send(Array((head + "\r\n").utf8) + (body ?? []))
  }

  /// Says that nothing more is sent.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next answer.
  func answer(toHead isHead: Bool = false) async throws -> Answer {
    var answer = try await head()
    guard !isHead, answer.status != 204, answer.status != 304 else { return answer }
    if answer["transfer-encoding"] == "chunked" {
      while let piece = await chunk() { answer.body += piece }
    } else {
      let length = Int(answer["content-length"] ?? "") ?? 0
      answer.body = try #require(await bytes(length))
    }
    return answer
  }

  /// The next answer's status and fields.
  func head() async throws -> Answer {
    let text = try #require(await block(endingWith: "\r\n\r\n"))
    var answer = Answer()
    answer.status = Int(text.dropFirst(9).prefix(3)) ?? 0
    for line in text.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
      answer.fields.append((parts[0].lowercased(), value))
    }
    return answer
  }

  /// The next chunk of a streamed content; nil at its end.
  func chunk() async -> [UInt8]? {
    guard let line = await block(endingWith: "\r\n"), let size = Int(line, radix: 16) else {
      return nil
    }
    let data = await bytes(size + 2)?.dropLast(2)
    return size == 0 ? nil : data.map(Array.init)
  }

  /// Whether the server has ended the connection, once all that came is read.
  func isAtEnd() async -> Bool { await bytes(1) == nil }

  private func bytes(_ count: Int) async -> [UInt8]? {
    await read { $0.count >= count ? count : nil }
  }

  private func block(endingWith mark: String) async -> String? {
    let mark = Array(mark.utf8)
    let block = await read { $0.firstRange(of: mark)?.upperBound }
    return block.map { String(decoding: $0.dropLast(mark.count), as: UTF8.self) }
  }

  /// Reads until there is as much as wanted; nil when the connection ends first.
  private func read(_ wanted: @escaping @Sendable ([UInt8]) -> Int?) async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      queue.async { [descriptor, input] in
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
          if let count = wanted(input.bytes) {
            let bytes = Array(input.bytes.prefix(count))
            input.bytes.removeFirst(count)
            return continuation.resume(returning: bytes)
          }
          let count = recv(descriptor, &buffer, buffer.count, 0)
          guard count > 0 else { return continuation.resume(returning: nil) }
          input.bytes.append(contentsOf: buffer[..<count])
        }
      }
    }
  }
}
