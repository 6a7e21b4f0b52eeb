import Foundation
import GRDB
import VersionedCollections

extension StoreTables: StoreReader {
  /// A collection, by its row.
  struct Collection: StoredCollectionReader {
    let tables: StoreTables
    let id: Int64
    let lineage: Lineage

    init(_ tables: StoreTables, _ row: Row) throws {
      self.tables = tables
      id = try row.decode(atIndex: 0)
      // An error means damage, which reading the collection reports: no version has this lineage.
      let name = try? row.decode(String.self, atIndex: 1)
      let secret = try? row.decode(Data.self, atIndex: 2)
      lineage =
        if let name, let secret = secret.flatMap({ Lineage.Secret($0) }) {
          Lineage(name: name, secret: secret)
        } else { Lineage(name: "", secret: .unreadable) }
    }
  }

  /// Returns a collection; throws `DamagedData` if the index leads to another collection.
  func collection(_ client: ResourceName, _ name: ResourceName) throws -> Collection? {
    // The unary plus prevents SQLite from reading the values from the index.
    let row = try row(
      """
      SELECT id, lineage, secret, (SELECT +client = ? AND +name = ? FROM collection WHERE id = found.id)
      FROM collection AS found WHERE client = ? AND name = ?
      """, [client.text, name.text, client.text, name.text])
    guard let row else { return nil }
    guard try row.decode(Bool?.self, atIndex: 3) == true else {
      throw DamagedData("the index leads to another collection")
    }
    return try Collection(self, row)
  }

  /// Returns all collections that a condition on their rows selects.
  func collections(_ condition: String, _ arguments: StatementArguments = []) throws -> [Collection]
  {
    try rows("SELECT id, lineage, secret FROM collection WHERE \(condition)", arguments)
      .map { try Collection(self, $0) }
  }
}

extension StoreTables.Collection {
  /// - Throws: `DamagedData` if the newest version cannot be determined.
  func head() throws -> StoredHead {
    let image = try tables.row(
      "SELECT seq, digest, items FROM image WHERE collection = ?", [id])
    guard let image else { throw DamagedData("collection \(id) has no image") }
    let range = StoreTables.changes(of: id)
    let newest = try tables.row(
      """
      SELECT seq, digest, items FROM change WHERE id BETWEEN ? AND ? AND seq > ?
      ORDER BY id DESC LIMIT 1
      """, [range.lowerBound, range.upperBound, image.decode(Int.self, atIndex: 0)])
    let row = newest ?? image
    let token = VersionToken(
      lineage: lineage.name, seq: try row.decode(atIndex: 0), digest: try row.decode(atIndex: 1))
    guard VersionToken(token.description) == token else {
      throw DamagedData("the version of collection \(id) is none")
    }
    return StoredHead(version: token, itemCount: try row.decode(atIndex: 2))
  }

  func settings() throws -> StoredSettings {
    let row = try tables.row("SELECT settings, forced FROM collection WHERE id = ?", [id])
    guard let row else { throw DamagedData("collection \(id) has no row") }
    return StoredSettings(
      settings: try row.decode(Data?.self, atIndex: 0).map { Array($0) },
      overrides: try row.decode(Data?.self, atIndex: 1).map { Array($0) })
  }

  func image() throws -> StoredImage {
    let rows = try tables.cursor(
      "SELECT data, part_set, revision FROM image WHERE collection = ?", [id])
    // The row is valid only as long as the cursor.
    defer { withExtendedLifetime(rows) {} }
    guard let row = try rows.next() else { throw DamagedData("collection \(id) has no image") }
    return StoredImage(bytes: try tables.bytes(row), revision: try row.decode(atIndex: 2))
  }

  func forEachChange(
    after first: Int, through last: Int, _ body: ([UInt8]) throws -> Void
  ) throws {
    let range = StoreTables.changes(of: id)
    let rows = try tables.cursor(
      """
      SELECT data, part_set FROM change WHERE id BETWEEN ? AND ? AND seq > ? AND seq <= ?
      ORDER BY id
      """, [range.lowerBound, range.upperBound, first, last])
    while let row = try rows.next() { try body(tables.bytes(row)) }
  }

  func changeSizes(after first: Int) throws -> [Int: Int] {
    let range = StoreTables.changes(of: id)
    let rows = try tables.rows(
      "SELECT seq, \(StoreTables.size) FROM change WHERE id BETWEEN ? AND ? AND seq > ?",
      [range.lowerBound, range.upperBound, first])
    return Dictionary(
      try rows.map { (try $0.decode(Int.self, atIndex: 0), try $0.decode(Int.self, atIndex: 1)) },
      uniquingKeysWith: { $1 })
  }

  func changesSinceImage() throws -> ChangesSinceImage {
    let image = try tables.row(
      "SELECT seq, \(StoreTables.size) FROM image WHERE collection = ?", [id])
    guard let image else { throw DamagedData("collection \(id) has no image") }
    let sizes = try changeSizes(after: image.decode(atIndex: 0))
    return ChangesSinceImage(
      count: sizes.count, byteCount: sizes.values.reduce(0, +),
      imageByteCount: try image.decode(atIndex: 1))
  }

  /// Whether the image is still the one that was read.
  func hasImage(_ revision: Int) throws -> Bool {
    try tables.number(
      "SELECT count(*) FROM image WHERE collection = ? AND revision = ?", [id, revision]) == 1
  }
}
