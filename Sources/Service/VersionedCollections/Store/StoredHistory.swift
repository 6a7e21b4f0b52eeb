/// A collection with the contents of its older versions, as far as they are retained: what a copy to
/// another store takes along.
public struct StoredHistory: Sendable {
  /// What leads from one version to the next.
  public struct Change: Sendable {
    /// The version after it.
    public let version: VersionToken
    /// The number of items in that version.
    public let itemCount: Int
    /// The change, encoded by `StoredVersion.encodedChange`.
    public let bytes: [UInt8]
  }

  /// The newest version; its image has the contents of the oldest one too.
  public let collection: StoredCollection
  /// The changes from the oldest version with contents to the newest, in order.
  public let changes: [Change]
  /// Why contents of older versions are left out that should be there; nil if none are.
  public var damage: DamagedData?

  /// Creates a history without contents of older versions.
  public init(_ collection: StoredCollection, damage: DamagedData? = nil) {
    var collection = collection
    collection.keep(nil)
    (self.collection, changes, self.damage) = (collection, [], damage)
  }

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - collection: The newest version, which keeps the contents of the oldest one.
  ///   - changes: The encoded changes since the oldest one, in order.
  /// - Throws: `DamagedData` if they do not lead to the newest version.
  /// - Complexity: O(*n* · *m*), where *n* is the number of changes and *m* that of items.
  public init(_ collection: StoredCollection, changes: [[UInt8]]) throws(DamagedData) {
    var version = try collection.oldest()
    var known: [Change] = []
    for bytes in changes {
      try version.apply(change: bytes)
      known.append(Change(version: version.version, itemCount: version.itemCount, bytes: bytes))
    }
    guard version.version == collection.version, version.hasSameContents(as: collection) else {
      throw DamagedData(
        "changes lead from version \(collection.oldestWithContents) to \(version.version), not to "
          + "\(collection.version)")
    }
    (self.collection, self.changes) = (collection, known)
  }
}

/// A collection, or the batches of a client, of which a store has idempotency records.
public struct RecordOwner: Hashable, Sendable {
  /// The client's name, as it is stored.
  public var client: String
  /// The name of the collection, which may have been deleted; empty for batches.
  public var collection: String

  /// Creates an owner of records.
  public init(client: String, collection: String) {
    (self.client, self.collection) = (client, collection)
  }
}
