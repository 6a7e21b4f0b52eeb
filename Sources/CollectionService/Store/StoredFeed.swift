/// A part of the feed of changes of a shared store.
///
/// A number is never assigned to a change that is committed after a change with a greater number was
/// read: a reader that goes on from `end` misses nothing.
public struct StoredFeed: Sendable {
  /// Identifies the order of the numbers; another one after a failover or a restore.
  public var epoch: String
  /// Changes up to this number may have been removed.
  public var start: UInt64
  /// The number up to which all changes were read.
  public var end: UInt64
  /// The changes, ascending by number.
  public var changes: [(number: UInt64, change: CollectionChange)]
  /// Whether there are more.
  public var hasMore: Bool

  /// Creates a part.
  public init(
    epoch: String, start: UInt64, end: UInt64,
    changes: [(number: UInt64, change: CollectionChange)], hasMore: Bool
  ) {
    (self.epoch, self.start, self.end) = (epoch, start, end)
    (self.changes, self.hasMore) = (changes, hasMore)
  }
}
