import CollectionService
import Foundation
import GRDB
import GRDBSQLite

/// The bytes of an image or a change: in its row, or in a set of parts.
///
/// A part is written in a transaction of its own, so that nobody waits for all of a large change.
/// Until a row names the set its parts are unused, and `unused_parts` says so: what a crash or a
/// refused write leaves is cleared away like what is deleted.
struct StoredData: Sendable {
  /// The bytes that go into the row; none when they are in parts.
  let bytes: [UInt8]
  let partSet: Int64?
  /// How many bytes there are, wherever they are.
  let byteCount: Int

  /// Bytes in the row itself.
  init(_ bytes: [UInt8]) { (self.bytes, partSet, byteCount) = (bytes, nil, bytes.count) }

  /// Bytes in parts.
  init(partSet: Int64, byteCount: Int) {
    (bytes, self.partSet, self.byteCount) = ([], partSet, byteCount)
  }
}

extension StoreTables {
  /// Where the parts of a set are: the set's number in the upper bits, the part's in the lower 20.
  static func parts(of set: Int64) -> ClosedRange<Int64> { set << 20...(set << 20 | 0xf_ffff) }

  // MARK: Writing

  /// Adds a part to a set that no row names yet.
  func put(part: ArraySlice<UInt8>, _ index: Int, of set: Int64) throws {
    let id = set << 20 + Int64(index)
    guard Self.parts(of: set).contains(id) else { throw DatabaseError(resultCode: .SQLITE_TOOBIG) }
    if index == 0 { try run("INSERT INTO unused_parts (part_set) VALUES (?)", [set]) }
    try part.withUnsafeBytes {
      try run("INSERT INTO part (data, id) VALUES (?, ?)", data: $0, [id])
    }
  }

  /// Adds a change.
  func put(change: StoredData, _ version: VersionToken, itemCount: Int, of id: Int64) throws {
    try use(change)
    try put(
      "INSERT INTO change (data, digest, id, seq, items, part_set) VALUES (?, ?, ?, ?, ?, ?)",
      change, version, itemCount, id: Self.change(of: id, seq: version.seq))
  }

  /// Adds an image, or puts it in the place of the one that is there.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - version: The version that it is of.
  ///   - itemCount: The number of that version's items.
  ///   - id: The collection.
  ///   - oldest: The number of the oldest version whose contents it has; changes up to that one go.
  /// - Throws: What SQLite says; `DamagedData` when the image's parts are gone.
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

  /// The parts of a set are about to become the content of a row.
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

  /// Runs a statement with data that are not copied: they are the first parameter, then the digest
  /// if there is one, then the numbers.
  private func run(
    _ sql: String, data: UnsafeRawBufferPointer, digest: String? = nil, _ numbers: [Int64?]
  ) throws {
    let statement = try db.cachedStatement(sql: sql).sqliteStatement
    // Nothing is bound any more when the bytes may move.
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

  /// What SQLite says of the last call.
  private func failure() -> DatabaseError {
    let code = ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection))
    return DatabaseError(resultCode: code, message: db.lastErrorMessage)
  }

  // MARK: Reading

  /// The highest number of a set of parts, also of one that is lost; 0 when there is none.
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

  /// The bytes of a row whose first column is `data` and whose second is `part_set`.
  func bytes(_ row: Row) throws -> [UInt8] {
    if let set = try row.decode(Int64?.self, atIndex: 1) { return try bytes(ofParts: set) }
    return try row.withUnsafeData(atIndex: 0) { data in
      guard let data else { throw DamagedData("a row has no data") }
      return Array(data)
    }
  }

  /// The parts of a set, one after the other.
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
