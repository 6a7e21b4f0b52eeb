import Foundation
import GRDB
import VersionedCollections

/// Finds changes since a date by scanning all collections, so that writes need no additional index.
extension StoreTables {
  private static let deletionsMax = 10_000

  /// Records the deletion of a collection, which still exists.
  func record(deletionOf id: Int64, _ version: VersionToken, date: Int64) throws {
    try run(
      """
      INSERT INTO deletion (client, name, version, date, secret)
      SELECT client, name, ?, ?, secret FROM collection WHERE id = ?
      """, [version.description, date, id])
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
      let rows = try cursor(
        """
        SELECT \(id), substr(CASE WHEN part_set IS NULL THEN data
          ELSE (SELECT data FROM part WHERE id = part_set << 20) END, 1, 32) FROM \(table)
        """)
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
    guard let key = try key(of: id), let found = try collection(key.client, key.name) else {
      return nil
    }
    return CollectionChange(
      key: key, version: try found.head().version, secret: found.lineage.secret, isDeleted: false,
      isPublic: try found.settings().settings?.starts(with: CollectionSettings.publicPrefix) == true
    )
  }

  /// The name of a collection; nil if there is none, or it is damaged.
  func key(of id: Int64) throws -> CollectionKey? {
    let row = try row("SELECT client, name FROM collection WHERE id = ?", [id])
    guard let row, let client = Self.name(row, at: 0), let name = Self.name(row, at: 1) else {
      return nil
    }
    return CollectionKey(client: client, name: name)
  }

  /// The collections deleted since a date, each once; nil if some deletions are no longer retained.
  private func deletions(since date: Int64) throws -> [CollectionChange]? {
    let rows = try rows("SELECT client, name, version, date, secret FROM deletion ORDER BY number")
    if rows.count >= Self.deletionsMax, try rows[0].decode(Int64.self, atIndex: 3) >= date {
      return nil
    }
    var deleted: [CollectionKey: CollectionChange] = [:]
    for row in rows {
      guard try row.decode(Int64.self, atIndex: 3) >= date, let client = Self.name(row, at: 0),
        let name = Self.name(row, at: 1),
        let version = VersionToken(try row.decode(String.self, atIndex: 2))
      else { continue }
      let key = CollectionKey(client: client, name: name)
      deleted[key] = CollectionChange(
        key: key, version: version,
        secret: Lineage.Secret(try row.decode(Data.self, atIndex: 4)), isDeleted: true)
    }
    return deleted.values.sorted { ($0.key.client, $0.key.name) < ($1.key.client, $1.key.name) }
  }
}
