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
final class LogUpkeep: Sendable {
  private let options: StoreOptions
  /// How many pages the log has, as the writer's connection says at each commit.
  private let pages = Atomic<Int>(0)
  /// How many pages the log must have before readers are waited for again.
  private let restartPages: Atomic<Int>

  /// How long a writer may wait for readers, in milliseconds.
  private static let restartMilliseconds: CInt = 20
  /// How long a connection waits for others otherwise.
  static let busySeconds = 5

  init(_ options: StoreOptions) {
    self.options = options
    restartPages = Atomic(options.checkpointPages * 4)
  }

  /// Has the connection of the writer say how long the log is.
  func watch(_ db: Database) {
    // This object lives as long as the upkeep, which outlives the connection.
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, _, _, pages in
        guard let context else { return SQLITE_OK }
        Unmanaged<LogUpkeep>.fromOpaque(context).takeUnretainedValue()
          .pages.store(Int(pages), ordering: .relaxed)
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Moves the log into the database when it is long enough; called when no write is under way.
  func checkpoint(_ db: Database) {
    let pages = pages.load(ordering: .relaxed)
    guard pages >= options.checkpointPages else { return }
    let waits = pages >= restartPages.load(ordering: .relaxed)
    do {
      if waits { sqlite3_busy_timeout(db.sqliteConnection, Self.restartMilliseconds) }
      defer {
        if waits { sqlite3_busy_timeout(db.sqliteConnection, CInt(Self.busySeconds * 1000)) }
      }
      try db.checkpoint(waits ? .restart : .passive)
      if waits { restartPages.store(options.checkpointPages * 4, ordering: .relaxed) }
      self.pages.store(0, ordering: .relaxed)
    } catch {
      if waits { restartPages.store(pages + options.checkpointPages, ordering: .relaxed) }
      report(error, db)
    }
  }

  /// Moves all of the log into the database.
  func finish(_ db: Database) {
    do {
      try db.checkpoint(.truncate)
    } catch {
      report(error, db)
    }
  }

  /// That somebody reads the log is no fault.
  private func report(_ error: any Error, _ db: Database) {
    let code = (error as? DatabaseError)?.resultCode
    guard code != .SQLITE_BUSY, code != .SQLITE_LOCKED else { return }
    let text = StoreError(error, on: db).text
    options.faults(Fault(.checkpoint, "the log was not moved into the database: \(text)"))
  }
}
