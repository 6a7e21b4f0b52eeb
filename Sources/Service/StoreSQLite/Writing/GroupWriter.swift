import GRDB
import Glibc
import Synchronization
import VersionedCollections

/// Combines the writes of many callers into one transaction with one sync.
///
/// While a group is being written, the next one accumulates: the slower the disk, the larger the
/// groups. A group never waits for more writes. A large write has parts, each with its own
/// transaction and sync, and other writes are committed between them.
final class GroupWriter: Sendable {
  private struct State {
    var line = TransactionQueue()
    var isRunning = false
    var statistics = StoreStatistics()
  }

  private let pool: any StoreConnections
  private let state = Mutex(State())
  private let failing = Mutex<StoreOutage?>(nil)
  private let heads = HeadCache()
  private let reserve: DiskReserve?
  /// Called on the writer's queue between two groups, with whether the last one was large.
  private let pause: @Sendable (Database, _ wasLarge: Bool) -> Void
  private let faults: FaultSink

  /// Why the last write failed; nil if it succeeded.
  var outage: StoreOutage? { failing.withLock(\.self) }

  /// Whether the last write succeeded.
  var isReady: Bool { outage == nil }

  init(
    _ pool: any StoreConnections, _ reserve: DiskReserve? = nil, faults: @escaping FaultSink,
    pause: @escaping @Sendable (Database, _ wasLarge: Bool) -> Void
  ) {
    self.pool = pool
    self.reserve = reserve
    self.faults = faults
    self.pause = pause
  }

  /// The groups so far, and the writes in line.
  var statistics: StoreStatistics {
    state.withLock { state in
      var statistics = state.statistics
      statistics.queuedWrites = state.line.count
      return statistics
    }
  }

  /// Adds a write to the next group.
  func submit(_ job: WriteJob) {
    let isFirst = state.withLock { state in
      state.line.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { pool.asyncWriteWithoutTransaction { self.drain($0) } }
  }

  private func drain(_ db: Database) {
    while let group = next() {
      let isLarge = group[0].isLarge
      if group[0].parts.isEmpty { write(group, db) } else { writePart(of: group[0], db) }
      pause(db, isLarge)
    }
  }

  private func writePart(of job: WriteJob, _ db: Database) {
    var job = job
    let part = job.parts.removeLast()
    do {
      try commit(db, part)
      failing.withLock { $0 = nil }
      state.withLock { $0.line.resume(job) }
    } catch {
      var failure = StoreError(error)
      // Without the final transaction nobody sees the part.
      if case .unknown(let text) = failure { failure = .unavailable(text) }
      fail([job], failure)
    }
  }

  private func next() -> [WriteJob]? {
    state.withLock { state in
      guard let group = state.line.next() else {
        state.isRunning = false
        return nil
      }
      state.statistics.groups += 1
      if group[0].parts.isEmpty { state.statistics.writes += group.count }
      return group
    }
  }

  private func write(_ group: [WriteJob], _ db: Database) {
    do {
      let refusals = try commit(db) { tables in try group.map { try $0.work(tables) } }
      failing.withLock { $0 = nil }
      for (job, refusal) in zip(group, refusals) { job.completion(refusal) }
    } catch {
      let failure = StoreError(error)
      // Retry the writes individually, so that one does not fail because of another. If the disk
      // does not sync, or they may have been committed, they all fail and are not retried.
      switch failure {
      case .unsynced, .unknown: fail(group, failure)
      case _ where group.count > 1: for job in group { write([job], db) }
      // There is no second time: the reserve is empty then.
      case .full where group[0].frees && reserve?.release() == true: write(group, db)
      default: fail(group, failure)
      }
    }
  }

  private func fail(_ group: [WriteJob], _ failure: StoreError) {
    if let outage = failure.outage { failing.withLock { $0 = outage } }
    for job in group { job.completion(failure) }
  }

  private func commit<T>(_ db: Database, _ work: (StoreTables) throws -> T) throws -> T {
    // SQLite keeps the error number of the system for its caller, but not if COMMIT fails
    // (sqlite3_system_errno, as of 3.40); in that case `errno` still has it.
    errno = 0
    var isCommitting = false
    do {
      try db.beginTransaction(.immediate)
      let result = try work(StoreTables(db: db, faults: faults, heads: heads))
      isCommitting = true
      try db.commit()
      return result
    } catch {
      // This must come first, before anything else sets `errno`.
      let failure = StoreError(error, systemError: errno, isCommitting: isCommitting)
      heads.clear()
      rollBack(db)
      throw failure
    }
  }

  private func rollBack(_ db: Database) {
    guard db.isInsideTransaction else { return }
    do {
      try db.rollback()
    } catch {
      let failure = StoreError(error, on: db)
      faults(Fault(.storeUnavailable, "a transaction was not rolled back: \(failure.text)"))
    }
  }
}
