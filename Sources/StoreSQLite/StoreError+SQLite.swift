import CollectionService
import GRDB
import GRDBSQLite
import Glibc

extension StoreError {
  /// Whether other writes would fail too.
  var isOutage: Bool {
    switch self {
    case .full, .unavailable, .unsynced: true
    case .conflict, .damaged: false
    }
  }

  /// Whether only what is stored of one collection is concerned.
  var isDamage: Bool {
    if case .damaged = self { true } else { false }
  }

  /// What an error of SQLite comes to.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - db: Where it happened: it knows the `errno` behind an I/O error.
  init(_ error: any Error, on db: Database) {
    self.init(error, systemError: sqlite3_system_errno(db.sqliteConnection))
  }

  /// What an error of SQLite comes to.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - systemError: The `errno` of the connection's last I/O error; 0 when it is not known.
  init(_ error: any Error, systemError: CInt = 0) {
    switch error {
    case let error as StoreError: self = error
    case let damage as DamagedData: self = .damaged(damage.reason)
    // A value of another type than what was written: where a flipped bit is in a row's header.
    // Its description holds the values themselves.
    case is RowDecodingError: self = .damaged("a row has a value of another type than written")
    case let error as DatabaseError: self.init(error, systemError: systemError)
    default: self = .unavailable("\(error)")
    }
  }

  private init(_ error: DatabaseError, systemError: CInt) {
    let code = error.extendedResultCode
    var text = "SQLite error \(code.rawValue): \(error.message ?? "")"
    // Set by I/O errors and by files that cannot be opened only, and left as it is by others.
    let number = [.SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode) ? systemError : 0
    if number != 0 { text += ", errno \(number): \(String(cString: strerror(number)))" }
    switch (error.resultCode, code) {
    // Whether it was for want of room does not matter here: the write may have reached the disk.
    case (_, .SQLITE_IOERR_FSYNC), (_, .SQLITE_IOERR_DIR_FSYNC): self = .unsynced(text)
    case (.SQLITE_FULL, _), (_, .SQLITE_IOERR_SHMSIZE): self = .full(text)
    case (.SQLITE_CORRUPT, _), (.SQLITE_NOTADB, _): self = .damaged(text)
    // SQLite calls a full disk SQLITE_FULL, but not a used up quota or the largest file size.
    case _ where [ENOSPC, EDQUOT, EFBIG].contains(number): self = .full(text)
    default: self = .unavailable(text)
    }
  }
}
