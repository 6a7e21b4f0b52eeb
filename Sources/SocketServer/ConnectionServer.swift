import Dispatch
import HTTP1
import Synchronization

/// An HTTP/1.1 server on sockets and Dispatch.
///
/// ```swift
/// let server = ConnectionServer(ServerConfiguration(listeners: [listener]))
/// let addresses = try server.start()
/// await server.shutdown(within: .seconds(20))
/// ```
public final class ConnectionServer: Sendable {
  private let state: ServerState
  private let loops: [EventLoop]
  private let timeouts = DispatchQueue(label: "livedelta.shutdown")

  /// Makes a server that does not listen yet.
  public init(_ configuration: ServerConfiguration) {
    let state = ServerState(configuration)
    self.state = state
    loops = (0..<max(1, configuration.loops)).map { EventLoop(state, number: $0) }
  }

  /// Listens on all addresses and begins to serve; call it once.
  ///
  /// - Returns: where it listens, in the order of the listeners; a host name that stands for several
  ///   addresses has several.
  /// - Throws: ``ListenError`` for the first address that cannot be had; none is listened on then.
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
    state.isListening.store(true, ordering: .sequentiallyConsistent)
    for loop in loops {
      loop.peers = loops
      loop.start()
    }
    loops[0].mailbox.post(.run { [services] in $0.listen(Array(sockets.joined()), services) })
  }

  /// The connections that are open.
  public var connectionCount: Int { state.connectionCount.load(ordering: .sequentiallyConsistent) }

  /// Closes the listeners; open connections stay.
  public func stopAccepting() {
    loops[0].mailbox.post(.run { $0.stopAccepting() })
  }

  /// Has every connection end with its next response, and serves on: new ones are accepted, idle ones
  /// are kept.
  public func announceEnd() {
    for loop in loops { loop.mailbox.post(.run { $0.endsSoon = true }) }
  }

  /// Checks that every event loop responds.
  ///
  /// - Parameters:
  ///   - limit: How long to wait.
  ///   - completion: Called once, on any thread, with whether all responded in time.
  public func probe(within limit: Duration, completion: @escaping @Sendable (Bool) -> Void) {
    let probe = Probe(loops.count, completion)
    for loop in loops { loop.mailbox.post(.run { _ in probe.note() }) }
    timeouts.asyncAfter(deadline: .now() + .milliseconds(Int(clamping: limit.milliseconds))) {
      probe.expire()
    }
  }

  /// Closes idle connections, and has every other end with its next response.
  public func drain() {
    for loop in loops { loop.mailbox.post(.run { $0.drain() }) }
  }

  /// Stops accepting, drains, waits for the responses in flight, and ends.
  ///
  /// - Parameters:
  ///   - limit: how long to wait; then what is left is broken off. Requests that are parked should
  ///     have been answered, and streams finished, by their handlers.
  ///   - completion: called once, on any thread, when no connection is left.
  public func shutdown(within limit: Duration, completion: @escaping @Sendable () -> Void) {
    stopAccepting()
    drain()
    // Not on a loop's queue, which a busy loop does not leave.
    let milliseconds = Int(clamping: limit.milliseconds)
    timeouts.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [loops] in
      for loop in loops { loop.mailbox.post(.run { $0.abort() }) }
    }
    state.whenEmpty { [loops] in
      for loop in loops { loop.mailbox.post(.run { $0.stop() }) }
      completion()
    }
  }

  /// Stops accepting, drains, waits for the responses in flight, and ends.
  ///
  /// - Parameter limit: how long to wait; then what is left is broken off.
  public func shutdown(within limit: Duration) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      shutdown(within: limit) { done.resume() }
    }
  }
}

/// Counts the responses of event loops until all have responded or the time is over.
private final class Probe: Sendable {
  private let missing: Atomic<Int>
  private let completion: Mutex<(@Sendable (Bool) -> Void)?>

  init(_ count: Int, _ completion: @escaping @Sendable (Bool) -> Void) {
    missing = Atomic(count)
    self.completion = Mutex(completion)
  }

  /// Counts a response.
  func note() {
    if missing.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { tell(true) }
  }

  /// Ends the wait.
  func expire() { tell(false) }

  private func tell(_ isAlive: Bool) {
    let completion = completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
    completion?(isAlive)
  }
}
