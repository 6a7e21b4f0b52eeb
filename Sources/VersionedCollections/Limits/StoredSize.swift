/// What a client or a tenant stores.
public struct StoredSize: Hashable, Sendable {
  /// Collections.
  public var collections: Int
  /// Bytes of contents, as `limits.collectionBytesMax` counts them: of the newest versions.
  public var bytes: Int

  /// Creates a size.
  public init(collections: Int = 0, bytes: Int = 0) {
    (self.collections, self.bytes) = (collections, bytes)
  }

  package static func + (one: StoredSize, other: StoredSize) -> StoredSize {
    StoredSize(
      collections: one.collections + other.collections, bytes: one.bytes + other.bytes)
  }

  package static func - (one: StoredSize, other: StoredSize) -> StoredSize {
    one + StoredSize(collections: -other.collections, bytes: -other.bytes)
  }

  /// The size without what shrinks.
  package var growth: StoredSize {
    StoredSize(collections: max(0, collections), bytes: max(0, bytes))
  }
}
