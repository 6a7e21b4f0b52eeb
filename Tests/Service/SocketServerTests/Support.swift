import Dispatch
import Glibc
import HTTP1
import SocketServer
import Synchronization
import TestSupport
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

extension RawClient {
  /// Connects to where a server listens.
  convenience init(_ address: BoundAddress) throws {
    switch address {
    case .tcp(_, let port): try self.init(port: port)
    case .unix(let path): try self.init(path: path)
    }
  }
}

extension ManualClock {
  /// What a server's configuration takes.
  var serverClock: ServerClock {
    ServerClock(
      milliseconds: { UInt64(self.now.offset / .milliseconds(1)) },
      secondsSince1970: { 784_111_777 + Int(self.now.offset / .seconds(1)) },
      onAdvance: { self.onAdvance($0) })
  }
}

/// Runs a server on a free port for the time of a test.
func withServer(
  limits: ServerLimits = ServerLimits(), clock: ServerClock = .system, loops: Int = 2,
  headCheck: HeadCheck? = nil, isBusy: (@Sendable () -> Bool)? = nil,
  onEvent: (@Sendable (ServerEvent) -> Void)? = nil,
  handler: @escaping Handler, test: (ConnectionServer, BoundAddress) throws -> Void
) throws {
  let listener = Listener(
    address: .tcp(host: "127.0.0.1", port: 0), headCheck: headCheck, handler: handler)
  var configuration = ServerConfiguration(listeners: [listener])
  configuration.limits = limits
  configuration.clock = clock
  configuration.loops = loops
  configuration.isBusy = isBusy
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
  func wait() -> Bool { semaphore.wait(timeout: .now() + 120) == .success }
}

/// Counts from any thread.
final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  func add() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  var value: Int { count.load(ordering: .sequentiallyConsistent) }
}
