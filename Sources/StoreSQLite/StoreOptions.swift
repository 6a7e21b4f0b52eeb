public import VersionedCollections

/// The configuration of an embedded store.
public struct StoreOptions: Sendable {
  /// What acknowledged writes survive.
  public enum Durability: String, CaseIterable, Sendable {
    /// Power loss: each group of writes is synced before it is acknowledged.
    case full
    /// The end of the process, however it ends.
    ///
    /// Power loss may lose the writes since the last checkpoint, but leaves no partial write.
    case normal

    /// The SQL statement for SQLite.
    var pragma: String { "PRAGMA synchronous = \(self == .full ? "FULL" : "NORMAL")" }
  }

  /// What acknowledged writes survive.
  public var durability = Durability.full
  /// The default limits of a collection's history.
  public var retention = Retention()
  /// The limits of collections' settings, including their history.
  public var settingsLimits = SettingsLimits()
  /// The most idempotency records retained for a collection.
  public var requestsMax = 1000
  /// How long idempotency records are retained, in seconds.
  public var requestSeconds: Int64 = 86_400
  /// The size of the write-ahead log at which it is checkpointed, in pages of 4 KiB.
  public var checkpointPages = 4000
  /// The most bytes of a write or an image in one transaction.
  ///
  /// Larger ones are stored in parts of this size, with small writes in between.
  public var partBytesMax = 512 << 10
  /// The fewest bytes of changes that are worth a new image.
  ///
  /// The image of a larger collection is renewed when its changes exceed its size. Waiting for
  /// twice as many changes would save a quarter of the bytes written if everything changes, but
  /// loading and renewing might take the memory of three images instead of two; and nobody waits
  /// for more than a part of an image in any case.
  public var changeBytesMin = 32 << 10
  /// The most changes since an image before it is renewed.
  public var changesMax = 256
  /// The most collections whose changes are counted in memory; others are counted on disk.
  public var countedMax = 50_000
  /// The most collections that can be queued for a new image.
  public var imagesQueuedMax = 1000
  /// Whether it is recorded when collections were last used; if not, earlier records are dropped.
  public var recordsUses = false
  /// Whether the sizes of contents are recorded; if not, earlier records are dropped.
  public var recordsSizes = false
  /// Whether nothing in the store may be changed.
  public var isReadOnly = false
  /// Whether records of uses and sizes are dropped when the store is opened and they are off.
  public var dropsRecords = true
  /// Called with faults of background work.
  public var faults: FaultSink = { _ in }
  /// Returns the seconds since 1970.
  public var date: @Sendable () -> Int64 = { 0 }

  /// Creates options with full durability and the service's limits.
  public init(_ limits: ServiceLimits = ServiceLimits(), time: TimeSource = .system) {
    retention = limits.retention
    settingsLimits = limits.settingsLimits
    requestsMax = limits.idempotencyKeysMax
    requestSeconds = limits.idempotencySeconds
    recordsSizes = limits.tenants.areThere
    recordsUses = limits.unusedSecondsMax > 0
    date = time.date
  }

  /// Returns the options for copying a store to another one: nothing is dropped that a service with
  /// other limits keeps.
  ///
  /// - Parameter isSource: Whether the store is only read.
  /// - Returns: The options.
  public func forCopy(isSource: Bool) -> StoreOptions {
    var options = self
    options.isReadOnly = isSource
    options.dropsRecords = false
    options.requestsMax = 1 << 40
    options.requestSeconds = 1 << 40
    return options
  }
}
