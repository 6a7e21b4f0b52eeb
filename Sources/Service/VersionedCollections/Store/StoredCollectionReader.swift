/// Reads what a store has of one collection, in one view.
///
/// A collection is an image, which is one version in full, and the changes since. The image also has
/// the contents of one older version, and the changes since that one are kept: they lead to every
/// version whose contents are retained.
package protocol StoredCollectionReader {
  var lineage: Lineage { get }

  /// Reads what the store names as the newest version.
  func head() throws -> StoredHead

  func settings() throws -> StoredSettings

  /// Reads the image; throws `DamagedData` if there is none.
  func image() throws -> StoredImage

  /// Reads the changes between two versions in order, each after `body` has returned for the one before.
  func forEachChange(
    after first: Int, through last: Int, _ body: (_ change: [UInt8]) throws -> Void) throws

  /// Returns the sizes in bytes of the changes after a version, by the number of the version that
  /// each leads to; reads none of them.
  func changeSizes(after first: Int) throws -> [Int: Int]

  /// Counts the changes since the image; reads neither.
  func changesSinceImage() throws -> ChangesSinceImage
}

/// What a store says about the newest version of a collection.
package struct StoredHead: Sendable {
  package var version: VersionToken
  package var itemCount: Int
  /// As in ``StoredCollection/revision``.
  package var revision: Int

  package init(version: VersionToken, itemCount: Int, revision: Int = 0) {
    (self.version, self.itemCount, self.revision) = (version, itemCount, revision)
  }
}

package struct StoredImage: Sendable {
  package var bytes: [UInt8]
  /// How often the collection's image was replaced, which identifies this one.
  package var revision: Int

  package init(bytes: [UInt8], revision: Int) { (self.bytes, self.revision) = (bytes, revision) }
}

package struct ChangesSinceImage: Sendable {
  package var count: Int
  package var byteCount: Int
  package var imageByteCount: Int

  package init(count: Int, byteCount: Int, imageByteCount: Int) {
    (self.count, self.byteCount, self.imageByteCount) = (count, byteCount, imageByteCount)
  }

  /// Whether they are so many or so large that the image is to be renewed.
  fileprivate func isImageDue(_ options: DurableStoreOptions) -> Bool {
    count >= options.changesMax || byteCount > max(options.changeBytesMin, imageByteCount)
  }
}

extension StoredCollectionReader {
  /// Reads the newest version.
  ///
  /// At most, the bytes of the image and of all changes are in memory once, besides the decoded
  /// collection.
  ///
  /// - Throws: `DamagedData` if the result is not the version that the store names.
  package func load() throws -> StoredCollection {
    try newest(since: StoredCollection(lineage: lineage, image: image().bytes))
  }

  private func newest(since image: consuming StoredCollection) throws -> StoredCollection {
    var collection = image
    try apply(to: &collection)
    try collection.apply(settings())
    try collection.checkIDs()
    let head = try head()
    guard collection.version == head.version else {
      throw DamagedData("the newest version is \(collection.version), not \(head.version)")
    }
    guard collection.itemCount == head.itemCount else {
      throw DamagedData("\(collection.itemCount) items, not \(head.itemCount)")
    }
    collection.revision = head.revision
    return collection
  }

  private func apply(to collection: inout StoredCollection, through last: Int = .max) throws {
    try forEachChange(after: collection.version.seq, through: last) {
      try collection.apply(change: $0)
    }
  }

  // MARK: Older versions

  /// Reads a version with its contents.
  ///
  /// - Returns: nil if its contents are not retained.
  /// - Throws: `DamagedData` if the result is not that version.
  package func load(at version: VersionToken) throws -> StoredCollection? {
    let image = try StoredCollection(lineage: lineage, image: image().bytes)
    guard var found = try start(of: version.seq, image) else { return nil }
    try apply(to: &found, through: version.seq)
    guard found.version.seq == version.seq else { return nil }
    guard found.version == version else {
      throw DamagedData("version \(found.version) where \(version) was")
    }
    try found.apply(settings())
    try found.checkDigest()
    return found
  }

  /// The version from which changes lead to another one: the image, or the older version in it.
  private func start(of seq: Int, _ image: StoredCollection) throws -> StoredCollection? {
    if image.version.seq <= seq { return image }
    return image.oldestWithContents <= seq ? try image.oldest() : nil
  }

  /// Reads the newest version and the contents of older ones, as far as the store has them.
  ///
  /// Another store, which it is copied to, applies limits of its own in its own time.
  package func history() throws -> StoredHistory {
    let image = try StoredCollection(lineage: lineage, image: image().bytes)
    var collection = try newest(since: image)
    do {
      try keepOlder(in: &collection, image, bytesMax: .max)
      var changes: [[UInt8]] = []
      try forEachChange(after: collection.oldestWithContents, through: .max) { changes.append($0) }
      return try StoredHistory(collection, changes: changes)
    } catch let damage as DamagedData {
      return StoredHistory(collection, damage: damage)
    }
  }

  /// Keeps the contents of the oldest version whose contents, with the changes since the image, fit into a size.
  private func keepOlder(
    in collection: inout StoredCollection, _ image: StoredCollection, bytesMax: Int
  ) throws {
    collection.keep(nil)
    let first = max(image.oldestWithContents, collection.versions.first?.seq ?? .max)
    let sizes = try changeSizes(after: first)
    var seq = collection.version.seq
    var byteCount = 0
    while let size = sizes[seq], size <= bytesMax - byteCount {
      byteCount += size
      seq -= 1
    }
    guard seq < collection.version.seq, var older = try start(of: seq, image) else { return }
    while seq < collection.version.seq {
      try apply(to: &older, through: seq)
      guard older.version.seq == seq else { break }
      collection.keep(older)
      if byteCount + collection.olderByteCount <= bytesMax { return }
      seq += 1
      byteCount -= sizes[seq] ?? 0
    }
    collection.keep(nil)
  }

  /// Verifies the contents of all versions up to the image.
  ///
  /// - Throws: `DamagedData` if one is not what its digest says.
  package func checkOlder() throws {
    let image = try StoredCollection(lineage: lineage, image: image().bytes)
    guard image.oldestWithContents < image.version.seq else { return }
    var older = try image.oldest()
    let retained = image.oldestWithContents...image.version.seq
    for version in image.versions where retained.contains(version.seq) {
      try apply(to: &older, through: version.seq)
      guard older.version == version else {
        throw DamagedData("version \(older.version) where \(version) was")
      }
      try older.checkDigest()
    }
    guard older.hasSameContents(as: image) else {
      throw DamagedData("changes do not lead from version \(image.oldestWithContents) to the image")
    }
  }

  // MARK: Images

  /// Reads what a new image consists of: the newest version, and the contents of older ones as far as
  /// they are retained.
  ///
  /// It takes the memory of the old image, of those changes that later ones did not replace, of the
  /// texts of the ids and 56 bytes per item: about twice the image if everything changed once.
  ///
  /// Contents of older versions that are damaged are reported as a fault, and lost.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - options: The retention, and when an image is due.
  ///   - ifDue: Whether only if the changes since are so many or so large that it is due.
  /// - Returns: The version, and the revision of the image that it replaces; nil if it is not due.
  /// - Throws: `DamagedData` if the newest version is damaged.
  package func renewal(
    of key: CollectionKey, _ options: DurableStoreOptions, ifDue: Bool
  ) throws -> (collection: StoredCollection, imageRevision: Int)? {
    if ifDue, try !changesSinceImage().isImageDue(options) { return nil }
    let stored = try self.image()
    let image = try StoredCollection(lineage: lineage, image: stored.bytes)
    var collection = try newest(since: image)
    collection.clampSettings(to: options.settingsLimits)
    collection.trim(options.retention, now: options.date())
    do {
      let bytesMax = collection.olderBytesMax(options.retention)
      try keepOlder(in: &collection, image, bytesMax: bytesMax)
    } catch let damage as DamagedData {
      options.faults(
        Fault(.collectionDamaged, damage.reason, client: key.client, collection: key.name))
      collection.keep(nil)
    }
    return (collection, stored.revision)
  }
}
