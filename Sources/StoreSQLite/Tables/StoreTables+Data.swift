import Foundation
import GRDB
import GRDBSQLite
import VersionedCollections

/// The data of an image or a change: in its row, or in a set of parts.
///
/// Each part is written in its own transaction, so that nobody waits for all of a large change.
/// Until a row refers to the set, it is listed in `unused_parts`: what a crash or a failed write
/// leaves behind is then cleared away like other garbage.
struct StoredData: Sendable {
  /// The bytes in the row; empty if they are in parts.
  let bytes: [UInt8]
  let partSet: Int64?
  /// The number of bytes, in the row or in parts.
  let byteCount: Int

  /// Creates data in the row itself.
  init(_ bytes: [UInt8]) { (self.bytes, partSet, byteCount) = (bytes, nil, bytes.count) }

  /// Creates data in parts.
  init(partSet: Int64, byteCount: Int) {
    (bytes, self.partSet, self.byteCount) = ([], partSet, byteCount)
  }
}

extension StoreTables {
  /// The IDs of a set's parts: the set's number in the upper bits, the part's index in the lower
  /// 20.
  static func parts(of set: Int64) -> ClosedRange<Int64> { set << 20...(set << 20 | 0xf_ffff) }

  // MARK: Writing

  /// Inserts a part of a set that no row refers to yet.
  func put(part: ArraySlice<UInt8>, _ index: Int, of set: Int64) throws {
    let id = set << 20 + Int64(index)
    guard Self.parts(of: set).contains(id) else { throw DatabaseError(resultCode: .SQLITE_TOOBIG) }
    if index == 0 { try run("INSERT INTO unused_parts (part_set) VALUES (?)", [set]) }
    try part.withUnsafeBytes {
      try run("INSERT INTO part (data, id) VALUES (?, ?)", data: $0, [id])
    }
  }

  /// Inserts a change.
  func put(change: StoredData, _ version: VersionToken, itemCount: Int, of id: Int64) throws {
    try use(change)
    try put(
      "INSERT INTO change (data, digest, id, seq, items, part_set) VALUES (?, ?, ?, ?, ?, ?)",
      change, version, itemCount, id: Self.change(of: id, seq: version.seq))
  }

  /// Inserts or replaces the image of a collection.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - version: The image's version.
  ///   - itemCount: The number of items in that version.
  ///   - id: The collection.
  ///   - oldest: The number of the oldest version whose contents the image has; changes up to that
  ///     version are deleted.
  /// - Throws: An error of SQLite; `DamagedData` if the image's parts are missing.
  func put(
    image: StoredData, _ version: VersionToken, itemCount: Int, of id: Int64, oldest: Int
  ) throws {
    try use(image)
    try deleteChanges(of: id, through: oldest)
    try freeParts("SELECT part_set FROM image WHERE collection = ?", [id])
    try put(
      """
      INSERT INTO image (data, digest, collection, seq, items, part_set, oldest)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (collection) DO UPDATE SET
        seq = excluded.seq, digest = excluded.digest, items = excluded.items,
        data = excluded.data, part_set = excluded.part_set, oldest = excluded.oldest,
        revision = revision + 1
      """, image, version, itemCount, id: id, oldest: oldest)
  }

  /// Marks the parts of a set as used, before a row refers to them.
  private func use(_ data: StoredData) throws {
    guard let set = data.partSet else { return }
    try run("DELETE FROM unused_parts WHERE part_set = ?", [set])
    guard db.changesCount == 1 else { throw DamagedData("the parts of set \(set) are gone") }
  }

  private func put(
    _ sql: String, _ data: StoredData, _ version: VersionToken, _ itemCount: Int, id: Int64,
    oldest: Int? = nil
  ) throws {
    var numbers = [id, Int64(version.seq), Int64(itemCount), data.partSet]
    if let oldest { numbers.append(Int64(oldest)) }
    try data.bytes.withUnsafeBytes {
      try run(sql, data: $0, digest: version.digest, numbers)
    }
  }

  /// Runs a statement without copying its data.
  ///
  /// The parameters are the data, the digest if there is one, and the numbers.
  private func run(
    _ sql: String, data: UnsafeRawBufferPointer, digest: String? = nil, _ numbers: [Int64?]
  ) throws {
    let statement = try db.cachedStatement(sql: sql).sqliteStatement
    // Clear the bindings before the pointers become invalid.
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    if data.isEmpty {
      sqlite3_bind_zeroblob(statement, 1, 0)
    } else {
      sqlite3_bind_blob64(statement, 1, data.baseAddress, UInt64(data.count), nil)
    }
    let first: CInt = digest == nil ? 2 : 3
    for (index, number) in zip(first..., numbers) {
      if let number { sqlite3_bind_int64(statement, index, number) }
    }
    var digest = digest ?? ""
    let code = digest.withUTF8 { text in
      if first == 3 { sqlite3_bind_text(statement, 2, text.baseAddress, CInt(text.count), nil) }
      return sqlite3_step(statement)
    }
    guard code == SQLITE_DONE else { throw failure() }
  }

  /// The error of the last call.
  private func failure() -> DatabaseError {
    let code = ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection))
    return DatabaseError(resultCode: code, message: db.lastErrorMessage)
  }

  // MARK: Reading

  /// The highest set number in use, including lost sets; 0 if there are none.
  func lastPartSet() throws -> Int64 {
    try Int64.fetchOne(
      db,
      sql: """
        SELECT max(part_set) FROM (
          SELECT max(id) >> 20 AS part_set FROM part
          UNION ALL SELECT part_set FROM unused_parts
          UNION ALL SELECT part_set FROM image WHERE part_set IS NOT NULL
          UNION ALL SELECT part_set FROM change WHERE part_set IS NOT NULL)
        WHERE typeof(part_set) = 'integer'
        """) ?? 0
  }

  /// The data of a row with the columns `data` and `part_set`.
  func bytes(_ row: Row) throws -> [UInt8] {
    if let set = try row.decode(Int64?.self, atIndex: 1) { return try bytes(ofParts: set) }
    return try row.withUnsafeData(atIndex: 0) { data in
      guard let data else { throw DamagedData("a row has no data") }
      return Array(data)
    }
  }

  /// The concatenated parts of a set.
  private func bytes(ofParts set: Int64) throws -> [UInt8] {
    let range = Self.parts(of: set)
    let size = try Int.fetchOne(
      db.cachedStatement(sql: "SELECT sum(length(data)) FROM part WHERE id BETWEEN ? AND ?"),
      arguments: [range.lowerBound, range.upperBound])
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size ?? 0)
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: "SELECT id, data FROM part WHERE id BETWEEN ? AND ? ORDER BY id"),
      arguments: [range.lowerBound, range.upperBound])
    var next = range.lowerBound
    while let row = try rows.next() {
      guard try row.decode(Int64.self, atIndex: 0) == next else { break }
      try row.withUnsafeData(atIndex: 1) { data in
        data?.withUnsafeBytes { bytes.append(contentsOf: $0) }
      }
      next += 1
    }
    guard bytes.count == size else { throw DamagedData("a part of set \(set) is missing") }
    return bytes
  }
}
