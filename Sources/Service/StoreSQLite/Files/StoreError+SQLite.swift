import GRDB
import GRDBSQLite
import Glibc
import VersionedCollections

extension StoreError {
  /// Why other writes would fail too; nil if they would not.
  var outage: StoreOutage? {
    switch self {
    case .full: .full
    case .unavailable, .unknown, .unsynced: .unavailable
    case .conflict, .damaged: nil
    }
  }

  /// Whether the error only affects one collection.
  var isDamage: Bool {
    if case .damaged = self { true } else { false }
  }

  /// Creates an error from one of SQLite; the connection knows the `errno` of an I/O error.
  init(_ error: any Error, on db: Database) {
    self.init(error, systemError: sqlite3_system_errno(db.sqliteConnection))
  }

  /// Creates an error from one of SQLite.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - systemError: The `errno` of the connection's last I/O error; 0 if it is not known.
  ///   - isCommitting: Whether COMMIT failed.
  init(_ error: any Error, systemError: CInt = 0, isCommitting: Bool = false) {
    switch error {
    case let error as StoreError: self = error
    case let damage as DamagedData: self = .damaged(damage.reason)
    // A value has another type than was written, which happens if a bit in a row's header is
    // flipped. The error's description is not used because it contains the values.
    case is RowDecodingError: self = .damaged("a row has a value of another type than written")
    case let error as DatabaseError:
      self.init(error, systemError: systemError, isCommitting: isCommitting)
    default: self = .unavailable("\(error)")
    }
  }

  private init(_ error: DatabaseError, systemError: CInt, isCommitting: Bool) {
    let code = error.extendedResultCode
    var text = "SQLite error \(code.rawValue): \(error.message ?? "")"
    // Set only by I/O errors and files that cannot be opened; other errors leave the previous
    // value.
    let number = [.SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode) ? systemError : 0
    if number != 0 { text += ", errno \(number): \(String(cString: strerror(number)))" }
    switch (error.resultCode, code) {
    // The cause does not matter here: in any case, the write may have reached the disk.
    case (_, .SQLITE_IOERR_FSYNC), (_, .SQLITE_IOERR_DIR_FSYNC): self = .unsynced(text)
    // The index of the log grows after the log was synced.
    case (_, .SQLITE_IOERR_SHMSIZE) where isCommitting: self = .unknown(text)
    case (.SQLITE_FULL, _), (_, .SQLITE_IOERR_SHMSIZE): self = .full(text)
    case (.SQLITE_CORRUPT, _), (.SQLITE_NOTADB, _): self = .damaged(text)
    // SQLite reports a full disk as SQLITE_FULL, but not an exhausted quota or the maximum file
    // size.
    case _ where [ENOSPC, EDQUOT, EFBIG].contains(number): self = .full(text)
    // The log may have all of the transaction; unless another one overwrites it, a crash recovers it.
    case (.SQLITE_IOERR, _) where isCommitting, (.SQLITE_NOMEM, _) where isCommitting:
      self = .unknown(text)
    default: self = .unavailable(text)
    }
  }
}
