import Foundation
import Glibc

/// A plain connection to a server under test.
struct Connection {
  let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let descriptor = descriptor
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close()
      throw BenchmarkError.noConnection(errno)
    }
  }

  func ask(_ path: String) {
    let text = "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  /// Reads what is there, or waits for something.
  func read() {
    var buffer = [UInt8](repeating: 0, count: 8192)
    _ = recv(descriptor, &buffer, buffer.count, 0)
  }

  func close() { _ = Glibc.close(descriptor) }
}

/// Requests that wait, and are answered all at once.
enum Parked {
  /// Gives the milliseconds from the first answer to the last.
  static func run(against server: Server, count: Int) throws -> Double {
    let waiting = try (0..<count).map { _ in try Connection(port: server.port) }
    defer { for connection in waiting { connection.close() } }
    for connection in waiting { connection.ask("/park") }
    // Long enough for the server to have seen them all.
    usleep(500_000)
    let trigger = try Connection(port: server.port)
    defer { trigger.close() }
    trigger.ask("/release")
    return arrivals(of: waiting)
  }

  private static func arrivals(of connections: [Connection]) -> Double {
    var entries = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var first: UInt64?
    var last: UInt64 = 0
    var left = entries.count
    while left > 0 {
      guard poll(&entries, nfds_t(entries.count), 10_000) > 0 else { return .infinity }
      last = DispatchTime.now().uptimeNanoseconds
      first = first ?? last
      for index in entries.indices where entries[index].revents != 0 {
        entries[index].fd = -1
        entries[index].revents = 0
        left -= 1
      }
    }
    return Double(last - (first ?? last)) / 1e6
  }
}

/// Connections that are kept and not used.
enum Idle {
  /// Gives the bytes of resident memory that each takes.
  static func run(against server: Server, count: Int) throws -> Int {
    var limit = rlimit(rlim_cur: 20_000, rlim_max: 20_000)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let before = server.residentBytes
    let connections = try (0..<count).map { _ in
      let connection = try Connection(port: server.port)
      connection.ask("/health")
      connection.read()
      return connection
    }
    defer { for connection in connections { connection.close() } }
    return (server.residentBytes - before) / count
  }
}
