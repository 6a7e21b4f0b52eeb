import Glibc

/// A blocking client on a raw socket: the server gets exactly what it sends, and nothing is
/// decoded of what comes back.
///
/// `@unchecked Sendable`: one thread uses it at a time; `RawConnection` has a queue for that.
package final class RawClient: @unchecked Sendable {
  /// Why a client has no response.
  package enum Failure: Error {
    case connect(Int32)
    case receive(Int32)
    /// The connection ended after these bytes.
    case ended(String)
  }

  private let descriptor: Int32
  private var received: [UInt8] = []

  /// Connects to a port of this machine.
  package init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    try connect(&name)
  }

  /// Connects to a Unix socket.
  package init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
    try connect(&name)
  }

  deinit { close(descriptor) }

  private func connect<Name>(_ name: inout Name) throws {
    let result = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Name>.size))
      }
    }
    guard result == 0 else { throw Failure.connect(errno) }
    // A test that waits for what never comes ends with an error.
    setOption(SO_RCVTIMEO, timeval(tv_sec: 120, tv_usec: 0))
  }

  /// Has the connection end with a reset, as of a program that was killed with bytes unread.
  package func resetOnClose() { setOption(SO_LINGER, linger(l_onoff: 1, l_linger: 0)) }

  private func setOption<Value: BitwiseCopyable>(_ option: Int32, _ value: Value) {
    var value = value
    setsockopt(descriptor, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  // MARK: Sending

  package func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends bytes; what the server does not take any more is dropped.
  package func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Shuts the sending side.
  package func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  // MARK: Receiving

  /// Reads one response: its head, and the body that its head announces.
  package func response(toHead isHead: Bool = false) throws -> RawResponse {
    var response = try head()
    guard !isHead, response.hasBody else { return response }
    if response["transfer-encoding"] == "chunked" {
      while let chunk = try chunk() { response.body += chunk }
    } else {
      response.body = try bytes(Int(response["content-length"] ?? "") ?? 0)
    }
    return response
  }

  /// Reads the head of a response.
  package func head() throws -> RawResponse {
    RawResponse(head: try block(endingWith: "\r\n\r\n"))
  }

  /// Reads a chunk of a streamed body; nil for the last.
  package func chunk() throws -> [UInt8]? {
    let line = try block(endingWith: "\r\n")
    guard let size = Int(line, radix: 16) else { throw Failure.ended(line) }
    let data = try bytes(size + 2).dropLast(2)
    return size == 0 ? nil : Array(data)
  }

  /// Reads up to a mark, which is dropped.
  package func block(endingWith mark: String) throws -> String {
    let mark = Array(mark.utf8)
    var searched = 0
    while true {
      if let range = received[searched...].firstRange(of: mark) {
        let block = String(decoding: received[..<range.lowerBound], as: UTF8.self)
        received.removeFirst(range.upperBound)
        return block
      }
      searched = max(0, received.count - mark.count + 1)
      try receiveMore()
    }
  }

  /// Reads a number of bytes.
  package func bytes(_ count: Int) throws -> [UInt8] {
    while received.count < count { try receiveMore() }
    defer { received.removeFirst(count) }
    return Array(received.prefix(count))
  }

  /// Reads until the server ends the connection.
  package func rest() throws -> String {
    while try receive() {}
    defer { received = [] }
    return String(decoding: received, as: UTF8.self)
  }

  /// Whether bytes or the end can be read within a time.
  package func isReadable(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return !received.isEmpty || poll(&entry, 1, milliseconds) == 1
  }

  private func receiveMore() throws {
    guard try receive() else { throw Failure.ended(String(decoding: received, as: UTF8.self)) }
  }

  /// Whether anything came before the end.
  private func receive() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw Failure.receive(errno) }
    received.append(contentsOf: buffer.prefix(count))
    return count > 0
  }
}
