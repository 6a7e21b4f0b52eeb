import Dispatch
import Glibc
import Synchronization

/// A server of one answer after the other, byte for byte as the test wants it.
///
/// It listens on a port of the kernel's choice, takes requests on one connection after the other,
/// and answers the n-th request with the n-th script; a script may close the connection after it.
final class ScriptedPeer: Sendable {
  struct Script: Sendable {
    var answer: String
    var closes = false
  }

  let port: UInt16
  private let listener: Int32
  private let log = Mutex<(requests: [String], connections: Int)>(([], 0))

  init(_ scripts: [Script]) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, address, &size) == 0
      }
    }
    guard isBound else { throw SystemFailure(code: errno) }
    listener = descriptor
    port = UInt16(bigEndian: address.sin_port)
    DispatchQueue(label: "scripted peer").async { [self] in serve(scripts) }
  }

  /// What was asked so far, heads and bodies.
  var requests: [String] { log.withLock { $0.requests } }
  /// How many connections were made so far.
  var connections: Int { log.withLock { $0.connections } }
  /// Where it listens.
  var address: String { "127.0.0.1:\(port)" }

  private func serve(_ scripts: [Script]) {
    defer { close(listener) }
    var rest = scripts[...]
    while !rest.isEmpty {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      log.withLock { $0.connections += 1 }
      defer { close(connection) }
      while let script = rest.first, let request = readRequest(from: connection) {
        log.withLock { $0.requests.append(request) }
        rest.removeFirst()
        let bytes = Array(script.answer.utf8)
        _ = bytes.withUnsafeBytes {
          send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if script.closes { break }
      }
      // The last script may leave the answer open: wait for the client to go.
      if rest.isEmpty { _ = readRequest(from: connection) }
    }
  }

  /// One request with its body; `nil` when the client has gone.
  private func readRequest(from connection: Int32) -> String? {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let end = text.firstRange(of: "\r\n\r\n") {
        let head = text[..<end.lowerBound].lowercased()
        let length = head.firstRange(of: "content-length: ").flatMap { range in
          Int(head[range.upperBound...].prefix { $0.isNumber })
        }
        if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
      }
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { return nil }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
  }
}

struct SystemFailure: Error {
  var code: Int32
}
