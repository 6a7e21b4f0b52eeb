import Foundation
import GRDB
import VersionedCollections

extension StoreTables {
  /// A collection read from the database.
  struct Loaded {
    var collection: StoredCollection
    /// The number of times its image was written, which identifies this image.
    var revision: Int64
    /// The changes since the image.
    var changes: ImageDemand.Changes
    /// The decoded image, if requested.
    var image: StoredCollection?
  }

  /// Reads a collection; nil if it does not exist.
  ///
  /// Each change is read after the previous ones were applied, so replaced contents are freed.
  /// At most, the bytes of the image and of all changes are in memory once, plus the decoded
  /// `StoredCollection`.
  ///
  /// - Throws: `DamagedData` if the result is not the version named in the rows.
  func load(_ id: Int64, lineage: String, withImage: Bool = false) throws -> Loaded? {
    guard let settings = try settings(of: id) else { return nil }
    guard var loaded = try image(of: id, lineage: lineage) else {
      throw DamagedData("collection \(id) has no image")
    }
    if withImage { loaded.image = loaded.collection }
    try applyChanges(of: id, to: &loaded.collection) { loaded.changes.add($0) }
    try loaded.collection.apply(settings)
    try loaded.collection.checkIDs()
    let head = try head(Collection(id: id, lineage: lineage))
    guard head.version == loaded.collection.version else {
      throw DamagedData(
        "the newest version is \(loaded.collection.version), its row says \(head.version)")
    }
    guard head.itemCount == loaded.collection.itemCount else {
      throw DamagedData("\(loaded.collection.itemCount) items, its row says \(head.itemCount)")
    }
    return loaded
  }

  /// Applies the changes after a version.
  ///
  /// - Parameters:
  ///   - id: The collection.
  ///   - collection: The version; updated to the last one, or to `last`.
  ///   - last: The number of the last version wanted.
  ///   - note: Called with the size of each change in bytes.
  /// - Throws: `DamagedData` if a change is corrupt or does not follow.
  func applyChanges(
    of id: Int64, to collection: inout StoredCollection, through last: Int = .max,
    note: (_ byteCount: Int) -> Void = { _ in }
  ) throws {
    let range = Self.changes(of: id)
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT data, part_set FROM change WHERE id BETWEEN ? AND ? AND seq > ? AND seq <= ?
          ORDER BY id
          """),
      arguments: [range.lowerBound, range.upperBound, collection.version.seq, last])
    while let row = try rows.next() {
      let change = try bytes(row)
      note(change.count)
      try collection.apply(change: change)
    }
  }

  func image(of id: Int64, lineage: String) throws -> Loaded? {
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT data, part_set, revision FROM image WHERE collection = ?"),
      arguments: [id])
    // The row is valid only as long as the cursor.
    return try withExtendedLifetime(rows) {
      guard let row = try rows.next() else { return nil }
      let image = try bytes(row)
      return Loaded(
        collection: try StoredCollection(lineage: lineage, image: image),
        revision: try row.decode(atIndex: 2),
        changes: ImageDemand.Changes(imageByteCount: image.count))
    }
  }

  func settings(of id: Int64) throws -> StoredSettings? {
    let row = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT settings, forced FROM collection WHERE id = ?"),
      arguments: [id])
    return try row.map {
      StoredSettings(
        settings: try $0.decode(Data?.self, atIndex: 0).map { Array($0) },
        overrides: try $0.decode(Data?.self, atIndex: 1).map { Array($0) })
    }
  }
}
