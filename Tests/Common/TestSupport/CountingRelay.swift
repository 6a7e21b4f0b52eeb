import DeltaEngine
import Dispatch
import Glibc

/// Passes connections on to a port of this machine, counts the bytes that come back, and cuts connections.
package final class CountingRelay: Sendable {
  private struct State: Sendable {
    var port: UInt16
    var byteCount = 0
    var cutCount = 0
    /// Both ends of all connections.
    var ends: Set<Int32> = []
  }

  /// Where it listens.
  package let address: String
  private let listener: Int32
  private let state: Locked<State>
  /// After how many bytes in one direction the next connection is cut; nil for never.
  private let cutting: @Sendable () -> Int?

  /// Listens until `stop()`.
  ///
  /// - Throws: ``ScriptedPeer/ListenFailure``.
  package init(toPort port: UInt16, cutting: @escaping @Sendable () -> Int? = { nil }) throws {
    let (listener, own) = try listenOnAnyPort()
    self.listener = listener
    self.cutting = cutting
    state = Locked(State(port: port))
    address = "127.0.0.1:\(own)"
    DispatchQueue(label: "relay").async { [self] in
      while case let client = accept(listener, nil, nil), client >= 0 {
        pass(client, to: self.port)
      }
      close(listener)
    }
  }

  /// The bytes that came back so far, on all connections.
  package var byteCount: Int { state.withLock { $0.byteCount } }

  /// How many connections were cut so far.
  package var cutCount: Int { state.withLock { $0.cutCount } }

  /// Where the next connections go.
  package var port: UInt16 {
    get { state.withLock { $0.port } }
    set { state.withLock { $0.port = newValue } }
  }

  /// Cuts all connections.
  package func cut() {
    state.withLock { state in
      state.cutCount += state.ends.count / 2
      for end in state.ends { shutdown(end, Int32(SHUT_RDWR)) }
    }
  }

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
    state.withLock { $0.ends.formUnion([client, server]) }
    let (there, back) = (cutting() ?? .max, cutting() ?? .max)
    if isConnected {
      DispatchQueue(label: "relay there").async(group: ends) { [self] in
        copy(client, server, atMost: there)
      }
      DispatchQueue(label: "relay back").async(group: ends) { [self] in
        copy(server, client, atMost: back) { size in state.withLock { $0.byteCount += size } }
      }
    }
    // Not before both are done: their numbers may be those of other connections then.
    ends.notify(queue: .global()) { [self] in
      state.withLock { state in
        state.ends.subtract([client, server])
        close(client)
        close(server)
      }
    }
  }

  /// Copies what comes until either end has gone, or so many bytes have come.
  private func copy(
    _ source: Int32, _ target: Int32, atMost max: Int, count: (Int) -> Void = { _ in }
  ) {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var left = max
    while case let size = recv(source, &bytes, bytes.count, 0), size > 0 {
      count(size)
      guard send(target, bytes, min(size, left), Int32(MSG_NOSIGNAL)) == size else { break }
      left -= size
    }
    if max < .max { state.withLock { $0.cutCount += 1 } }
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
