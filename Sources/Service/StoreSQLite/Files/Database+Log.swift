import GRDB
import GRDBSQLite

extension Database {
  /// Writes the log of the database once more as it is, and syncs it.
  ///
  /// What SQLite finds in the log after a restart need not be on the disk: if the last process ended because a sync had
  /// failed, the system shows what was written, and does not write it again when the log is synced. The next commits
  /// would follow what is lost with the power, and be lost with it.
  ///
  /// - Throws: `DatabaseError` with the code of what failed.
  func rewriteLog() throws {
    // The log is open once something was read.
    _ = try Int.fetchOne(self, sql: "SELECT count(*) FROM sqlite_schema")
    var found: UnsafeMutablePointer<sqlite3_file>?
    try check(
      withUnsafeMutablePointer(to: &found) {
        unsafe sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_JOURNAL_POINTER, $0)
      })
    guard let file = unsafe found, let methods = unsafe file.pointee.pMethods else { return }
    var size: sqlite3_int64 = 0
    try check(unsafe methods.pointee.xFileSize(file, &size))
    // SQLite's files take less than 128 KiB at a time.
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    for offset in stride(from: 0, to: size, by: piece.count) {
      let count = CInt(min(size - offset, Int64(piece.count)))
      try piece.withUnsafeMutableBytes { bytes in
        try check(unsafe methods.pointee.xRead(file, bytes.baseAddress, count, offset))
        try check(unsafe methods.pointee.xWrite(file, bytes.baseAddress, count, offset))
      }
    }
    try check(unsafe methods.pointee.xSync(file, SQLITE_SYNC_NORMAL))
  }

  private func check(_ code: CInt) throws {
    if code != SQLITE_OK { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }
}
