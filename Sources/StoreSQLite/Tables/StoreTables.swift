import Foundation
import GRDB
import VersionedCollections

/// The SQL statements, on one connection.
struct StoreTables {
  let db: Database
  /// The writer's cache of heads; nil on other connections.
  var heads: HeadCache?

  /// The row of a collection.
  struct Collection {
    var id: Int64
    var lineage: String
  }

  /// The IDs of a collection's changes.
  static func changes(of collection: Int64) -> ClosedRange<Int64> {
    collection << 32...(collection << 32 | 0xffff_ffff)
  }

  static func change(of collection: Int64, seq: Int) -> Int64 {
    collection << 32 | (Int64(seq) & 0xffff_ffff)
  }

  /// Returns the row of a collection.
  ///
  /// - Throws: `DamagedData` if the index leads to another collection.
  func collection(_ client: String, _ name: String) throws -> Collection? {
    // The unary plus prevents SQLite from reading the values from the index.
    let statement = try db.cachedStatement(
      sql: """
        SELECT id, lineage, (SELECT +client = ? AND +name = ? FROM collection WHERE id = found.id)
        FROM collection AS found WHERE client = ? AND name = ?
        """)
    return try Row.fetchOne(statement, arguments: [client, name, client, name]).map {
      guard try $0.decode(Bool?.self, atIndex: 2) == true else {
        throw DamagedData("the index leads to another collection")
      }
      return Collection(id: try $0.decode(atIndex: 0), lineage: Self.lineage($0, at: 1))
    }
  }

  /// A row's lineage; empty if it is not text.
  static func lineage(_ row: Row, at index: Int) -> String {
    // An error means damage, which reading the collection reports: no version has this lineage.
    (try? row.decode(String.self, atIndex: index)) ?? ""
  }

  /// Returns the newest version of a collection.
  ///
  /// - Throws: `DamagedData` if it cannot be determined.
  func head(_ collection: Collection) throws -> (version: VersionToken, itemCount: Int) {
    let image = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT seq, digest, items FROM image WHERE collection = ?"),
      arguments: [collection.id])
    guard let image else { throw DamagedData("collection \(collection.id) has no image") }
    let range = Self.changes(of: collection.id)
    let newest = try db.cachedStatement(
      sql: """
        SELECT seq, digest, items FROM change WHERE id BETWEEN ? AND ? AND seq > ?
        ORDER BY id DESC LIMIT 1
        """)
    let row =
      try Row.fetchOne(
        newest,
        arguments: [range.lowerBound, range.upperBound, image.decode(Int.self, atIndex: 0)])
      ?? image
    let token = VersionToken(
      lineage: collection.lineage, seq: try row.decode(atIndex: 0),
      digest: try row.decode(atIndex: 1))
    guard VersionToken(token.description) == token else {
      throw DamagedData("the version of collection \(collection.id) is none")
    }
    return (token, try row.decode(atIndex: 2))
  }

  /// Returns the newest version of a collection, or a substitute and the reason if it is damaged.
  private func readableHead(
    _ collection: Collection
  ) throws -> (version: VersionToken, itemCount: Int, damage: DamagedData?) {
    do {
      let (version, itemCount) = try head(collection)
      return (version, itemCount, nil)
    } catch {
      let failure = StoreError(error, on: db)
      guard failure.isDamage else { throw failure }
      let version = VersionToken(unreadableOf: collection.lineage)
      return (version, 0, DamagedData(failure.text))
    }
  }

  /// Returns the head of a collection that is about to be written; nil if it does not exist.
  ///
  /// - Throws: `DamagedData` if the index leads to another collection.
  func head(_ key: CollectionKey) throws -> HeadCache.Head? {
    if let known = heads?[key] { return known }
    guard let row = try collection(key.client.text, key.name.text) else { return nil }
    let (version, _, damage) = try readableHead(row)
    return HeadCache.Head(id: row.id, version: version, damage: damage)
  }

  // MARK: Writing

  func insert(_ id: Int64, _ client: String, _ name: String, lineage: String) throws {
    try run(
      "INSERT INTO collection (id, client, name, lineage) VALUES (?, ?, ?, ?)",
      [id, client, name, lineage])
  }

  func set(_ settings: StoredSettings, of id: Int64) throws {
    try run(
      "UPDATE collection SET settings = ?, forced = ? WHERE id = ?",
      [settings.settings.map { Data($0) }, settings.overrides.map { Data($0) }, id])
  }

  func delete(_ id: Int64) throws {
    try run("DELETE FROM collection WHERE id = ?", [id])
    try run("DELETE FROM last_use WHERE collection = ?", [id])
    try run("DELETE FROM size WHERE collection = ?", [id])
    // The row may exist already, for changes included in the image.
    try run("INSERT OR IGNORE INTO garbage (collection) VALUES (?)", [id])
  }

  func put(_ request: [UInt8], date: Int64, _ client: String, _ collection: String) throws -> (
    ledger: Int64, number: Int
  ) {
    let ledger = try ledger(client, collection) ?? newLedger(client, collection)
    let last = try db.cachedStatement(
      sql: "SELECT number FROM request WHERE ledger = ? ORDER BY number DESC LIMIT 1")
    let number = (try Int.fetchOne(last, arguments: [ledger]) ?? 0) + 1
    try run(
      "INSERT INTO request (ledger, number, date, data) VALUES (?, ?, ?, ?)",
      [ledger, number, date, Data(request)])
    return (ledger, number)
  }

  private func newLedger(_ client: String, _ collection: String) throws -> Int64 {
    try run("INSERT INTO ledger (client, collection) VALUES (?, ?)", [client, collection])
    return db.lastInsertedRowID
  }

  // MARK: Reading

  /// Lists a client's collections; those with damaged rows are marked as such.
  ///
  /// - Returns: The collections, and the number of others whose names are damaged, so that they
  ///   cannot be requested.
  func summaries(_ client: String) throws -> (named: [CollectionSummary], namelessCount: Int) {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT id, lineage, name, (SELECT bytes FROM size WHERE collection = id)
          FROM collection WHERE client = ?
          """), arguments: [client])
    let named: [CollectionSummary] = try rows.compactMap { row in
      // An error means a damaged name, which is counted and reported.
      guard let text = try? row.decode(String.self, atIndex: 2), let name = ResourceName(text)
      else { return nil }
      let collection = Collection(
        id: try row.decode(atIndex: 0), lineage: Self.lineage(row, at: 1))
      let (version, itemCount, damage) = try readableHead(collection)
      return CollectionSummary(
        name: name, version: version, itemCount: itemCount,
        contentByteCount: try row.decode(Int?.self, atIndex: 3), damage: damage?.reason)
    }
    return (named, rows.count - named.count)
  }

  /// Lists the clients that have collections, ascending by name.
  ///
  /// - Returns: The clients, and the number of others whose names are damaged.
  /// - Complexity: O(*n*), where *n* is the number of collections of the clients that are listed.
  func clients(
    in range: NameRange, after name: ResourceName?, limit: Int
  ) throws -> (named: [ClientSummary], namelessCount: Int) {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT client, count(*) FROM collection WHERE client > ? AND client BETWEEN ? AND ?
          GROUP BY client ORDER BY client
          """), arguments: [name?.text ?? "", range.first, range.last])
    var named: [ClientSummary] = []
    var namelessCount = 0
    while named.count < limit, let row = try rows.next() {
      if let text = String.fromDatabaseValue(row[0]), let name = ResourceName(text) {
        named.append(ClientSummary(name: name, collectionCount: try row.decode(atIndex: 1)))
      } else {
        namelessCount += 1
      }
    }
    return (named, namelessCount)
  }

  func recordOwners(after owner: RecordOwner?, countMax: Int) throws -> [RecordOwner] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT client, collection FROM ledger WHERE (client, collection) > (?, ?)
          ORDER BY client, collection LIMIT ?
          """), arguments: [owner?.client ?? "", owner?.collection ?? "", countMax])
    return try rows.map {
      RecordOwner(client: try $0.decode(atIndex: 0), collection: try $0.decode(atIndex: 1))
    }
  }

  func ledger(_ client: String, _ collection: String) throws -> Int64? {
    try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM ledger WHERE client = ? AND collection = ?"),
      arguments: [client, collection])
  }

  func requests(_ ledger: Int64, after date: Int64, max: Int) throws -> [[UInt8]] {
    let newest = try Data.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT data FROM request WHERE ledger = ? AND date >= ? ORDER BY number DESC LIMIT ?
          """), arguments: [ledger, date, max])
    return newest.reversed().map { Array($0) }
  }

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

extension VersionToken {
  /// A substitute for a newest version that is damaged: a token that no version has, so that the
  /// collection can be listed and deleted.
  init(unreadableOf lineage: String) {
    let token = VersionToken(lineage: lineage, seq: 1, digest: "unreadable------")
    self =
      VersionToken(token.description)
      ?? VersionToken(lineage: "damaged", seq: 1, digest: token.digest)
  }
}
