import DeltaEngine
import Dispatch
import Glibc

/// Passes connections on to a port of this machine, and counts the bytes that come back.
package final class CountingRelay: Sendable {
  /// Where it listens.
  package let address: String
  private let listener: Int32
  private let count = Locked(0)

  /// Listens until `stop()`.
  ///
  /// - Throws: ``ScriptedPeer/ListenFailure``.
  package init(toPort port: UInt16) throws {
    let (listener, own) = try listenOnAnyPort()
    self.listener = listener
    address = "127.0.0.1:\(own)"
    DispatchQueue(label: "relay").async { [self] in
      while case let client = accept(listener, nil, nil), client >= 0 { pass(client, to: port) }
      close(listener)
    }
  }

  /// The bytes that came back so far, on all connections.
  package var byteCount: Int { count.withLock { $0 } }

  /// Takes no more connections.
  package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func pass(_ client: Int32, to port: UInt16) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var name = loopback(port)
    let isConnected = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    let ends = DispatchGroup()
    if isConnected {
      DispatchQueue(label: "relay there").async(group: ends) { Self.copy(client, server) { _ in } }
      DispatchQueue(label: "relay back").async(group: ends) { [self] in
        Self.copy(server, client) { size in count.withLock { $0 += size } }
      }
    }
    // Not before both are done: their numbers may be those of other connections then.
    ends.notify(queue: .global()) {
      close(client)
      close(server)
    }
  }

  /// Copies what comes until either end has gone.
  private static func copy(_ source: Int32, _ target: Int32, count: (Int) -> Void) {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while case let size = recv(source, &bytes, bytes.count, 0), size > 0 {
      count(size)
      guard send(target, bytes, size, Int32(MSG_NOSIGNAL)) == size else { break }
    }
    for end in [source, target] { shutdown(end, Int32(SHUT_RDWR)) }
  }
}

/// Listens on a port of the kernel's choice.
func listenOnAnyPort() throws(ScriptedPeer.ListenFailure) -> (socket: Int32, port: UInt16) {
  let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
  var address = loopback(0)
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
      bind(listener, address, size) == 0 && listen(listener, 16) == 0
        && getsockname(listener, address, &size) == 0
    }
  }
  guard isBound else { throw ScriptedPeer.ListenFailure(code: errno) }
  return (listener, UInt16(bigEndian: address.sin_port))
}

/// A port of this machine.
private func loopback(_ port: UInt16) -> sockaddr_in {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return address
}
