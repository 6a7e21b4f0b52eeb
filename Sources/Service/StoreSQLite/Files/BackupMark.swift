import Glibc

/// Tells a back-up that nothing has opened yet from the database of a service, by the application ID in its header.
///
/// It is read and removed without SQLite: beside the log of another database, SQLite would apply the log to the back-up
/// first, and what is removed by a transaction would be in the log of the back-up itself.
enum BackupMark {
  /// Marks a complete file, which nobody has open; false if it could not be written, `errno` says why.
  static func set(_ file: CInt) -> Bool { write(StoreHeader.backupID, file) }

  /// Whether a file is a back-up; false if it cannot be read.
  static func isSet(_ path: String) -> Bool {
    StoreHeader.applicationID(of: path) == StoreHeader.backupID
  }

  /// The files beside a database that SQLite would apply to it: those that have something in them.
  static func leftovers(_ path: String) -> [String] {
    ["-wal", "-journal"].map { path + $0 }.filter { file in
      var status = stat()
      return stat(file, &status) == 0 && status.st_size > 0
    }
  }

  /// Refuses a back-up beside the log of another database.
  static func check(_ path: String) throws(StoreOpenError) {
    guard isSet(path) else { return }
    let files = leftovers(path)
    guard !files.isEmpty else { return }
    throw StoreOpenError(
      .damaged,
      "\(path) is a back-up, and \(files.joined(separator: " and ")) beside it belongs to another database: applied to "
        + "the back-up, it would undo or damage it. Move \(path) elsewhere, then: "
        + "livedelta restore FILE --data DIRECTORY")
  }

  /// Makes a back-up the database of a service, whose directory is locked.
  ///
  /// - Throws: `StoreOpenError` beside the log of another database, or if it cannot be written.
  static func clear(_ path: String) throws(StoreOpenError) {
    try check(path)
    guard isSet(path) else { return }
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    guard file >= 0, write(StoreHeader.applicationID, file), fsync(file) == 0 else {
      throw StoreOpenError(.permission, "\(path): \(String(cString: strerror(errno)))")
    }
  }

  private static func write(_ id: Int, _ file: CInt) -> Bool {
    let bytes = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: id >> $0) }
    return pwrite(file, bytes, bytes.count, off_t(StoreHeader.applicationIDOffset)) == bytes.count
  }
}
