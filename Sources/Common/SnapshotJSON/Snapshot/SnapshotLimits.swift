/// The limits of a snapshot; the reader limits the size and depth of the text.
public struct SnapshotLimits: Hashable, Sendable {
  /// The most items in all sections.
  public var itemsMax: Int
  /// The most sections.
  public var sectionsMax: Int
  /// The longest id in UTF-8 bytes.
  public var idBytesMax: Int
  /// The largest item in bytes, minified.
  public var itemBytesMax: Int

  /// Creates limits; the defaults are those of the protocol.
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
