import Dispatch
import Synchronization
import VersionedCollections

/// Connections that do work from one queue, on threads of a dispatch queue, because they block.
final class PostgresPool<Work: Sendable>: Sendable {
  /// Does work; returns the loss of the connection, with the work that it has not completed.
  typealias Perform = @Sendable ([Work], PostgresConnection) -> LostConnection<Work>?

  private struct State {
    var waiting: [Work] = []
    /// When each began to wait.
    var dates: [ContinuousClock.Instant] = []
    /// The connections that wait for work; nil if one is not open.
    var idle: [PostgresConnection?]
    var isClosed = false

    mutating func take(_ choose: (inout [Work]) -> [Work]) -> [Work] {
      let count = waiting.count
      defer { dates.removeFirst(count - waiting.count) }
      return choose(&waiting)
    }

    /// Takes what has waited since before a date.
    mutating func takeLate(_ date: ContinuousClock.Instant) -> [Work] {
      let count = dates.prefix { $0 < date }.count
      return take { waiting in
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
      }
    }
  }

  private let link: PostgresLink
  private let state: Mutex<State>
  private let queue: DispatchQueue
  /// Takes what to do next from what waits, which is not empty.
  private let take: @Sendable (inout [Work]) -> [Work]
  private let perform: Perform
  private let refuse: @Sendable (Work, StoreError) -> Void

  /// - Parameters:
  ///   - link: How to connect.
  ///   - count: The number of connections.
  ///   - label: The name of the queues.
  ///   - take: Takes what to do next from what waits, which is not empty.
  ///   - perform: Does it.
  ///   - refuse: Completes work with an error, before it has begun.
  init(
    _ link: PostgresLink, count: Int, label: String,
    take: @escaping @Sendable (inout [Work]) -> [Work],
    perform: @escaping Perform,
    refuse: @escaping @Sendable (Work, StoreError) -> Void
  ) {
    self.link = link
    self.take = take
    self.perform = perform
    self.refuse = refuse
    state = Mutex(State(idle: Array(repeating: nil, count: count)))
    queue = DispatchQueue(label: "livedelta.postgres.\(label)", attributes: .concurrent)
  }

  /// Whether it takes no more work.
  var isClosed: Bool { state.withLock(\.isClosed) }

  /// Adds work; refuses it if too much waits or the database is away.
  ///
  /// What has waited for `answerSeconds` when a connection is free is refused then.
  func submit(_ work: Work) {
    if link.secondsAway != nil { return refuse(work, .unavailable("the database is away")) }
    let limit = link.options.database.queuedMax
    let verdict = state.withLock { state -> Submission in
      if state.isClosed { return .refused("the store is closed") }
      guard state.waiting.count < limit else { return .refused("\(limit) requests wait") }
      state.waiting.append(work)
      state.dates.append(.now)
      guard let connection = state.idle.popLast() else { return .waits }
      return .starts(connection)
    }
    switch verdict {
    case .waits: break
    case .refused(let reason): refuse(work, .unavailable(reason))
    case .starts(let connection): queue.async { self.drain(connection) }
    }
  }

  private func drain(_ first: PostgresConnection?) {
    var connection = first
    let seconds = link.options.database.answerSeconds
    while true {
      let oldest = ContinuousClock.now - .seconds(seconds)
      let (late, work) = state.withLock { state -> ([Work], [Work]?) in
        let late = state.takeLate(oldest)
        if !state.waiting.isEmpty { return (late, state.take(take)) }
        state.idle.append(state.isClosed ? nil : connection)
        return (late, nil)
      }
      for one in late { refuse(one, .unavailable("no connection was free for \(seconds) s")) }
      guard let work else { return }
      perform(work, &connection)
    }
  }

  /// Does work, as often on another connection as one is lost before anything came of it, within reason.
  private func perform(_ work: [Work], _ connection: inout PostgresConnection?) {
    var work = work
    var failure = PostgresFailure(state: "", text: "the connection was lost")
    for _ in 1...Self.attemptsMax where !work.isEmpty {
      if connection?.isAlive == false { connection = nil }
      do throws(PostgresFailure) {
        let open = if let connection { connection } else { try link.connect() }
        connection = open
        guard let loss = perform(work, open) else { return link.noteContact() }
        connection = nil
        (work, failure) = (loss.untouched, loss.failure)
      } catch {
        failure = error
        break
      }
    }
    for one in work { refuse(one, .unavailable(failure.text)) }
  }

  private static var attemptsMax: Int { 3 }

  /// Refuses what follows, and closes the connections once they are idle.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for index in state.idle.indices { state.idle[index] = nil }
    }
  }
}

/// The loss of a connection while it did work.
struct LostConnection<Work: Sendable> {
  var failure: PostgresFailure
  /// The work that was neither done nor completed: another connection can do it.
  var untouched: [Work] = []
}

/// What becomes of work that is submitted.
private enum Submission {
  /// A connection takes it when it has done what it is doing.
  case waits
  /// An idle connection takes it, which must be opened if nil.
  case starts(PostgresConnection?)
  case refused(String)
}
