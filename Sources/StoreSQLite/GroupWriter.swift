import CollectionService
import GRDB
import Synchronization

/// Puts the writes of many callers into one transaction with one sync.
///
/// While a group is on its way to the disk the next one gathers: the slower the disk, the larger
/// the groups. Nobody waits for others to come.
final class GroupWriter: Sendable {
  /// What is to be written, and who is told.
  struct Job: Sendable {
    /// Writes; returns a refusal before it has written anything.
    var work: @Sendable (StoreTables) throws -> StoreError?
    var completion: @Sendable (StoreError?) -> Void
  }

  private struct State {
    var jobs: [Job] = []
    var isRunning = false
  }

  private let pool: DatabasePool
  private let state = Mutex(State())
  private let failing = Atomic<Bool>(false)
  private let heads = HeadCache()
  /// Called on the writer's queue between two groups.
  private let pause: @Sendable (Database) -> Void

  /// Whether the last write worked.
  var isReady: Bool { !failing.load(ordering: .relaxed) }

  init(_ pool: DatabasePool, pause: @escaping @Sendable (Database) -> Void) {
    self.pool = pool
    self.pause = pause
  }

  /// Takes a write into the next group.
  func submit(_ job: Job) {
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { pool.asyncWriteWithoutTransaction { self.drain($0) } }
  }

  private func drain(_ db: Database) {
    while let group = next() {
      write(group, db)
      pause(db)
    }
  }

  private func next() -> [Job]? {
    state.withLock { state in
      if state.jobs.isEmpty {
        state.isRunning = false
        return nil
      }
      let group = state.jobs
      state.jobs = []
      return group
    }
  }

  private func write(_ group: [Job], _ db: Database) {
    do {
      let refusals = try commit(group, db)
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

  private func commit(_ group: [Job], _ db: Database) throws -> [StoreError?] {
    do {
      try db.beginTransaction(.immediate)
      let tables = StoreTables(db: db, heads: heads)
      let refusals = try group.map { try $0.work(tables) }
      try db.commit()
      return refusals
    } catch {
      heads.clear()
      if db.isInsideTransaction { try? db.rollback() }
      throw error
    }
  }
}

extension StoreError {
  /// Whether other writes would fail too.
  var isOutage: Bool {
    switch self {
    case .full, .unavailable, .unsynced: true
    case .conflict, .damaged: false
    }
  }

  init(_ error: any Error) {
    if let damage = error as? DamagedData {
      self = .damaged(damage.reason)
      return
    }
    // A value of another type than what was written: where a flipped bit is in a row's header.
    if let error = error as? RowDecodingError {
      self = .damaged("\(error)")
      return
    }
    guard let error = error as? DatabaseError else {
      self = .unavailable("\(error)")
      return
    }
    let text = "SQLite error \(error.extendedResultCode.rawValue): \(error.message ?? "")"
    switch (error.resultCode, error.extendedResultCode) {
    case (.SQLITE_FULL, _), (_, .SQLITE_IOERR_SHMSIZE): self = .full
    case (.SQLITE_CORRUPT, _), (.SQLITE_NOTADB, _): self = .damaged(text)
    case (_, .SQLITE_IOERR_FSYNC), (_, .SQLITE_IOERR_DIR_FSYNC): self = .unsynced(text)
    default: self = .unavailable(text)
    }
  }
}
