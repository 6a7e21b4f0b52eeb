/// An entry of a client's index.
public struct CollectionSummary: Hashable, Sendable {
  /// Its name.
  public var name: ResourceName
  /// Its head.
  public var version: VersionToken
  /// The number of its items.
  public var itemCount: Int
  /// The approximate size of its content in bytes; nil before it was first loaded.
  public var byteCount: Int?
  /// The bytes of its contents, as limits count them; nil if the store does not record them.
  public var contentByteCount: Int?
  /// Why the collection is damaged, for the log; nil if it is not.
  public var damage: String?
  /// See ``StoredCollection/revision``.
  public var revision: Int
  /// Whether anybody may read the collection; nil if that is known only once it is loaded.
  public var isPublic: Bool?
  /// The secret of its lineage; nil if the store does not tell it.
  public var secret: Lineage.Secret?

  /// Creates a summary.
  public init(
    name: ResourceName, version: VersionToken, itemCount: Int, byteCount: Int? = nil,
    contentByteCount: Int? = nil, damage: String? = nil, revision: Int = 0,
    isPublic: Bool? = nil, secret: Lineage.Secret? = nil
  ) {
    self.secret = secret
    self.isPublic = isPublic
    self.contentByteCount = contentByteCount
    self.revision = revision
    (self.name, self.version, self.damage) = (name, version, damage)
    (self.itemCount, self.byteCount) = (itemCount, byteCount)
  }
}
