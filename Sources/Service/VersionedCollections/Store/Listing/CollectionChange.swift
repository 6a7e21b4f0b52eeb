/// A change to a collection.
public struct CollectionChange: Hashable, Sendable {
  /// The collection.
  public var key: CollectionKey
  /// Its newest version, or the last version of a deleted collection.
  public var version: VersionToken
  /// The secret of its lineage; nil for changes that an earlier release recorded.
  public var secret: Lineage.Secret?
  /// Whether it was deleted.
  public var isDeleted: Bool
  /// Whether anybody may read the version; false where that is not known.
  public var isPublic: Bool

  /// Creates a change.
  public init(
    key: CollectionKey, version: VersionToken, secret: Lineage.Secret?, isDeleted: Bool,
    isPublic: Bool = false
  ) {
    self.key = key
    self.version = version
    self.secret = secret
    self.isDeleted = isDeleted
    self.isPublic = isPublic
  }

  /// The version for readers of the feed who may not read the collection; without a secret, its number alone.
  package var hiddenVersion: VersionToken {
    guard let secret else {
      return VersionToken(
        lineage: version.lineage, seq: version.seq, digest: "----------------",
        mark: VersionToken.Mark(.restriction, bits: 0))
    }
    return Lineage(name: version.lineage, secret: secret).hiddenToken(version)
  }
}
