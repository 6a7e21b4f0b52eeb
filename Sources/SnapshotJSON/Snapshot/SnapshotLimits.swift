/// How large a snapshot may be; the size of the text and its depth are limited by who reads it.
public struct SnapshotLimits: Hashable, Sendable {
  /// The most items in all sections together.
  public var itemsMax: Int
  /// The most sections.
  public var sectionsMax: Int
  /// The most UTF-8 bytes of an id.
  public var idBytesMax: Int
  /// The most bytes of one item, minified.
  public var itemBytesMax: Int

  /// The limits of the protocol, or others.
  public init(
    itemsMax: Int = 100_000, sectionsMax: Int = 10_000, idBytesMax: Int = 256,
    itemBytesMax: Int = 1 << 20
  ) {
    self.itemsMax = itemsMax
    self.sectionsMax = sectionsMax
    self.idBytesMax = idBytesMax
    self.itemBytesMax = itemBytesMax
  }
}
