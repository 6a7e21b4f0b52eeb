/// A part of the feed of changes of a shared store.
///
/// A number is never assigned to a change that is committed after a change with a greater number was
/// read: a reader that goes on from `end` misses nothing.
public struct StoredFeed: Sendable {
  /// Identifies the order of the numbers; another one after a failover or a restore.
  public var epoch: String
  /// Whether the store has all changes after the reader's position; if not, there are none here, and
  /// `end` is the newest position.
  public var isKnown: Bool
  /// The position after the changes that were read.
  public var end: UInt64
  /// The changes, ascending by number.
  public var changes: [(number: UInt64, change: CollectionChange)]
  /// Whether there are more.
  public var hasMore: Bool

  /// Creates a part.
  public init(
    epoch: String, isKnown: Bool, end: UInt64,
    changes: [(number: UInt64, change: CollectionChange)], hasMore: Bool
  ) {
    (self.epoch, self.isKnown, self.end) = (epoch, isKnown, end)
    (self.changes, self.hasMore) = (changes, hasMore)
  }
}

/// How late the feed of a shared store is, and how long.
public struct FeedState: Hashable, Sendable {
  /// The age of the oldest change that nobody can read yet, in seconds; 0 if there is none.
  public var unsettledSeconds: Int
  /// The age of the oldest change that is kept, in seconds.
  public var oldestSeconds: Int
  /// The most changes that are kept.
  public var rows: Int

  /// Creates a state.
  public init(unsettledSeconds: Int, oldestSeconds: Int, rows: Int) {
    self.unsettledSeconds = unsettledSeconds
    self.oldestSeconds = oldestSeconds
    self.rows = rows
  }
}

/// The turn of one of several services over a shared store to do a job.
public struct JobTurn: Hashable, Sendable {
  /// How far the job was done; nil if it never was.
  public var position: String?

  /// Creates a turn.
  public init(position: String?) { self.position = position }
}
