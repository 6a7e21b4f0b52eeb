import Foundation
import GRDB
import VersionedCollections

/// Lists of all or many collections; those with damaged names are passed over and reported.
extension StoreTables {
  func summaries(of client: ResourceName) throws -> [CollectionSummary] {
    let prefix = Data(CollectionSettings.publicPrefix)
    let rows = try rows(
      """
      SELECT id, lineage, secret, name, coalesce(substr(settings, 1, ?) = ?, 0)
      FROM collection WHERE client = ?
      """, [prefix.count, prefix, client.text])
    let named: [CollectionSummary] = try rows.compactMap { row in
      guard let name = Self.name(row, at: 3) else { return nil }
      let collection = try Collection(self, row)
      let (head, damage) = try readableHead(collection)
      return CollectionSummary(
        name: name, version: head.version, itemCount: head.itemCount,
        damage: damage?.reason, isPublic: try row.decode(Bool.self, atIndex: 4),
        secret: collection.lineage.secret)
    }
    report(rows.count - named.count, "collections of the client", client: client)
    return named
  }

  /// Lists the clients that have collections, ascending by name.
  ///
  /// - Complexity: O(*n*), where *n* is the number of collections of the clients that are listed.
  func clients(
    in range: NameRange, after name: ResourceName?, limit: Int
  ) throws -> [ClientSummary] {
    let rows = try cursor(
      """
      SELECT client, count(*) FROM collection WHERE client > ? AND client BETWEEN ? AND ?
      GROUP BY client ORDER BY client
      """, [name?.text ?? "", range.first, range.last])
    var named: [ClientSummary] = []
    var namelessCount = 0
    while named.count < limit, let row = try rows.next() {
      if let name = Self.name(row, at: 0) {
        named.append(ClientSummary(name: name, collectionCount: try row.decode(atIndex: 1)))
      } else {
        namelessCount += 1
      }
    }
    report(namelessCount, "clients")
    return named
  }

  private func report(_ namelessCount: Int, _ what: String, client: ResourceName? = nil) {
    guard namelessCount > 0 else { return }
    faults(Fault(.collectionDamaged, "\(namelessCount) \(what) have damaged names", client: client))
  }

  // MARK: Uses

  func record(useOf key: CollectionKey, date: Int64) throws {
    try run(
      """
      INSERT INTO last_use (collection, date)
      SELECT id, ? FROM collection WHERE client = ? AND name = ?
      ON CONFLICT (collection) DO UPDATE SET date = max(date, excluded.date)
      """, [date, key.client.text, key.name.text])
  }

  /// Counts collections without a recorded use as used at a date.
  func recordMissingUses(date: Int64) throws {
    try run(
      "INSERT OR IGNORE INTO last_use (collection, date) SELECT id, ? FROM collection", [date])
  }

  /// - Complexity: O(*n*), where *n* is the number of all collections.
  func unused(since date: Int64, countMax: Int) throws -> [CollectionKey] {
    let rows = try cursor(
      "SELECT client, name FROM collection JOIN last_use ON collection = id WHERE date <= ?",
      [date])
    var found: [CollectionKey] = []
    var namelessCount = 0
    while found.count < countMax, let row = try rows.next() {
      if let client = Self.name(row, at: 0), let name = Self.name(row, at: 1) {
        found.append(CollectionKey(client: client, name: name))
      } else {
        namelessCount += 1
      }
    }
    report(namelessCount, "unused collections")
    return found
  }

  func storedBytes(of client: ResourceName) throws -> [ResourceName: Int] {
    let rows = try rows(
      """
      SELECT name, coalesce((SELECT \(Self.size) FROM image WHERE collection = owner.id), 0)
        + coalesce((SELECT sum(\(Self.size)) FROM change
          WHERE id BETWEEN owner.id << 32 AND owner.id << 32 | 4294967295), 0)
      FROM collection AS owner WHERE client = ?
      """, [client.text])
    var sizes: [ResourceName: Int] = [:]
    for row in rows {
      guard let name = Self.name(row, at: 0) else { continue }
      sizes[name] = try row.decode(atIndex: 1)
    }
    return sizes
  }
}
