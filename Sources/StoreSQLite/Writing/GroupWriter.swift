import CollectionService
import GRDB
import Glibc
import Synchronization

/// Puts the writes of many callers into one transaction with one sync.
///
/// While a group is on its way to the disk the next one gathers: the slower the disk, the larger
/// the groups. Nobody waits for others to come. A large write has parts, each with a transaction and
/// a sync of its own, and other writes between two of them.
final class GroupWriter: Sendable {
  /// A write, and its completion.
  struct Job: Sendable {
    /// What is written first, one in a transaction; the next one is the last in the array.
    var parts: [@Sendable (StoreTables) throws -> Void] = []
    /// Writes; returns a refusal before it has written anything.
    var work: @Sendable (StoreTables) throws -> StoreError?
    var completion: @Sendable (StoreError?) -> Void
    /// About how many bytes `work` writes.
    var byteCount = 0
    /// Whether it belongs to an image that is renewed, for which nobody waits.
    var isImage = false

    var isLarge: Bool { byteCount > TransactionLine.smallBytesMax || !parts.isEmpty }
  }

  private struct State {
    var line = TransactionLine()
    var isRunning = false
  }

  private let pool: DatabasePool
  private let state = Mutex(State())
  private let failing = Atomic<Bool>(false)
  private let heads = HeadCache()
  /// Called on the writer's queue between two groups, with whether one of something large was
  /// written.
  private let pause: @Sendable (Database, _ wasLarge: Bool) -> Void
  private let faults: FaultSink

  /// Whether the last write worked.
  var isReady: Bool { !failing.load(ordering: .relaxed) }

  init(
    _ pool: DatabasePool, faults: @escaping FaultSink,
    pause: @escaping @Sendable (Database, _ wasLarge: Bool) -> Void
  ) {
    self.pool = pool
    self.faults = faults
    self.pause = pause
  }

  /// Takes a write into the next group.
  func submit(_ job: Job) {
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

  private func writePart(of job: Job, _ db: Database) {
    var job = job
    let part = job.parts.removeLast()
    do {
      try commit(db, part)
      failing.store(false, ordering: .relaxed)
      state.withLock { $0.line.resume(job) }
    } catch {
      fail([job], StoreError(error))
    }
  }

  private func next() -> [Job]? {
    state.withLock { state in
      let group = state.line.next()
      if group == nil { state.isRunning = false }
      return group
    }
  }

  private func write(_ group: [Job], _ db: Database) {
    do {
      let refusals = try commit(db) { tables in try group.map { try $0.work(tables) } }
      failing.store(false, ordering: .relaxed)
      for (job, refusal) in zip(group, refusals) { job.completion(refusal) }
    } catch {
      let failure = StoreError(error)
      // What one of them brought about is not the others' fault; a disk that does not sync is
      // nobody's, and is not asked again for the same.
      if case .unsynced = failure {
        fail(group, failure)
      } else if group.count > 1 {
        for job in group { write([job], db) }
      } else {
        fail(group, failure)
      }
    }
  }

  private func fail(_ group: [Job], _ failure: StoreError) {
    if failure.isOutage { failing.store(true, ordering: .relaxed) }
    for job in group { job.completion(failure) }
  }

  private func commit<T>(_ db: Database, _ work: (StoreTables) throws -> T) throws -> T {
    // SQLite keeps the number of the system's error for its caller, but not of one in a COMMIT
    // (sqlite3_system_errno, as of 3.40): it is what the system call left in `errno`.
    errno = 0
    do {
      try db.beginTransaction(.immediate)
      let result = try work(StoreTables(db: db, heads: heads))
      try db.commit()
      return result
    } catch {
      // First of all, before anything else sets it.
      let failure = StoreError(error, systemError: errno)
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
