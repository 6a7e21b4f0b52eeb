/// What a store counts about itself; nil where it does not know.
public struct StoreStatistics: Hashable, Sendable {
  /// Transactions that were written with one sync each.
  public var groups = 0
  /// Writes in them.
  public var writes = 0
  /// Writes that wait for their group.
  public var queuedWrites = 0
  /// The size of the write-ahead log in bytes.
  public var logBytes: Int?
  /// The size of the database in bytes.
  public var bytes: Int?
  /// Checkpoints of the log.
  public var checkpoints = 0

  /// Creates empty statistics.
  public init() {}
}
