import Dispatch
import HTTP1
import Synchronization

/// An HTTP/1.1 server built on epoll and Dispatch.
///
/// ```swift
/// let server = ConnectionServer(ServerConfiguration(listeners: [listener]))
/// let addresses = try server.start()
/// await server.shutdown(within: .seconds(20))
/// ```
public final class ConnectionServer: Sendable {
  private let state: ServerState
  let loops: [EventLoop]
  private let timeouts = DispatchQueue(label: "livedelta.shutdown")

  /// Creates a server that is not listening yet.
  public init(_ configuration: ServerConfiguration) {
    let state = ServerState(configuration)
    self.state = state
    loops = (0..<max(1, configuration.loops)).map { EventLoop(state, number: $0) }
  }

  /// Binds all addresses and starts serving; call it once.
  ///
  /// - Returns: The bound addresses, in the order of the listeners; a host name may resolve to
  ///   several.
  /// - Throws: ``ListenError`` for the first address that cannot be bound; none is listened on
  ///   then.
  public func start() throws(ListenError) -> [BoundAddress] {
    var sockets: [[ListeningSocket]] = []
    do throws(ListenError) {
      for listener in state.configuration.listeners {
        sockets.append(
          try ListeningSocket.open(
            listener.address, backlog: state.configuration.limits.listenBacklog))
      }
    } catch {
      for socket in sockets.joined() { socket.close() }
      throw error
    }
    serve(sockets)
    return sockets.joined().map(\.bound)
  }

  private func serve(_ sockets: [[ListeningSocket]]) {
    var services: [Service] = []
    for (listener, group) in zip(state.configuration.listeners, sockets) {
      let service = Service(listener)
      services.append(contentsOf: group.map { _ in service })
    }
    state.noteListening()
    for loop in loops {
      loop.peers = loops
      loop.start()
    }
    loops[0].mailbox.post(
      .run { [first = loops[0], services] in first.listen(Array(sockets.joined()), services) })
  }

  /// The number of open connections.
  public var connectionCount: Int { state.connectionCount }

  /// Closes the listeners; open connections are kept.
  public func stopAccepting() {
    loops[0].mailbox.post(.run { [first = loops[0]] in first.stopAccepting() })
  }

  /// Closes each connection after its next response, while new connections are accepted and idle
  /// ones are kept.
  public func announceEnd() {
    for loop in loops { loop.mailbox.post(.run { loop.endsSoon = true }) }
  }

  /// Checks whether every event loop responds.
  ///
  /// - Parameters:
  ///   - limit: How long to wait.
  ///   - completion: Called once, on any thread, with whether all responded in time.
  public func probe(within limit: Duration, completion: @escaping @Sendable (Bool) -> Void) {
    let probe = Probe(loops.count, completion)
    for loop in loops { loop.mailbox.post(.run { probe.note() }) }
    timeouts.asyncAfter(deadline: .now() + .milliseconds(Int(clamping: limit.milliseconds))) {
      probe.expire()
    }
  }

  /// Closes idle connections, and every other one after its next response.
  public func drain() {
    for loop in loops { loop.mailbox.post(.run { loop.drain() }) }
  }

  /// Stops accepting, drains, waits for pending responses, and stops.
  ///
  /// - Parameters:
  ///   - limit: How long to wait before remaining connections are closed. Handlers should have
  ///     answered waiting requests and finished streams.
  ///   - completion: Called once, on any thread, when no connection is left.
  public func shutdown(within limit: Duration, completion: @escaping @Sendable () -> Void) {
    stopAccepting()
    drain()
    // On a queue of its own, since a busy loop might not get to it.
    let milliseconds = Int(clamping: limit.milliseconds)
    timeouts.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [loops] in
      for loop in loops { loop.mailbox.post(.run { loop.abort() }) }
    }
    state.whenEmpty { [loops] in
      for loop in loops { loop.mailbox.post(.run { loop.stop() }) }
      completion()
    }
  }

  /// Stops accepting, drains, waits for pending responses, and stops.
  ///
  /// - Parameter limit: How long to wait before remaining connections are closed.
  public func shutdown(within limit: Duration) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      shutdown(within: limit) { done.resume() }
    }
  }
}

/// Counts the responses of event loops until all have responded or the time is up.
private final class Probe: Sendable {
  private let missing: Atomic<Int>
  private let completion: Mutex<(@Sendable (Bool) -> Void)?>

  init(_ count: Int, _ completion: @escaping @Sendable (Bool) -> Void) {
    missing = Atomic(count)
    self.completion = Mutex(completion)
  }

  func note() {
    if missing.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { tell(true) }
  }

  func expire() { tell(false) }

  private func tell(_ isAlive: Bool) {
    let completion = completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
    completion?(isAlive)
  }
}
