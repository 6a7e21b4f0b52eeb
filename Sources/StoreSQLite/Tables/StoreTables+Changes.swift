import Foundation
import GRDB
import VersionedCollections

/// Finds changes since a date by scanning all collections, so that writes need no additional index.
extension StoreTables {
  /// The most deletions retained.
  private static let deletionsMax = 10_000

  /// Records the deletion of a collection.
  func note(deletionOf key: CollectionKey, _ version: VersionToken, date: Int64) throws {
    try run(
      "INSERT INTO deletion (client, name, version, date) VALUES (?, ?, ?, ?)",
      [key.client.text, key.name.text, version.description, date])
    try run(
      "DELETE FROM deletion WHERE number <= ?", [db.lastInsertedRowID - Int64(Self.deletionsMax)])
  }

  /// Returns the collections whose newest version was committed at a date or later, and those
  /// deleted since.
  ///
  /// - Returns: nil if there are more than `countMax`, or if some deletions are no longer retained.
  /// - Complexity: O(*n*), where *n* is the number of all collections and changes; a few bytes of
  ///   each are read.
  func changes(since date: Int64, countMax: Int) throws -> [CollectionChange]? {
    guard let deleted = try deletions(since: date) else { return nil }
    var ids = Set<Int64>()
    for (table, id) in [("image", "collection"), ("change", "id >> 32")] {
      let rows = try Row.fetchCursor(
        db.cachedStatement(
          sql: """
            SELECT \(id), substr(CASE WHEN part_set IS NULL THEN data
              ELSE (SELECT data FROM part WHERE id = part_set << 20) END, 1, 32) FROM \(table)
            """))
      while let row = try rows.next() {
        let head = Array(try row.decode(Data?.self, atIndex: 1) ?? Data())
        guard let made = StoredCollection.date(of: head), made >= date else { continue }
        ids.insert(try row.decode(atIndex: 0))
        if ids.count + deleted.count > countMax { return nil }
      }
    }
    let changed = try ids.sorted().compactMap { try change(of: $0) }
    let isThere = Set(changed.map(\.key))
    return deleted.filter { !isThere.contains($0.key) } + changed
  }

  private func change(of id: Int64) throws -> CollectionChange? {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT client, name, lineage FROM collection WHERE id = ?"),
      arguments: [id])
    guard let row, let client = ResourceName(try row.decode(String.self, atIndex: 0)),
      let name = ResourceName(try row.decode(String.self, atIndex: 1))
    else { return nil }
    let version = try head(Collection(id: id, lineage: row.decode(atIndex: 2))).version
    return CollectionChange(
      key: CollectionKey(client: client, name: name), version: version, isDeleted: false)
  }

  /// The collections deleted since a date, each once; nil if some deletions are no longer retained.
  private func deletions(since date: Int64) throws -> [CollectionChange]? {
    let rows = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT client, name, version, date FROM deletion ORDER BY number"))
    if rows.count >= Self.deletionsMax, try rows[0].decode(Int64.self, atIndex: 3) >= date {
      return nil
    }
    var deleted: [CollectionKey: CollectionChange] = [:]
    for row in rows {
      guard try row.decode(Int64.self, atIndex: 3) >= date,
        let client = ResourceName(try row.decode(String.self, atIndex: 0)),
        let name = ResourceName(try row.decode(String.self, atIndex: 1)),
        let version = VersionToken(try row.decode(String.self, atIndex: 2))
      else { continue }
      let key = CollectionKey(client: client, name: name)
      deleted[key] = CollectionChange(key: key, version: version, isDeleted: true)
    }
    return deleted.values.sorted { $0.key < $1.key }
  }
}

extension CollectionKey {
  fileprivate static func < (a: CollectionKey, b: CollectionKey) -> Bool {
    (a.client, a.name) < (b.client, b.name)
  }
}
