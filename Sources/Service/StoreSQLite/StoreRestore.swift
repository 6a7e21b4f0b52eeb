import Foundation
import GRDB

/// Puts a back-up in the place of a store.
public enum StoreRestore {
  /// What was done.
  public struct Report: Sendable {
    /// The database that the service will open.
    public var database: String
    /// What is in it.
    public var verified: StoreVerifier.Report
    /// Where the files are now that were there before.
    public var movedAside: [String]
  }

  /// Replaces the store in a directory by a back-up.
  ///
  /// Both the back-up and the copy are verified before anything is changed, and nothing is deleted: what was there, with
  /// its log, is renamed, so that it can be opened under its new name. A copy of an earlier release's back-up is migrated.
  ///
  /// - Parameters:
  ///   - file: The back-up. Another database of a service will do, with its log beside it.
  ///   - directory: The directory, which is created if there is none.
  /// - Returns: The report.
  /// - Throws: `StoreOpenError` if the back-up is damaged, a service uses the directory, or a file cannot be written.
  public static func restore(file: String, directory: String) throws(StoreOpenError) -> Report {
    let place = try DataDirectory(directory, makesDatabase: false)
    defer { place.release() }
    let database = place.database
    let isOlder = StoreHeader.version(of: file).map { $0 < StoreHeader.formatMax } ?? false
    // What an earlier release has written can be verified once it is as this one would have written it.
    if !isOlder { try verify(file) }
    let partial = database + ".restoring"
    try copy(file, to: partial)
    do throws(StoreOpenError) {
      if isOlder { try migrate(partial) }
      let verified = try verify(partial)
      let movedAside = try moveAside(database)
      guard rename(partial, database) == 0 else { throw failure(database) }
      try sync(directory)
      return Report(database: database, verified: verified, movedAside: movedAside)
    } catch {
      remove(partial)
      throw error
    }
  }

  @discardableResult
  private static func verify(_ file: String) throws(StoreOpenError) -> StoreVerifier.Report {
    let report = try StoreVerifier.verify(file: file)
    guard let first = report.faults.first else { return report }
    let more = report.faults.count > 1 ? ", and \(report.faults.count - 1) more" : ""
    throw StoreOpenError(
      .damaged,
      "\(file) is damaged (\(first)\(more)): nothing was changed; livedelta verify shows all faults"
    )
  }

  /// Copies what SQLite sees, so that the log of a database is in the copy.
  private static func copy(_ file: String, to partial: String) throws(StoreOpenError) {
    remove(partial)
    let number = OwnerOnly.createFile(partial)
    guard number == 0 else { throw failure(partial, number) }
    do {
      try StoreFile.open(file, isReadOnly: false).inDatabase { db in
        try db.execute(sql: "VACUUM INTO ?", arguments: [partial])
      }
    } catch {
      remove(partial)
      throw StoreOpenError(error, path: file)
    }
    try sync(partial)
  }

  private static func migrate(_ partial: String) throws(StoreOpenError) {
    do {
      try StoreFile.open(partial, isReadOnly: false).writeWithoutTransaction { db in
        try Schema.migrate(db, path: partial)
      }
    } catch {
      throw StoreOpenError(error, path: partial)
    }
    try sync(partial)
  }

  /// Renames the files of a store; the log first, and the database only when the copy takes its place.
  private static func moveAside(_ database: String) throws(StoreOpenError) -> [String] {
    let stamp = Date.now.formatted(
      .iso8601.year().month().day().dateSeparator(.omitted).time(includingFractionalSeconds: true)
        .timeSeparator(.omitted))
    let aside = "\(database).before-\(stamp)"
    var moved: [String] = []
    for suffix in ["-wal", "-shm", "-journal", ""] where access(database + suffix, F_OK) == 0 {
      // With a second name for the database, there is one under the first at each moment.
      let isMoved =
        suffix.isEmpty
        ? link(database, aside) == 0 || rename(database, aside) == 0
        : rename(database + suffix, aside + suffix) == 0
      guard isMoved else { throw failure(database + suffix) }
      moved.insert(aside + suffix, at: 0)
    }
    return moved
  }

  private static func remove(_ partial: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(partial + suffix) }
  }

  private static func sync(_ path: String) throws(StoreOpenError) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    guard file >= 0, fsync(file) == 0 else { throw failure(path) }
  }

  private static func failure(_ path: String, _ number: CInt = errno) -> StoreOpenError {
    StoreOpenError(
      number == ENOSPC || number == EDQUOT ? .full : .system,
      "\(path): \(String(cString: strerror(number)))")
  }
}
