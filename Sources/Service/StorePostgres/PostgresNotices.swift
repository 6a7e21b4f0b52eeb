import Dispatch
import Glibc
import Synchronization
import VersionedCollections

/// A connection of its own that tells other replicas which clients were written, listens to what
/// they tell, and sees once a second whether the database can be reached.
///
/// What is told is a hint. Clients that are written while a notification is under way are told
/// together in the next one.
final class PostgresNotices: Sendable {
  private struct State {
    var pending: Set<ResourceName> = []
    var report: (@Sendable ([ResourceName]?) -> Void)?
    var isClosed = false
    var probe = NoticeProbe()
  }

  private let link: PostgresLink
  private let queue = DispatchQueue(label: "livedelta.postgres.notices")
  private let state = Mutex(State())
  /// A pipe that ends waiting.
  private let wakeUp: (read: CInt, write: CInt)
  private let housekeep: @Sendable () -> Void
  /// Executes a statement on a connection of the store, and passes on whether it could.
  private let sendOnStore: Send

  typealias Send = @Sendable (PostgresStatement, @escaping @Sendable (Bool) -> Void) -> Void

  private static let channel = "livedelta"
  /// The most bytes of a payload, which PostgreSQL limits to 8,000.
  private static let payloadBytesMax = 7900
  private static let retryMilliseconds: Int32 = 200
  private static let heartbeatMilliseconds: Int32 = 1000

  /// `housekeep` is called every ten seconds while the database can be reached.
  init(
    _ link: PostgresLink, housekeep: @escaping @Sendable () -> Void, send: @escaping Send
  ) {
    self.link = link
    sendOnStore = send
    self.housekeep = housekeep
    var ends: [CInt] = [-1, -1]
    // Without the pipe what is told waits for the next heartbeat, a second at most.
    _ = pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    wakeUp = (ends[0], ends[1])
  }

  deinit {
    Glibc.close(wakeUp.read)
    Glibc.close(wakeUp.write)
  }

  /// Connects and begins to listen.
  func start() { queue.async { self.listen() } }

  /// Sets the function that learns of clients written by others.
  func report(to report: @escaping @Sendable ([ResourceName]?) -> Void) {
    state.withLock { $0.report = report }
  }

  /// Tells others that a client was written.
  func tell(_ client: ResourceName) {
    guard link.options.notices != .off else { return }
    let isFirst = state.withLock { state in
      state.pending.insert(client)
      return state.pending.count == 1
    }
    if isFirst { wake() }
  }

  /// Whether those of others arrive; nil if that is not known yet, or there are none.
  var arrive: Bool? { state.withLock(\.probe.arrives) }

  func close() {
    state.withLock { $0.isClosed = true }
    wake()
  }

  private var isClosed: Bool { state.withLock { $0.isClosed } }

  private func wake() {
    var byte: UInt8 = 0
    // Fails only if the pipe is full, and then it wakes already.
    _ = write(wakeUp.write, &byte, 1)
  }

  /// The connection string for notices if it is not that of the store.
  private var direct: String? {
    if case .on(let conninfo) = link.options.notices { conninfo } else { nil }
  }

  private func listen() {
    while !isClosed {
      do {
        let connection = try link.connect(
          to: direct, isProbe: true, timeoutMilliseconds: 2 * Self.heartbeatMilliseconds)
        if link.options.notices != .off { try connection.run("LISTEN \(Self.channel)") }
        // Whatever was told meanwhile was missed.
        report(nil)
        var next = (heartbeat: ContinuousClock.now, housekeeping: ContinuousClock.now)
        state.withLock { $0.probe.restart() }
        while !isClosed { try turn(connection, &next) }
      } catch {
        // Whether it was the database or only this connection, the next attempt tells.
        if !isClosed { _ = wait(nil, Self.retryMilliseconds) }
      }
    }
  }

  /// Sends and receives what there is, or waits for some.
  private func turn(
    _ connection: PostgresConnection,
    _ next: inout (heartbeat: ContinuousClock.Instant, housekeeping: ContinuousClock.Instant)
  ) throws(PostgresFailure) {
    if let payload = takePending() {
      try connection.run("SELECT pg_notify($1, $2)", [.text(Self.channel), .text(payload)])
      link.noteContact()
    } else {
      _ = wait(connection.socket, Self.heartbeatMilliseconds)
    }
    // Also while others tell without pause: until it succeeds no other connection is opened.
    if ContinuousClock.now >= next.heartbeat {
      try connection.run("SELECT 1")
      link.noteContact()
      next.heartbeat = .now + .milliseconds(Self.heartbeatMilliseconds)
      if ContinuousClock.now >= next.housekeeping {
        housekeep()
        sendProbe()
        next.housekeeping = .now + .seconds(10)
      }
    }
    for payload in try connection.notifications() {
      if !state.withLock({ $0.probe.take(payload) }) { report(Self.clients(payload)) }
    }
    judgeProbe()
  }

  /// Sends a probe on another connection than this one, as another replica would; if it cannot, that is done later.
  private func sendProbe() {
    guard link.options.notices != .off, state.withLock(\.probe.isDue) else { return }
    let payload = state.withLock { $0.probe.begin() }
    let statement = PostgresStatement(
      sql: "SELECT pg_notify($1, $2)", values: [.text(Self.channel), .text(payload)])
    let end: @Sendable (Bool) -> Void = { [weak self] isSent in
      self?.state.withLock {
        if isSent { $0.probe.noteSent(at: .now) } else { $0.probe.restart() }
      }
    }
    guard let direct else { return sendOnStore(statement, end) }
    do throws(PostgresFailure) {
      let connection = try PostgresConnection(
        direct, connectSeconds: link.options.database.connectSeconds,
        timeoutMilliseconds: 2 * Self.heartbeatMilliseconds)
      try connection.run(statement.sql, statement.values)
      end(true)
    } catch {
      end(false)
    }
  }

  /// Tells once that notices do not arrive.
  private func judgeProbe() {
    if state.withLock({ $0.probe.isNewlyOverdue(at: .now) }) {
      link.options.faults(
        Fault(
          .notices,
          "notices of other replicas do not arrive: what they write is seen up to a second later; if a pooler in "
            + "transaction mode is between, set database.notices to a postgres://... that leads past it, or to off"
        ))
    }
  }

  /// Waits for a socket or for being woken; false if neither happened in time.
  private func wait(_ socket: CInt?, _ milliseconds: Int32) -> Bool {
    var events = [
      pollfd(fd: wakeUp.read, events: Int16(POLLIN), revents: 0),
      pollfd(fd: socket ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&events, 2, milliseconds)
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(wakeUp.read, &bytes, bytes.count) > 0 {}
    return count > 0
  }

  private func report(_ clients: [ResourceName]?) {
    state.withLock { $0.report }?(clients)
  }

  /// The next payload: names with commas between them, or `*` if they are too many.
  private func takePending() -> String? {
    let names = state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
    if names.isEmpty { return nil }
    let payload = names.map(\.text).joined(separator: ",")
    return payload.utf8.count <= Self.payloadBytesMax ? payload : "*"
  }

  private static func clients(_ payload: String) -> [ResourceName]? {
    if payload == "*" { return nil }
    return payload.split(separator: ",").compactMap { ResourceName(String($0)) }
  }
}
