/// A change to a collection.
public struct CollectionChange: Hashable, Sendable {
  /// The collection.
  public var key: CollectionKey
  /// Its newest version, or the last version of a deleted collection.
  public var version: VersionToken
  /// Whether it was deleted.
  public var isDeleted: Bool

  /// Creates a change.
  public init(key: CollectionKey, version: VersionToken, isDeleted: Bool) {
    self.key = key
    self.version = version
    self.isDeleted = isDeleted
  }
}
