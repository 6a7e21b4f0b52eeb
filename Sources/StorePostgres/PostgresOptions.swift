public import VersionedCollections

/// The configuration of a store in PostgreSQL.
public struct PostgresOptions: Sendable {
  /// Whether a write waits until the database has it on disk, and on its synchronous standbys.
  ///
  /// Without it, a crash of the database may lose the writes of its last second.
  public var isSynchronous = true
  /// The default limits of a collection's history.
  public var retention = Retention()
  /// The limits of collections' settings, including their history.
  public var settingsLimits = SettingsLimits()
  /// The most idempotency records retained for a collection.
  public var requestsMax = 1000
  /// How long idempotency records are retained, in seconds.
  public var requestSeconds: Int64 = 86_400
  /// How replicas tell each other of writes.
  public enum Notices: Hashable, Sendable {
    /// By `NOTIFY`, on a connection to the database that the store is in.
    case onStore
    /// By `NOTIFY`, on a connection of its own, because a pooler in transaction mode is between.
    case on(String)
    /// Not at all: they learn of writes within a second.
    case off
  }

  /// How replicas tell each other of writes.
  public var notices = Notices.onStore
  /// The limits on connections and queues.
  public var database = DatabaseLimits()
  /// The fewest bytes of changes that are worth a new image.
  public var changeBytesMin = 32 << 10
  /// The most changes since an image before it is renewed.
  public var changesMax = 256
  /// How long a piece of a compaction takes, but for its last image; then others have their turn.
  public var compactionPiece = Duration.milliseconds(500)
  /// Whether it is recorded when collections were last used; if not, earlier records are dropped.
  public var recordsUses = false
  /// Whether nothing in the store may be changed; it may then be a standby.
  public var isReadOnly = false
  /// Whether records of uses are dropped when the store is opened and they are off.
  public var dropsRecords = true
  /// Called with faults of background work.
  public var faults: FaultSink = { _ in }
  /// Returns the seconds since 1970.
  public var date: @Sendable () -> Int64 = { 0 }

  /// Creates options with the service's limits.
  public init(_ limits: ServiceLimits = ServiceLimits(), time: TimeSource = .system) {
    retention = limits.retention
    settingsLimits = limits.settingsLimits
    requestsMax = limits.idempotencyKeysMax
    requestSeconds = limits.idempotencySeconds
    database = limits.database
    recordsUses = limits.unusedSecondsMax > 0
    date = time.date
  }

  /// Returns the options for copying a store to another one: nothing is dropped that a service with
  /// other limits keeps.
  ///
  /// - Parameter isSource: Whether the store is only read.
  /// - Returns: The options.
  public func forCopy(isSource: Bool) -> PostgresOptions {
    var options = self
    options.isReadOnly = isSource
    if isSource { options.notices = .off }
    options.dropsRecords = false
    options.requestsMax = 1 << 40
    options.requestSeconds = 1 << 40
    return options
  }
}

/// Why a database cannot be used.
public struct PostgresOpenError: Error, CustomStringConvertible, Sendable {
  /// What is wrong, and how to fix it.
  public var description: String
}
