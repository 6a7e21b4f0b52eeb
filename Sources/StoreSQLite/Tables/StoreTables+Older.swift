import CollectionService
import GRDB

/// Older versions with their contents: an image has those of one, and kept changes lead on from it.
extension StoreTables {
  /// Reads a version of a collection, whole.
  ///
  /// - Parameters:
  ///   - id: The collection.
  ///   - version: The version.
  /// - Returns: nil when its contents are not kept.
  /// - Throws: `DamagedData` when what is kept is not the version.
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

  /// From where changes lead on to a version: the image, or what it has of an older version.
  private func start(of seq: Int, _ image: StoredCollection) throws -> StoredCollection? {
    if image.version.seq <= seq { return image }
    return image.oldestWhole <= seq ? try image.oldest() : nil
  }

  /// Has a collection that is about to become an image keep the contents of older versions, as far as
  /// they are retained.
  ///
  /// - Parameters:
  ///   - collection: The newest version, as it was read; it forgot the versions that are not
  ///     retained.
  ///   - image: The image that it was made of.
  ///   - id: The collection.
  ///   - retention: How much is kept.
  /// - Throws: `DamagedData` when what is kept does not lead to the image.
  func keepOlder(
    _ collection: inout StoredCollection, image: StoredCollection, of id: Int64,
    _ retention: Retention
  ) throws {
    collection.keep(nil)
    let sizes = try changeSizes(of: id, collection, from: image.oldestWhole)
    let bytesMax = collection.olderBytesMax(retention)
    var seq = collection.version.seq
    var byteCount = 0
    while let size = sizes[seq], byteCount + size <= bytesMax {
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

  /// Sees that the versions before an image can be had, whole.
  ///
  /// - Throws: `DamagedData` otherwise.
  func checkOlder(_ id: Int64, _ image: StoredCollection) throws {
    let versions = image.versions.filter { image.oldestWhole...image.version.seq ~= $0.seq }
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
      throw DamagedData("changes do not lead from version \(image.oldestWhole) to the image")
    }
  }

  /// The sizes of the changes that led to the versions of a collection that are retained.
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

  /// The bytes of a row's data, wherever they are.
  static let size = """
    (length(data) + coalesce((SELECT sum(length(part.data)) FROM part
      WHERE part.id BETWEEN part_set << 20 AND part_set << 20 | 1048575), 0))
    """
}
