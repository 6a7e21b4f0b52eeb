import CollectionService
import Foundation
import GRDB

extension StoreTables {
  /// A collection as it was read.
  struct Loaded {
    var collection: StoredCollection
    /// How often its image was written: what tells this image from others of one collection.
    var revision: Int64
    /// The changes since the image.
    var changes: ImageDemand.Changes
    /// The image, if it is wanted beside the newest version.
    var image: StoredCollection?
  }

  /// Reads a collection; nil when there is none.
  ///
  /// A change is read when those before were applied. So what later changes replaced need not be in
  /// memory: at most there are the bytes of the image and of all changes, once, and what
  /// `StoredCollection` makes of them.
  ///
  /// - Throws: `DamagedData` when its version is not the one that its rows name.
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

  /// Applies the changes that lead on from a version.
  ///
  /// - Parameters:
  ///   - id: The collection.
  ///   - collection: The version; then the last one that there is, or that is asked for.
  ///   - last: The number of the last version that is wanted.
  ///   - note: Gets the size of each change.
  /// - Throws: `DamagedData` for a change that does not fit.
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
    // A row is the cursor's: it ends with it.
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
