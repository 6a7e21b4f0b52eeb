import GRDB
import GRDBSQLite
import Glibc
import Synchronization
import VersionedCollections

/// Checkpoints the write-ahead log into the database and limits its size.
///
/// A checkpoint copies the pages that no reader needs from the log. The log restarts when it has
/// been copied completely and nobody is reading it. Overlapping short reads can prevent that, so
/// the checkpointer waits for them briefly when the log is long. It does not wait for a
/// backup, which reads much longer; the log grows until the backup ends.
///
/// The bulk of a log is copied on a separate connection while writers continue. The rest is copied
/// between two groups of writes, after which the log can restart. During a large write, the log is
/// copied in small steps, because each step ends with a sync of the database, which delays the
/// writers' syncs of the log.
final class LogCheckpointer: Sendable {
  private let options: StoreOptions
  /// The path of the database; nil in a simulation.
  private let path: String?
  /// The size of the log in pages, as of the last commit.
  private let pages = Atomic<Int>(0)
  private let checkpoints = Atomic<Int>(0)
  private let move = Mutex(Move())
  /// The connection that copies the bulk of the log; nil if it could not be opened, which is
  /// reported, and in which case everything is copied between groups.
  private let mover: DatabaseQueue?
  /// Whether to empty the log before the next group.
  private let truncates = Atomic<Bool>(false)
  /// The size of the log in pages at which to wait for readers again.
  private let restartPages: Atomic<Int>

  /// The progress of copying the bulk of the log.
  private struct Move {
    var isUnderWay = false
    var pages = 0
  }

  /// The size of a log in pages from which on the room on the disk counts.
  private static let pagesAlwaysKept = DiskReserve.bytes / 4096 / 4
  /// The number of pages copied in a step during a large write.
  private static let stepPages = 512
  /// The most pages that the writer's connection copies, if there is a mover.
  private static let restPages = 1024
  /// The longest time that a writer waits for readers, in milliseconds.
  private static let restartMilliseconds: CInt = 20
  /// The time that connections otherwise wait for locks, in seconds.
  static let busySeconds = 5

  init(_ options: StoreOptions, path: String?) {
    self.options = options
    self.path = path
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(Self.busySeconds))
    configuration.label = "livedelta.store.log"
    configuration.prepareDatabase { db in
      try db.execute(sql: options.durability.pragma + "; PRAGMA wal_autocheckpoint = 0")
    }
    // A store that is only read moves no log, which a connection that may write would do when it is closed.
    let path = options.isReadOnly ? nil : path
    do {
      mover = try path.map { try DatabaseQueue(path: $0, configuration: configuration) }
    } catch {
      mover = nil
      let text = StoreError(error).text
      options.faults(Fault(.checkpoint, "WAL checkpoints run between writes only: \(text)"))
    }
    restartPages = Atomic(options.checkpointPages * 4)
  }

  /// The size of the log in bytes as of the last commit, and the checkpoints so far.
  var statistics: (bytes: Int, checkpoints: Int) {
    (pages.load(ordering: .relaxed) * 4096, checkpoints.load(ordering: .relaxed))
  }

  /// Tracks the size of the log at each commit of the writer's connection.
  func watch(_ db: Database) {
    // The maintenance retains this object and outlives the connection.
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<LogCheckpointer>.fromOpaque(context).takeUnretainedValue()
          .pages.store(Int(pages), ordering: .relaxed)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Checkpoints a long log, or copies a step during a large write.
  ///
  /// Called on the writer's queue between two groups.
  func checkpoint(_ db: Database, wasLarge: Bool) {
    if truncates.exchange(false, ordering: .relaxed) { return truncate(db) }
    let pages = pages.load(ordering: .relaxed)
    if isTooLongForDisk(pages) { return truncate(db) }
    let isLong = pages >= options.checkpointPages
    guard isLong || wasLarge, !isMoving(pages, wasLarge ? Self.stepPages : Self.restPages), isLong
    else { return }
    let waits = pages >= restartPages.load(ordering: .relaxed)
    do {
      if waits { sqlite3_busy_timeout(db.sqliteConnection, Self.restartMilliseconds) }
      defer {
        if waits { sqlite3_busy_timeout(db.sqliteConnection, CInt(Self.busySeconds * 1000)) }
      }
      try db.checkpoint(waits ? .restart : .passive)
      checkpoints.add(1, ordering: .relaxed)
      if waits { restartPages.store(options.checkpointPages * 4, ordering: .relaxed) }
      self.pages.store(0, ordering: .relaxed)
      move.withLock { $0.pages = 0 }
    } catch {
      if waits { restartPages.store(pages + options.checkpointPages, ordering: .relaxed) }
      report(error, db)
    }
  }

  /// Whether a log has at least half as many pages as there is room for.
  ///
  /// The database may grow by as many when the log is copied. If there were no room for that, the log could not be
  /// emptied, and nothing that is deleted would make room. The reserve has room for a log that is not looked at.
  private func isTooLongForDisk(_ pages: Int) -> Bool {
    guard let path, pages >= Self.pagesAlwaysKept else { return false }
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return false }
    return pages * 2 >= Int(status.f_bavail) * Int(status.f_frsize) / 4096
  }

  /// Copies the bulk of the log if at least `restPages` are left or a long log is untouched.
  ///
  /// - Returns: Whether copying is in progress.
  private func isMoving(_ pages: Int, _ restPages: Int) -> Bool {
    guard let mover else { return false }
    let (isUnderWay, begins) = move.withLock { move in
      if move.isUnderWay { return (true, false) }
      // The log has restarted.
      if pages < move.pages { move.pages = 0 }
      move.isUnderWay =
        pages - move.pages >= restPages || move.pages == 0 && pages >= options.checkpointPages
      return (move.isUnderWay, move.isUnderWay)
    }
    if begins {
      mover.asyncWriteWithoutTransaction { [self] db in
        // If this fails, the writer's connection copies everything.
        var moved = pages
        do {
          moved = try db.checkpoint(.passive).checkpointedFrameCount
          checkpoints.add(1, ordering: .relaxed)
        } catch {
          report(error, db)
        }
        move.withLock { $0 = Move(pages: moved) }
      }
    }
    return isUnderWay
  }

  /// Has the log emptied before the next group, unless readers still need it; its bulk is copied now.
  ///
  /// Called on any queue but the writer's.
  func truncateSoon() {
    mover?.writeWithoutTransaction { db in
      do {
        try db.checkpoint(.passive)
      } catch {
        report(error, db)
      }
    }
    truncates.store(true, ordering: .relaxed)
  }

  /// Empties the log, unless readers still need it; called on the writer's queue between two groups.
  func truncate(_ db: Database) {
    sqlite3_busy_timeout(db.sqliteConnection, Self.restartMilliseconds)
    defer { sqlite3_busy_timeout(db.sqliteConnection, CInt(Self.busySeconds * 1000)) }
    do {
      try db.checkpoint(.truncate)
      pages.store(0, ordering: .relaxed)
      move.withLock { $0.pages = 0 }
    } catch {
      report(error, db)
    }
  }

  func finish(_ db: Database) {
    // An error means that it is closed with the process.
    try? mover?.close()
    do {
      try db.checkpoint(.truncate)
    } catch {
      report(error, db)
    }
  }

  /// Reports a failed checkpoint, unless it failed because the log is in use.
  private func report(_ error: any Error, _ db: Database) {
    let code = (error as? DatabaseError)?.resultCode
    guard code != .SQLITE_BUSY, code != .SQLITE_LOCKED else { return }
    let text = StoreError(error, on: db).text
    options.faults(Fault(.checkpoint, "the log was not moved into the database: \(text)"))
  }
}
