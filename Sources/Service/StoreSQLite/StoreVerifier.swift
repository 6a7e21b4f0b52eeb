import Foundation
import GRDB
import VersionedCollections

/// Verifies the integrity of a store.
public enum StoreVerifier {
  /// The result of a verification.
  public struct Report: Sendable {
    /// The number of collections checked.
    public var collections = 0
    /// The number of their available versions.
    public var versions = 0
    /// The number of changes since images.
    public var changes = 0
    /// The number of idempotency records.
    public var requests = 0
    /// The faults found, one sentence each.
    public var faults: [String] = []
  }

  /// Verifies the store in a directory, which may be in use.
  ///
  /// Checks every page, checksum, digest and reference in one consistent view.
  ///
  /// - Parameter directory: The store's directory.
  /// - Returns: The report.
  /// - Throws: `StoreOpenError` if there is no store or it cannot be read at all.
  public static func verify(directory: String) throws(StoreOpenError) -> Report {
    try verify(file: DataDirectory.database(in: directory))
  }

  /// Verifies the file of a store, such as a backup.
  ///
  /// - Parameter file: The file.
  /// - Returns: The report.
  /// - Throws: `StoreOpenError` if there is no store or it cannot be read at all.
  public static func verify(file: String) throws(StoreOpenError) -> Report {
    do {
      return try StoreFile.open(file).read { db in
        try Schema.check(db, path: file)
        var report = Report()
        try report.checkPages(db)
        try report.checkCollections(StoreTables(db: db))
        try report.checkReferences(db)
        try report.checkRequests(db)
        return report
      }
    } catch {
      throw StoreOpenError(error, path: file)
    }
  }
}

extension StoreVerifier.Report {
  private static let faultsMax = 1000

  fileprivate mutating func checkPages(_ db: Database) throws {
    let rows = try String.fetchAll(db, sql: "PRAGMA integrity_check(100)")
    for row in rows where row != "ok" { add("pages: \(row)") }
  }

  fileprivate mutating func checkCollections(_ tables: StoreTables) throws {
    var last: Int64 = 0
    while let (collection, what) = try Self.next(after: last, tables) {
      // In a damaged tree, the row found for an id may have a smaller one.
      guard collection.id > last else { return add("\(what): its number is out of order") }
      last = collection.id
      collections += 1
      do {
        if try tables.key(of: collection.id) == nil { add("\(what): its name is damaged") }
        try check(collection)
      } catch let damage as DamagedData {
        add("\(what): \(damage.reason)")
      } catch {
        add("\(what): \(StoreError(error))")
      }
    }
  }

  /// The next collection by id, and what to call it.
  private static func next(
    after id: Int64, _ tables: StoreTables
  ) throws -> (StoreTables.Collection, what: String)? {
    let row = try tables.row(
      "SELECT id, lineage, secret, client, name FROM collection WHERE id > ? ORDER BY id LIMIT 1",
      [id])
    guard let row else { return nil }
    let names = [3, 4].map { String.fromDatabaseValue(row[$0]) ?? "" }
    return (try StoreTables.Collection(tables, row), "collection \(names[0])/\(names[1])")
  }

  private mutating func check(_ collection: StoreTables.Collection) throws {
    let loaded = try collection.load()
    try loaded.checkDigest()
    changes += try collection.changesSinceImage().count
    versions += loaded.versions.count
    try collection.checkOlder()
  }

  fileprivate mutating func checkReferences(_ db: Database) throws {
    let known = "(SELECT id FROM collection UNION ALL SELECT collection FROM garbage)"
    let images = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM image WHERE collection NOT IN \(known)")
    let changes = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM change WHERE id >> 32 NOT IN \(known)")
    let requests = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM request WHERE ledger NOT IN (SELECT id FROM ledger)")
    let used = """
      SELECT part_set FROM image WHERE part_set IS NOT NULL
      UNION ALL SELECT part_set FROM change WHERE part_set IS NOT NULL
      UNION ALL SELECT part_set FROM unused_parts
      """
    let parts = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM part WHERE id >> 20 NOT IN (\(used))")
    let found = [
      (images, "images"), (changes, "changes"), (requests, "requests"), (parts, "parts"),
    ]
    for (count, what) in found {
      if let count, count > 0 { add("\(count) \(what) belong to nothing") }
    }
    let shared = try Int.fetchOne(
      db, sql: "SELECT count(part_set) - count(DISTINCT part_set) FROM (\(used))")
    if let shared, shared > 0 { add("\(shared) sets of parts belong to two") }
  }

  fileprivate mutating func checkRequests(_ db: Database) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT ledger, number, data FROM request")
    while let row = try rows.next() {
      requests += 1
      let number = requests
      do {
        _ = try IdempotencyRecord(Array(try row.decode(Data.self, atIndex: 2)), about: nil)
      } catch let damage as DamagedData {
        add("request \(number): \(damage.reason)")
      } catch {
        add("request \(number): unreadable")
      }
    }
  }

  private mutating func add(_ fault: String) {
    if faults.count < Self.faultsMax {
      faults.append(fault)
    } else if faults.count == Self.faultsMax {
      faults.append("there are more than \(Self.faultsMax) faults; the others are left out")
    }
  }
}
