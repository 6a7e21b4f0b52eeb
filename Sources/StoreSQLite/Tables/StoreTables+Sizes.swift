import GRDB
import VersionedCollections

/// The sizes of collections' contents.
extension StoreTables {
  func set(contentBytes: Int, of id: Int64) throws {
    try run(
      """
      INSERT INTO size (collection, bytes) VALUES (?, ?)
      ON CONFLICT (collection) DO UPDATE SET bytes = excluded.bytes
      """, [id, contentBytes])
  }

  /// Loads the collections whose sizes are not recorded, outside of a transaction, and records them;
  /// those that are damaged count as empty.
  func recordMissingSizes() throws {
    let rows = try Row.fetchAll(
      db,
      sql: "SELECT id, lineage FROM collection WHERE id NOT IN (SELECT collection FROM size)")
    if rows.isEmpty { return }
    try db.inTransaction(.immediate) {
      for row in rows {
        let id: Int64 = try row.decode(atIndex: 0)
        try set(contentBytes: contentBytes(of: id, lineage: Self.lineage(row, at: 1)), of: id)
      }
      return .commit
    }
  }

  private func contentBytes(of id: Int64, lineage: String) throws -> Int {
    do {
      return try load(id, lineage: lineage)?.collection.contentByteCount ?? 0
    } catch let error where StoreError(error, on: db).isDamage {
      return 0
    }
  }

  /// What each client stores.
  func sizes() throws -> [ResourceName: StoredSize] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT client, count(*), sum(bytes) FROM collection LEFT JOIN size ON collection = id
        GROUP BY client
        """)
    var sizes: [ResourceName: StoredSize] = [:]
    while let row = try rows.next() {
      // An error means a damaged name, which nobody can ask for and so belongs to no tenant.
      guard let text = try? row.decode(String.self, atIndex: 0), let client = ResourceName(text)
      else { continue }
      sizes[client] = StoredSize(
        collections: try row.decode(atIndex: 1), bytes: try row.decode(Int?.self, atIndex: 2) ?? 0)
    }
    return sizes
  }
}
