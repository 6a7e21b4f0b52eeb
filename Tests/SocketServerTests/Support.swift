import Dispatch
import Glibc
import HTTP1
import SocketServer
import Synchronization
import Testing

/// Raises this process's limit of open descriptors, as far as it may be raised.
func allowDescriptors(_ count: rlim_t) {
  let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var limit = rlimit()
  getrlimit(resource, &limit)
  guard limit.rlim_cur < count else { return }
  limit.rlim_cur = min(limit.rlim_max, count)
  setrlimit(resource, &limit)
}

/// A blocking client on a raw socket: what it sends is exactly what the server gets.
final class Client {
  let descriptor: Int32
  private var received: [UInt8] = []

  init(_ address: BoundAddress) throws {
    switch address {
    case .tcp(_, let port):
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_port = port.bigEndian
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      try connect(&name, MemoryLayout<sockaddr_in>.size)
    case .unix(let path):
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
      try connect(&name, MemoryLayout<sockaddr_un>.size)
    }
    // A test that waits for what never comes ends with an error.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  private func connect<Name>(_ name: inout Name, _ size: Int) throws {
    let result = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(size))
      }
    }
    guard result == 0 else { throw ClientError.connect(errno) }
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Has the connection end with a reset, as of a program that was killed with bytes unread.
  func resetOnClose() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Shuts the sending side.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads one answer: its head, and the body that its head says.
  func answer(toHead isHead: Bool = false) throws -> Answer {
    while true {
      if let (answer, count) = Answer.parse(received, isHead: isHead) {
        received.removeFirst(count)
        return answer
      }
      guard try receive() else {
        throw ClientError.ended(String(decoding: received, as: UTF8.self))
      }
    }
  }

  /// Reads until there are as many bytes.
  func bytes(_ count: Int) throws -> [UInt8] {
    while received.count < count {
      guard try receive() else {
        throw ClientError.ended(String(decoding: received, as: UTF8.self))
      }
    }
    defer { received.removeFirst(count) }
    return Array(received.prefix(count))
  }

  /// Reads until the server ends the connection; gives what came.
  func rest() throws -> String {
    while try receive() {}
    defer { received = [] }
    return String(decoding: received, as: UTF8.self)
  }

  /// Tells whether anything can be read, or the end, within a time.
  func isReadable(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return !received.isEmpty || poll(&entry, 1, milliseconds) == 1
  }

  private func receive() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 else { throw ClientError.receive(errno) }
    received.append(contentsOf: buffer.prefix(count))
    return count > 0
  }
}

enum ClientError: Error {
  case connect(Int32)
  case receive(Int32)
  case ended(String)
}

/// An answer as it came over the wire.
struct Answer {
  var status = 0
  var head = ""
  var body: [UInt8] = []

  var text: String { String(decoding: body, as: UTF8.self) }

  func field(_ name: String) -> String? {
    for line in head.split(separator: "\r\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name {
        return String(parts[1].drop { $0 == " " })
      }
    }
    return nil
  }

  static func parse(_ bytes: [UInt8], isHead: Bool) -> (Answer, Int)? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    var answer = Answer()
    answer.head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    answer.status = Int(answer.head.dropFirst(9).prefix(3)) ?? 0
    if isHead || answer.status < 200 || answer.status == 204 || answer.status == 304 {
      return (answer, end.upperBound)
    }
    if answer.field("transfer-encoding") == "chunked" {
      return parseChunks(answer, bytes, end.upperBound)
    }
    let length = answer.field("content-length").flatMap { Int($0) } ?? 0
    guard bytes.count >= end.upperBound + length else { return nil }
    answer.body = Array(bytes[end.upperBound...].prefix(length))
    return (answer, end.upperBound + length)
  }

  private static func parseChunks(
    _ head: Answer, _ bytes: [UInt8], _ start: Int
  ) -> (Answer, Int)? {
    var answer = head
    var position = start
    while let line = bytes[position...].firstRange(of: [0x0D, 0x0A]) {
      let size = Int(String(decoding: bytes[position..<line.lowerBound], as: UTF8.self), radix: 16)
      guard let size, bytes.count >= line.upperBound + size + 2 else { return nil }
      answer.body += bytes[line.upperBound..<(line.upperBound + size)]
      position = line.upperBound + size + 2
      if size == 0 { return (answer, position) }
    }
    return nil
  }
}

/// Runs a server on a free port for the time of a test.
func withServer(
  limits: ServerLimits = ServerLimits(), clock: ServerClock = .system, loops: Int = 2,
  headCheck: HeadCheck? = nil, onEvent: (@Sendable (ServerEvent) -> Void)? = nil,
  handler: @escaping Handler, test: (ConnectionServer, BoundAddress) throws -> Void
) throws {
  let listener = Listener(
    address: .tcp(host: "127.0.0.1", port: 0), headCheck: headCheck, handler: handler)
  var configuration = ServerConfiguration(listeners: [listener])
  configuration.limits = limits
  configuration.clock = clock
  configuration.loops = loops
  configuration.onEvent = onEvent
  let server = ConnectionServer(configuration)
  let addresses = try server.start()
  defer { server.stop() }
  try test(server, try #require(addresses.first))
}

extension ConnectionServer {
  /// Ends the server at once, and waits for it.
  ///
  /// Tests wait in their threads, not in tasks: they block the few threads that tasks have.
  func stop() {
    let ended = Signal()
    shutdown(within: .zero) { ended.send() }
    #expect(ended.wait())
  }
}

/// Where tests answer from when they do not answer on the event loop.
///
/// Not a task: tests block the few threads that tasks have.
let later = DispatchQueue(label: "later")

/// Answers with the method, the target and the body of the request.
@Sendable func echo(_ request: HTTPRequest, _ responder: Responder) {
  var response = HTTPResponse(status: 200)
  response.setField("Content-Type", "text/plain")
  let line = "\(request.method.rawValue) \(String(decoding: request.target, as: UTF8.self)) "
  response.body = .bytes(Array(line.utf8) + request.body)
  responder.send(response)
}

/// Keeps the responders of requests that wait.
final class Parked: Sendable {
  private let responders = Mutex<[Responder]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func park(_ responder: Responder) {
    responders.withLock { $0.append(responder) }
    arrived.signal()
  }

  /// Waits for the next request.
  func take() -> Responder {
    arrived.wait()
    return responders.withLock { $0.removeFirst() }
  }
}

/// Something that happens once, on another thread.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func send() { semaphore.signal() }

  /// Waits for it; tells whether it came.
  func wait() -> Bool { semaphore.wait(timeout: .now() + 20) == .success }
}

/// Counts from any thread.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  func add() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  var value: Int { count.load(ordering: .sequentiallyConsistent) }
}
