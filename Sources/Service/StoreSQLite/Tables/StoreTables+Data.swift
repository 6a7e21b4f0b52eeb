import Foundation
import GRDB
import VersionedCollections

/// An image or a change, with its bytes in its row or in a set of parts.
///
/// Each part is written in its own transaction, so that nobody waits for all of a large value. A row of
/// 64 MiB holds up other commits for 270 to 590 ms, or 240 to 370 without a sync; in parts, the longest
/// commit beside it takes 28 to 66 ms, of which 8 to 22 without any large value. Until a row refers to
/// the set, it is listed in `unused_parts`: what a crash or a failed write leaves behind is then cleared
/// away like other garbage.
struct StoredRow: Sendable {
  /// The version that it is or leads to.
  var version: VersionToken
  /// The number of items in that version.
  var itemCount: Int
  /// The bytes in the row; empty if they are in parts.
  var bytes: [UInt8] = []
  /// The set of parts that has the bytes; nil if the row has them.
  var partSet: Int64?
}

extension StoreTables {
  /// The ids of a set's parts: the set's number in the upper bits, the part's index in the lower
  /// 20.
  static func parts(of set: Int64) -> ClosedRange<Int64> { set << 20...(set << 20 | 0xf_ffff) }

  /// The SQL expression for the size of a row's data, including its parts.
  static let size = """
    (length(data) + coalesce((SELECT sum(length(part.data)) FROM part
      WHERE part.id BETWEEN part_set << 20 AND part_set << 20 | 1048575), 0))
    """

  // MARK: Writing

  /// Inserts a part of a set that no row refers to yet.
  func put(part: ArraySlice<UInt8>, _ index: Int, of set: Int64) throws {
    let id = set << 20 + Int64(index)
    guard Self.parts(of: set).contains(id) else { throw DatabaseError(resultCode: .SQLITE_TOOBIG) }
    if index == 0 { try run("INSERT INTO unused_parts (part_set) VALUES (?)", [set]) }
    try run("INSERT INTO part (id, data) VALUES (?, ?)", [id, Data(part)])
  }

  func put(change: StoredRow, of id: Int64) throws {
    try use(change)
    let version = change.version
    try run(
      """
      INSERT INTO change (id, seq, digest, items, data, part_set)
      VALUES (?, ?, ?, ?, coalesce(?, zeroblob(0)), ?)
      """,
      [
        Self.change(of: id, seq: version.seq), version.seq, version.digest, change.itemCount,
        Data(change.bytes), change.partSet,
      ])
  }

  /// Inserts or replaces the image of a collection; changes up to `oldest`, the oldest version whose contents
  /// it has, are deleted.
  func put(image: StoredRow, of id: Int64, oldest: Int) throws {
    try use(image)
    try deleteChanges(of: id, through: oldest)
    try freeParts("SELECT part_set FROM image WHERE collection = ?", [id])
    try run(
      """
      INSERT INTO image (collection, seq, digest, items, data, part_set, oldest)
      VALUES (?, ?, ?, ?, coalesce(?, zeroblob(0)), ?, ?)
      ON CONFLICT (collection) DO UPDATE SET
        seq = excluded.seq, digest = excluded.digest, items = excluded.items,
        data = excluded.data, part_set = excluded.part_set, oldest = excluded.oldest,
        revision = revision + 1
      """,
      [
        id, image.version.seq, image.version.digest, image.itemCount, Data(image.bytes),
        image.partSet, oldest,
      ])
  }

  /// Marks the parts of a row as used, before it refers to them.
  private func use(_ row: StoredRow) throws {
    guard let set = row.partSet else { return }
    try run("DELETE FROM unused_parts WHERE part_set = ?", [set])
    guard db.changesCount == 1 else { throw DamagedData("the parts of set \(set) are gone") }
  }

  // MARK: Reading

  /// The highest set number in use, including lost sets; 0 if there are none.
  func lastPartSet() throws -> Int64 {
    try number(
      """
      SELECT max(part_set) FROM (
        SELECT max(id) >> 20 AS part_set FROM part
        UNION ALL SELECT part_set FROM unused_parts
        UNION ALL SELECT part_set FROM image WHERE part_set IS NOT NULL
        UNION ALL SELECT part_set FROM change WHERE part_set IS NOT NULL)
      WHERE typeof(part_set) = 'integer'
      """) ?? 0
  }

  /// The data of a row that begins with the columns `data` and `part_set`.
  func bytes(_ row: Row) throws -> [UInt8] {
    if let set = try row.decode(Int64?.self, atIndex: 1) { return try bytes(ofParts: set) }
    return try row.withUnsafeData(atIndex: 0) { data in
      guard let data else { throw DamagedData("a row has no data") }
      return Array(data)
    }
  }

  private func bytes(ofParts set: Int64) throws -> [UInt8] {
    let range = Self.parts(of: set)
    let size = try number(
      "SELECT sum(length(data)) FROM part WHERE id BETWEEN ? AND ?",
      [range.lowerBound, range.upperBound])
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(size ?? 0))
    let rows = try cursor(
      "SELECT id, data FROM part WHERE id BETWEEN ? AND ? ORDER BY id",
      [range.lowerBound, range.upperBound])
    var next = range.lowerBound
    while let row = try rows.next() {
      guard try row.decode(Int64.self, atIndex: 0) == next else { break }
      try row.withUnsafeData(atIndex: 1) { data in
        data?.withUnsafeBytes { bytes.append(contentsOf: $0) }
      }
      next += 1
    }
    guard bytes.count == Int(size ?? -1) else {
      throw DamagedData("a part of set \(set) is missing")
    }
    return bytes
  }
}
