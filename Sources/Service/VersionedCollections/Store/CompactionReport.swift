/// The space that a store took before and after a compaction; zero for a store without files.
public struct CompactionReport: Hashable, Sendable {
  /// What files take.
  public struct Space: Hashable, Sendable {
    /// The size of the database in bytes, free pages included.
    public var databaseBytes = 0
    /// The bytes of the database that later writes will use.
    public var freeBytes = 0
    /// The size of the write-ahead log in bytes.
    public var logBytes = 0

    /// Creates a space of zero.
    public init() {}
  }

  /// Before the compaction.
  public var before = Space()
  /// After the compaction.
  public var after = Space()

  /// Creates the report of a store without files.
  public init() {}

  /// Creates a report of a database that has a size, before and after.
  public init(databaseBytes: Int) {
    before.databaseBytes = databaseBytes
    after.databaseBytes = databaseBytes
  }

  /// The bytes that were freed, in the database and of the log; writes meanwhile count against them.
  public var freedBytes: Int {
    max(0, before.usedBytes - after.usedBytes)
  }
}

extension CompactionReport.Space {
  fileprivate var usedBytes: Int { databaseBytes - freeBytes + logBytes }
}
