import CollectionService
import GRDB
import GRDBSQLite
import Synchronization

/// Moves the write-ahead log into the database, and keeps it from growing for ever.
///
/// A checkpoint moves what no reader needs in the log any more. The log begins anew when all of it
/// was moved and nobody reads it. Short readers one after the other can keep it from that, so that
/// when it is long they are waited for, for a moment. A back-up reads much longer: it is not waited
/// for, and the log grows until it ends.
///
/// The bulk of a log is moved by a connection of its own while writers go on; what they add
/// meanwhile is little, and is moved between two groups of writes, so that the log begins anew.
/// While something large is written it is moved in small steps: each ends with a sync of the
/// database, for which writers' syncs of the log have to wait.
final class LogCheckpointer: Sendable {
  private let options: StoreOptions
  /// How many pages the log has, as the writer's connection says at each commit.
  private let pages = Atomic<Int>(0)
  private let move = Mutex(Move())
  /// Moves the bulk of the log; nil if it could not be opened: then all is moved between two groups.
  private let mover: DatabaseQueue?
  /// How many pages the log must have before readers are waited for again.
  private let restartPages: Atomic<Int>

  /// How far the bulk of the log is.
  private struct Move {
    var isUnderWay = false
    /// How many pages of the log are moved.
    var pages = 0
  }

  /// How many pages there are to move while something large is written.
  private static let stepPages = 512
  /// How many pages a writer moves at most, if there is a mover.
  private static let restPages = 1024
  /// How long a writer may wait for readers, in milliseconds.
  private static let restartMilliseconds: CInt = 20
  /// How long a connection waits for others otherwise.
  static let busySeconds = 5

  init(_ options: StoreOptions, path: String) {
    self.options = options
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(Self.busySeconds))
    configuration.label = "livedelta.store.log"
    configuration.prepareDatabase { db in
      try db.execute(sql: options.durability.pragma + "; PRAGMA wal_autocheckpoint = 0")
    }
    mover = try? DatabaseQueue(path: path, configuration: configuration)
    restartPages = Atomic(options.checkpointPages * 4)
  }

  /// Has the connection of the writer say how long the log is.
  func watch(_ db: Database) {
    // This object lives as long as the maintenance, which outlives the connection.
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<LogCheckpointer>.fromOpaque(context).takeUnretainedValue()
          .pages.store(Int(pages), ordering: .relaxed)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Moves the log into the database when it is long enough, or in steps while what is written is
  /// large; called when no write is under way.
  func checkpoint(_ db: Database, wasLarge: Bool) {
    let pages = pages.load(ordering: .relaxed)
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
      if waits { restartPages.store(options.checkpointPages * 4, ordering: .relaxed) }
      self.pages.store(0, ordering: .relaxed)
      move.withLock { $0.pages = 0 }
    } catch {
      if waits { restartPages.store(pages + options.checkpointPages, ordering: .relaxed) }
      report(error, db)
    }
  }

  /// Begins to move the bulk of the log when so many pages are left, or all of a long one.
  ///
  /// - Returns: Whether it is under way.
  private func isMoving(_ pages: Int, _ restPages: Int) -> Bool {
    guard let mover else { return false }
    let (isUnderWay, begins) = move.withLock { move in
      if move.isUnderWay { return (true, false) }
      // The log began anew.
      if pages < move.pages { move.pages = 0 }
      move.isUnderWay =
        pages - move.pages >= restPages || move.pages == 0 && pages >= options.checkpointPages
      return (move.isUnderWay, move.isUnderWay)
    }
    if begins {
      mover.asyncWriteWithoutTransaction { [self] db in
        // When it fails the writer's connection has its turn.
        var moved = pages
        do {
          moved = try db.checkpoint(.passive).checkpointedFrameCount
        } catch {
          report(error, db)
        }
        move.withLock { $0 = Move(pages: moved) }
      }
    }
    return isUnderWay
  }

  /// Moves all of the log into the database.
  func finish(_ db: Database) {
    try? mover?.close()
    do {
      try db.checkpoint(.truncate)
    } catch {
      report(error, db)
    }
  }

  /// A log that is being read is not a fault.
  private func report(_ error: any Error, _ db: Database) {
    let code = (error as? DatabaseError)?.resultCode
    guard code != .SQLITE_BUSY, code != .SQLITE_LOCKED else { return }
    let text = StoreError(error, on: db).text
    options.faults(Fault(.checkpoint, "the log was not moved into the database: \(text)"))
  }
}
