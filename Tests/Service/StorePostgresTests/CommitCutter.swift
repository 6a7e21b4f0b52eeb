import Foundation
import Synchronization

/// Passes connections on to a PostgreSQL server, and cuts one off at the commit of a write, or passes no notices on, as
/// a pooler in transaction mode does.
final class CommitCutter: Sendable {
  /// When a connection is cut off.
  enum Cut: CaseIterable {
    /// The server does not get the commit.
    case before
    /// The server has committed, and its answer is lost.
    case after
    /// The server has committed, and nothing comes, not even the end of the connection.
    case silence
  }

  /// The directory of the socket, for a connection string.
  let directory: String
  private let listener: Int32
  private let server: String
  private let cut = Mutex<Cut?>(nil)
  private let swallows = Mutex(false)

  /// Whether no notice is passed on.
  var swallowsNotices: Bool {
    get { swallows.withLock(\.self) }
    set { swallows.withLock { $0 = newValue } }
  }

  /// Listens until `stop()`; `server` is the directory of the server's socket.
  init(to server: String) throws {
    self.server = server
    directory = FileManager.default.temporaryDirectory.appending(path: "ld-\(UUID())").path
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    let isBound = Self.withAddress(directory) { bind(listener, $0, $1) == 0 }
    guard isBound, listen(listener, 64) == 0 else { throw CancellationError() }
    // Threads, because Dispatch has at most 255, and each of these blocks.
    Thread.detachNewThread { [self] in
      while case let client = accept(listener, nil, nil), client >= 0 { pass(client) }
      close(listener)
    }
  }

  /// Takes no more connections.
  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Has the connection that commits the next write cut off.
  func cutNext(_ cut: Cut) { self.cut.withLock { $0 = cut } }

  /// Whether the connection was cut off.
  var isDone: Bool { cut.withLock { $0 == nil } }

  private static func withAddress<T>(
    _ directory: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> T
  ) -> T {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("\(directory)/.s.PGSQL.5432".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  private func pass(_ client: Int32) {
    let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    let isConnected = Self.withAddress(self.server) { connect(server, $0, $1) == 0 }
    let pair = ConnectionPair(client: client, server: server)
    let ends = DispatchGroup()
    if isConnected {
      for _ in 1...2 { ends.enter() }
      Thread.detachNewThread {
        self.passRequests(pair)
        ends.leave()
      }
      Thread.detachNewThread {
        pair.passAnswers { $0[0] == UInt8(ascii: "A") && self.swallowsNotices }
        ends.leave()
      }
    }
    ends.notify(queue: .global()) {
      close(client)
      close(server)
    }
  }

  private func passRequests(_ pair: ConnectionPair) {
    defer { pair.end() }
    // The first message has no type.
    guard let start = pair.message(from: pair.client, hasType: false),
      pair.send(start, to: pair.server)
    else { return }
    var isWrite = false
    while let message = pair.message(from: pair.client) {
      let isParse = message[0] == UInt8(ascii: "P")
      if isParse, String(decoding: message, as: UTF8.self).contains("synchronous_commit") {
        isWrite = true
      }
      if message[0] == UInt8(ascii: "S"), isWrite {
        isWrite = false
        let cut = cut.withLock { cut in
          defer { cut = nil }
          return cut
        }
        if cut == .before { return }
        if let cut { pair.mute(cut) }
      }
      guard pair.send(message, to: pair.server) else { return }
    }
  }
}

/// A connection of a client and that to the server.
private final class ConnectionPair: Sendable {
  let client: Int32
  let server: Int32
  private let cut = Mutex<CommitCutter.Cut?>(nil)

  init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

  /// Has no answer reach the client from now on.
  func mute(_ cut: CommitCutter.Cut) { self.cut.withLock { $0 = cut } }

  func end() { for end in [client, server] { shutdown(end, Int32(SHUT_RDWR)) } }

  func passAnswers(but isSwallowed: ([UInt8]) -> Bool) {
    defer { if cut.withLock({ $0 }) != .silence { end() } }
    while let message = message(from: server) {
      if isSwallowed(message) { continue }
      guard let cut = cut.withLock({ $0 }) else {
        guard send(message, to: client) else { return }
        continue
      }
      // Ready for the next query: it is committed.
      if message[0] == UInt8(ascii: "Z"), cut == .after { return }
    }
  }

  /// Receives a message of the protocol; nil at the end.
  func message(from source: Int32, hasType: Bool = true) -> [UInt8]? {
    var message: [UInt8] = []
    guard receive(hasType ? 5 : 4, from: source, into: &message) else { return nil }
    let size = message.suffix(4).reduce(0) { $0 << 8 | Int($1) }
    return receive(size - 4, from: source, into: &message) ? message : nil
  }

  private func receive(_ count: Int, from source: Int32, into bytes: inout [UInt8]) -> Bool {
    let end = bytes.count + count
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < end {
      let size = recv(source, &part, min(part.count, end - bytes.count), 0)
      guard size > 0 else { return false }
      bytes += part[..<size]
    }
    return true
  }

  func send(_ bytes: [UInt8], to target: Int32) -> Bool {
    Glibc.send(target, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }
}
