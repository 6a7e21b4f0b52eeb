import Foundation
import GRDB
import VersionedCollections

/// The SQL statements, on one connection.
struct StoreTables {
  let db: Database
  /// Called with damage that others need not know of.
  var faults: FaultSink = { _ in }
  /// The writer's cache of heads; nil on other connections.
  var heads: HeadCache?

  // MARK: Statements

  func run(_ sql: String, _ arguments: StatementArguments = []) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
    try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
  }

  /// Reads rows one at a time; each is valid until the next.
  func cursor(_ sql: String, _ arguments: StatementArguments = []) throws -> RowCursor {
    try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
  }

  func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
    try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }

  /// Reads the first value of the first row; nil if there is none.
  func number(_ sql: String, _ arguments: StatementArguments = []) throws -> Int64? {
    try Int64.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }

  /// Reads a row's name; nil if it is damaged, so that nobody can ask for it.
  static func name(_ row: Row, at index: Int) -> ResourceName? {
    String.fromDatabaseValue(row[index]).flatMap { ResourceName($0) }
  }

  // MARK: Collections

  /// The ids of a collection's changes.
  static func changes(of collection: Int64) -> ClosedRange<Int64> {
    collection << 32...(collection << 32 | 0xffff_ffff)
  }

  static func change(of collection: Int64, seq: Int) -> Int64 {
    collection << 32 | (Int64(seq) & 0xffff_ffff)
  }

  /// Returns the newest version of a collection, or a substitute and the reason if it is damaged.
  func readableHead(_ collection: Collection) throws -> (head: StoredHead, damage: DamagedData?) {
    do {
      return (try collection.head(), nil)
    } catch {
      let failure = StoreError(error, on: db)
      guard failure.isDamage else { throw failure }
      let version = VersionToken(unreadableOf: collection.lineage.name)
      return (StoredHead(version: version, itemCount: 0), DamagedData(failure.text))
    }
  }

  /// Returns the head of a collection that is about to be written; nil if it does not exist.
  ///
  /// - Throws: `DamagedData` if the index leads to another collection.
  func head(_ key: CollectionKey) throws -> HeadCache.Head? {
    if let known = heads?[key] { return known }
    guard let row = try collection(key.client, key.name) else { return nil }
    let (head, damage) = try readableHead(row)
    return HeadCache.Head(id: row.id, version: head.version, damage: damage)
  }

  /// Inserts the row of a new collection.
  ///
  /// - Returns: Its id, which nothing has that is still to be cleared away.
  func insert(_ key: CollectionKey, _ lineage: Lineage) throws -> Int64 {
    let last = try number(
      """
      SELECT max(coalesce((SELECT max(id) FROM collection), 0),
        coalesce((SELECT max(collection) FROM garbage), 0))
      """)
    let id = (last ?? 0) + 1
    // It must fit into the upper half of a change's id.
    guard id <= Int64(Int32.max) else { throw DatabaseError(resultCode: .SQLITE_FULL) }
    try run(
      "INSERT INTO collection (id, client, name, lineage, secret) VALUES (?, ?, ?, ?, ?)",
      [id, key.client.text, key.name.text, lineage.name, Data(lineage.secret.bytes)])
    return id
  }

  func set(_ settings: StoredSettings, of id: Int64) throws {
    try run(
      "UPDATE collection SET settings = ?, forced = ? WHERE id = ?",
      [settings.settings.map { Data($0) }, settings.overrides.map { Data($0) }, id])
  }

  func delete(_ id: Int64) throws {
    try run("DELETE FROM collection WHERE id = ?", [id])
    try run("DELETE FROM last_use WHERE collection = ?", [id])
    // The row may exist already, for changes included in the image.
    try run("INSERT OR IGNORE INTO garbage (collection) VALUES (?)", [id])
  }

  func probe() throws {
    try run(
      """
      INSERT INTO probe (id, count) VALUES (1, 1)
      ON CONFLICT (id) DO UPDATE SET count = count + 1
      """)
  }
}

extension VersionToken {
  /// A substitute for a newest version that is damaged: a token that no version has, so that the
  /// collection can be listed and deleted.
  fileprivate init(unreadableOf lineage: String) {
    let token = VersionToken(lineage: lineage, seq: 1, digest: "unreadable------")
    self =
      VersionToken(token.description)
      ?? VersionToken(lineage: "damaged", seq: 1, digest: token.digest)
  }
}
