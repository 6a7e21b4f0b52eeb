/// A collection that may be unused for too long.
public struct UnusedCollection: Hashable, Sendable {
  /// The collection.
  public var key: CollectionKey
  /// When it was last used, in seconds since 1970; nil if that was never recorded.
  public var lastUse: Int64?

  /// Creates an entry.
  public init(key: CollectionKey, lastUse: Int64?) {
    self.key = key
    self.lastUse = lastUse
  }
}
