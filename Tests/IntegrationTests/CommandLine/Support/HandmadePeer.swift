import Dispatch
import Glibc
import Synchronization
import Testing

/// A peer that answers as a test says, or leaves a request without an answer.
final class HandmadePeer: Sendable {
  /// Where it listens.
  let address: String
  private let listener: Int32
  private let gate: DispatchSemaphore?
  private let answer: @Sendable (Int) -> String?
  private let count = Mutex(0)
  private let queue = DispatchQueue(label: "handmade peer", attributes: .concurrent)

  /// - Parameters:
  ///   - gate: What to wait for before the first request is read.
  ///   - answer: The JSON of the answer to the n-th request, from 0; nil for none.
  /// - Throws: When there is no port.
  init(
    readingAfter gate: DispatchSemaphore? = nil, answer: @escaping @Sendable (Int) -> String?
  ) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, address, &size) == 0
      }
    }
    try #require(isBound)
    self.listener = listener
    self.address = "127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    (self.gate, self.answer) = (gate, answer)
    queue.async { [self] in acceptAll() }
  }

  /// Takes no more connections.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func acceptAll() {
    while case let connection = accept(listener, nil, nil), connection >= 0 {
      queue.async { [self] in serve(connection) }
    }
    close(listener)
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    gate?.wait()
    while readRequest(from: connection) {
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      guard let text = answer(number) else { continue }
      let bytes = Array("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
      _ = bytes.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
  }

  /// Reads a request to its end; false when the client has gone.
  private func readRequest(from connection: Int32) -> Bool {
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
      guard recv(connection, &byte, 1, 0) == 1 else { return false }
      head.append(byte)
    }
    let text = String(decoding: head, as: UTF8.self).lowercased()
    var left =
      text.firstRange(of: "content-length: ").flatMap { range in
        Int(text[range.upperBound...].prefix { $0.isNumber })
      } ?? 0
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while left > 0 {
      let count = recv(connection, &buffer, min(buffer.count, left), 0)
      guard count > 0 else { return false }
      left -= count
    }
    return true
  }
}
