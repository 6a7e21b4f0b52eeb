import GRDB
import VersionedCollections

/// Older versions: an image has the contents of one, from which the retained changes lead to
/// others.
extension StoreTables {
  /// Reads a version of a collection with its contents.
  ///
  /// - Parameters:
  ///   - id: The collection.
  ///   - version: The version.
  /// - Returns: nil if its contents are not retained.
  /// - Throws: `DamagedData` if the result is not that version.
  func load(_ id: Int64, at version: VersionToken) throws -> StoredCollection? {
    guard let settings = try settings(of: id),
      let image = try image(of: id, lineage: version.lineage)?.collection,
      var found = try start(of: version.seq, image)
    else { return nil }
    try applyChanges(of: id, to: &found, through: version.seq)
    guard found.version.seq == version.seq else { return nil }
    guard found.version == version else {
      throw DamagedData("version \(found.version) where \(version) was")
    }
    try found.apply(settings)
    try found.checkDigest()
    return found
  }

  /// The base from which changes lead to a version: the image, or the older version in it.
  private func start(of seq: Int, _ image: StoredCollection) throws -> StoredCollection? {
    if image.version.seq <= seq { return image }
    return image.oldestWithContents <= seq ? try image.oldest() : nil
  }

  /// Sets the older contents of a collection to be encoded as an image, as far as they are
  /// retained.
  ///
  /// - Parameters:
  ///   - collection: The newest version, already trimmed to the retained versions.
  ///   - image: The image it was loaded from.
  ///   - id: The collection.
  ///   - bytesMax: The most bytes that they may take.
  /// - Throws: `DamagedData` if a change is corrupt or does not follow.
  func keepOlder(
    _ collection: inout StoredCollection, image: StoredCollection, of id: Int64,
    bytesMax: Int
  ) throws {
    collection.keep(nil)
    let sizes = try changeSizes(of: id, collection, from: image.oldestWithContents)
    var seq = collection.version.seq
    var byteCount = 0
    while let size = sizes[seq], size <= bytesMax - byteCount {
      byteCount += size
      seq -= 1
    }
    guard seq < collection.version.seq, var older = try start(of: seq, image) else { return }
    while true {
      try applyChanges(of: id, to: &older, through: seq)
      guard older.version.seq == seq else { return collection.keep(nil) }
      collection.keep(older)
      if byteCount + collection.olderByteCount <= bytesMax { return }
      seq += 1
      byteCount -= sizes[seq] ?? 0
    }
  }

  /// Reads a collection with the contents of its older versions; nil if it does not exist.
  func history(_ id: Int64, lineage: String) throws -> StoredHistory? {
    guard let loaded = try load(id, lineage: lineage, withImage: true), let image = loaded.image
    else { return nil }
    var collection = loaded.collection
    do {
      // All that is there: the target has limits of its own, which it applies in its own time.
      try keepOlder(&collection, image: image, of: id, bytesMax: .max)
      return try StoredHistory(
        collection, changes: changes(of: id, after: collection.oldestWithContents))
    } catch let damage as DamagedData {
      return StoredHistory(collection, damage: damage)
    }
  }

  /// The encoded changes after a version.
  private func changes(of id: Int64, after first: Int) throws -> [[UInt8]] {
    let range = Self.changes(of: id)
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT data, part_set FROM change WHERE id BETWEEN ? AND ? AND seq > ? ORDER BY id"),
      arguments: [range.lowerBound, range.upperBound, first])
    return try rows.map { try bytes($0) }
  }

  /// Verifies the contents of all versions up to an image.
  ///
  /// - Throws: `DamagedData` if one is not available.
  func checkOlder(_ id: Int64, _ image: StoredCollection) throws {
    let versions = image.versions.filter { image.oldestWithContents...image.version.seq ~= $0.seq }
    guard let settings = try settings(of: id) else { return }
    var older = try image.oldest()
    try older.apply(settings)
    for version in versions {
      try applyChanges(of: id, to: &older, through: version.seq)
      guard older.version == version else {
        throw DamagedData("version \(older.version) where \(version) was")
      }
      try older.checkDigest()
    }
    guard older.hasSameContents(as: image) else {
      throw DamagedData("changes do not lead from version \(image.oldestWithContents) to the image")
    }
  }

  /// The sizes in bytes of the changes that led to a collection's retained versions, by version
  /// number.
  private func changeSizes(
    of id: Int64, _ collection: StoredCollection, from oldest: Int
  ) throws -> [Int: Int] {
    let first = max(oldest, collection.versions.first?.seq ?? .max)
    let range = Self.changes(of: id)
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT seq, \(Self.size) FROM change WHERE id BETWEEN ? AND ? AND seq > ?"),
      arguments: [range.lowerBound, range.upperBound, first])
    return Dictionary(
      try rows.map { (try $0.decode(Int.self, atIndex: 0), try $0.decode(Int.self, atIndex: 1)) },
      uniquingKeysWith: { $1 })
  }

  /// The SQL expression for the size of a row's data, including its parts.
  static let size = """
    (length(data) + coalesce((SELECT sum(length(part.data)) FROM part
      WHERE part.id BETWEEN part_set << 20 AND part_set << 20 | 1048575), 0))
    """
}
