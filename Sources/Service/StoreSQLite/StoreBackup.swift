import Foundation
import GRDB

/// Backs up a store while it is in use.
public enum StoreBackup {
  /// Writes a consistent copy of a store to a new file.
  ///
  /// Writers are not blocked. The copy is synced before it is renamed to its final name, so a
  /// file with this name is complete; only its owner can read it. `StoreRestore` restores it. It has
  /// a mark, by which a service finds out that it was put beside the log of another database.
  ///
  /// - Parameters:
  ///   - directory: The store's directory.
  ///   - file: The file to write; it must not exist.
  /// - Returns: The size of the copy in bytes.
  /// - Throws: `StoreOpenError`.
  @discardableResult
  public static func write(directory: String, to file: String) throws(StoreOpenError) -> Int {
    let source = DataDirectory.database(in: directory)
    guard access(file, F_OK) != 0 else {
      throw StoreOpenError(.system, "\(file) exists: name a file that does not")
    }
    let partial = file + ".partial"
    unlink(partial)
    let number = OwnerOnly.createFile(partial)
    guard number == 0 else {
      throw StoreOpenError(.system, "\(partial): \(String(cString: strerror(number)))")
    }
    do {
      let queue = try StoreFile.open(source, isReadOnly: false)
      try queue.inDatabase { db in
        try Schema.check(db, path: source)
        try db.execute(sql: "VACUUM INTO ?", arguments: [partial])
      }
    } catch {
      unlink(partial)
      throw StoreOpenError(error, path: source)
    }
    return try publish(partial, as: file)
  }

  private static func publish(_ partial: String, as file: String) throws(StoreOpenError) -> Int {
    var status = stat()
    let copy = open(partial, O_RDWR | O_CLOEXEC)
    defer { close(copy) }
    guard copy >= 0, BackupMark.set(copy), fsync(copy) == 0, fstat(copy, &status) == 0,
      rename(partial, file) == 0
    else {
      let reason = String(cString: strerror(errno))
      unlink(partial)
      throw StoreOpenError(.system, "\(file): \(reason)")
    }
    let folder = DirectorySync.parent(of: file)
    let number = DirectorySync.sync(folder)
    guard number == 0 else {
      throw StoreOpenError(.system, "\(folder): \(String(cString: strerror(number)))")
    }
    return Int(status.st_size)
  }
}
