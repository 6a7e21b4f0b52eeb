import CollectionService
import GRDB
import GRDBSQLite

extension StoreTables {
  /// Adds a change: what nearly every write does, and so without a copy of its bytes.
  func put(change: [UInt8], _ version: VersionToken, itemCount: Int, of id: Int64) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT INTO change (id, seq, digest, items, data) VALUES (?, ?, ?, ?, ?)"
    ).sqliteStatement
    var digest = version.digest
    // Nothing is bound any more when the bytes may move.
    let code = digest.withUTF8 { digest in
      change.withUnsafeBytes { data in
        defer {
          sqlite3_reset(statement)
          sqlite3_clear_bindings(statement)
        }
        sqlite3_bind_int64(statement, 1, Self.change(of: id, seq: version.seq))
        sqlite3_bind_int64(statement, 2, Int64(version.seq))
        sqlite3_bind_text(statement, 3, digest.baseAddress, CInt(digest.count), nil)
        sqlite3_bind_int64(statement, 4, Int64(itemCount))
        sqlite3_bind_blob64(statement, 5, data.baseAddress, UInt64(data.count), nil)
        return sqlite3_step(statement)
      }
    }
    guard code == SQLITE_DONE else { throw failure() }
  }

  /// What SQLite says of the last call.
  private func failure() -> DatabaseError {
    let code = ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection))
    return DatabaseError(resultCode: code, message: db.lastErrorMessage)
  }
}
