import GRDB
import VersionedCollections

/// Deletes garbage in small pieces, each in a group of writes, because SQLite reads all pages of a
/// large row to delete it.
extension StoreTables {
  /// The most bytes of changes in a piece with more than one change.
  private static let pieceBytesMax = 1 << 20
  /// The most parts, and the most changes, in a piece.
  private static let (piecePartsMax, pieceChangesMax) = (2, 256)

  /// Deletes one piece of garbage, except sets that are being written; returns whether there was
  /// any.
  func clearGarbage(except underWay: Set<Int64>) throws -> Bool {
    let sets = try rows("SELECT part_set FROM unused_parts LIMIT ?", [underWay.count + 1])
      .map { try $0.decode(Int64.self, atIndex: 0) }
    if let set = sets.first(where: { !underWay.contains($0) }) {
      try clear(partSet: set)
      return true
    }
    guard let collection = try number("SELECT collection FROM garbage LIMIT 1") else {
      return false
    }
    try clear(collection)
    return true
  }

  private func clear(partSet set: Int64) throws {
    let range = Self.parts(of: set)
    try run(
      "DELETE FROM part WHERE id IN (SELECT id FROM part WHERE id BETWEEN ? AND ? LIMIT ?)",
      [range.lowerBound, range.upperBound, Self.piecePartsMax])
    if db.changesCount == Self.piecePartsMax { return }
    try run("DELETE FROM unused_parts WHERE part_set = ?", [set])
  }

  /// Deletes a piece of a collection's garbage: everything of a deleted collection, otherwise the
  /// changes included in its image.
  private func clear(_ id: Int64) throws {
    let isDeleted = try number("SELECT count(*) FROM collection WHERE id = ?", [id]) == 0
    let oldest = try number(
      """
      SELECT coalesce(oldest, seq) AS oldest FROM image
      WHERE collection = ? AND typeof(coalesce(oldest, seq)) = 'integer'
      """, [id])
    let seq = isDeleted ? .max : Int(oldest ?? 0)
    guard try clearChanges(of: id, through: seq) else { return }
    if isDeleted {
      try freeParts("SELECT part_set FROM image WHERE collection = ?", [id])
      try run("DELETE FROM image WHERE collection = ?", [id])
    }
    try run("DELETE FROM garbage WHERE collection = ?", [id])
  }

  /// Deletes the changes included in a collection's image, or marks them as garbage if there are
  /// too many.
  func deleteChanges(of id: Int64, through seq: Int) throws {
    if try clearChanges(of: id, through: seq) { return }
    try run("INSERT OR IGNORE INTO garbage (collection) VALUES (?)", [id])
  }

  /// Deletes the first changes up to a version; returns whether none are left.
  private func clearChanges(of id: Int64, through seq: Int) throws -> Bool {
    let range = Self.changes(of: id)
    let rows = try rows(
      """
      SELECT id, length(data) FROM change WHERE id BETWEEN ? AND ? AND seq <= ?
      ORDER BY id LIMIT ?
      """, [range.lowerBound, range.upperBound, seq, Self.pieceChangesMax])
    var last: Int64?
    var byteCount = 0
    for row in rows where byteCount < Self.pieceBytesMax {
      last = try row.decode(atIndex: 0)
      byteCount += try row.decode(Int?.self, atIndex: 1) ?? 0
    }
    guard let last else { return true }
    let piece = "FROM change WHERE id BETWEEN ? AND ? AND seq <= ?"
    let arguments: StatementArguments = [range.lowerBound, last, seq]
    try freeParts("SELECT part_set \(piece)", arguments)
    try run("DELETE \(piece)", arguments)
    return rows.count < Self.pieceChangesMax && byteCount < Self.pieceBytesMax
  }

  /// Marks the parts of rows as unused before the rows are deleted.
  func freeParts(_ query: String, _ arguments: StatementArguments) throws {
    // In a damaged row, the column may have any type.
    try run(
      "INSERT OR IGNORE INTO unused_parts \(query) AND typeof(part_set) = 'integer'", arguments)
  }
}
