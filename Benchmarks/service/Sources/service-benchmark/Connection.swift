import Glibc

/// A connection that is kept, and answers that come whole.
final class Connection {
  struct Answer {
    var head: String
    var body: [UInt8]
    var status: Int { Int(head.dropFirst(9).prefix(3)) ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  let descriptor: Int32
  private var bytes: [UInt8] = []

  static func address(port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.address(port: port)
    let descriptor = descriptor
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      Glibc.close(descriptor)
      throw BenchmarkError(text: "no connection: \(errno)")
    }
    var one: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  func close() { _ = Glibc.close(descriptor) }

  /// Sends a request and waits for its answer, which has a length.
  func ask(
    _ method: String, _ path: String, _ fields: [String] = [], _ body: [UInt8]? = nil
  ) throws -> Answer {
    try send(method, path, fields, body)
    return try answer()
  }

  func send(
    _ method: String, _ path: String, _ fields: [String] = [], _ body: [UInt8]? = nil
  ) throws {
    var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
    for field in fields { head += field + "\r\n" }
    if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
    try send(Array((head + "\r\n").utf8))
    if let body { try send(body) }
  }

  func answer() throws -> Answer {
    let mark = Array("\r\n\r\n".utf8)
    while true {
      if let range = bytes.firstRange(of: mark) {
        let head = String(decoding: bytes[..<range.lowerBound], as: UTF8.self)
        bytes.removeFirst(range.upperBound)
        return Answer(head: head, body: try body(Self.length(head)))
      }
      try receive(65_536)
    }
  }

  private func body(_ count: Int) throws -> [UInt8] {
    bytes.reserveCapacity(count)
    while bytes.count < count { try receive(1 << 20) }
    defer { bytes.removeFirst(count) }
    return Array(bytes.prefix(count))
  }

  private static func length(_ head: String) -> Int {
    for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-length:") {
      return Int(line.dropFirst("content-length:".count).drop { $0 == " " }) ?? 0
    }
    return 0
  }

  private func send(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw BenchmarkError(text: "not sent: \(errno)") }
      sent += count
    }
  }

  private func receive(_ count: Int) throws {
    let old = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: count))
    let received = bytes[old...].withUnsafeMutableBytes {
      recv(descriptor, $0.baseAddress, count, 0)
    }
    bytes.removeLast(count - max(0, received))
    guard received > 0 else { throw BenchmarkError(text: "the connection ended") }
  }
}
