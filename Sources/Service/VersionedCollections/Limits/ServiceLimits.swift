public import SnapshotJSON

/// The limits on everything that a peer can make grow.
public struct ServiceLimits: Hashable, Sendable {
  /// The most items in a snapshot.
  public var itemsMax = 100_000
  /// The most sections in a snapshot.
  public var sectionsMax = 10_000
  /// The longest id in bytes.
  public var idBytesMax = 256
  /// The largest item in bytes, minified.
  public var itemBytesMax = 1 << 20
  /// The largest contents of a collection in bytes: items, section headers and `meta`, minified.
  public var collectionBytesMax = 64 << 20
  /// The largest contents in bytes of all collections that one batch writes.
  public var batchBytesMax = 128 << 20
  /// The deepest nesting of a JSON text.
  public var depthMax = 64
  /// Whether each write must name the version it is based on.
  public var requiresPrecondition = false
  /// How long an idempotency key is retained, in seconds.
  public var idempotencySeconds: Int64 = 86_400
  /// The most idempotency keys retained for a collection; the oldest are evicted first.
  public var idempotencyKeysMax = 1000
  /// The most edits in one request.
  public var editsMax = 1000
  /// The most collections of one client.
  public var collectionsPerClientMax = 256
  /// How long a collection may be neither read nor written before it is removed, in seconds; 0 for
  /// ever.
  public var unusedSecondsMax: Int64 = 0
  /// The most readers waiting at one time.
  public var parkedMax = 10_000
  /// The most collections in the feed of changes.
  public var changesMax = 10_000
  /// The longest time that a reader may wait, in seconds.
  public var waitSecondsMax = 55
  /// The longest time in milliseconds that the views of one request may take of the processor.
  public var viewMillisecondsMax = 1000
  /// The most items in either version for which a delta is sent instead of a snapshot.
  public var dataCountAnimationThreshold = 10_000
  /// The most changes for which a delta is sent instead of a snapshot.
  public var deltaCountAnimationThreshold = 10_000
  /// The limits of a collection's settings.
  public var settings = SettingsLimits()
  /// How much history is retained.
  public var retention = Retention()
  /// The largest body or collection in bytes whose writes are prepared on the shard's queue; larger
  /// ones are prepared on a worker.
  public var inlineBodyBytesMax = 256 << 10
  /// The most bytes of parsed bodies not yet answered; those over 1 MiB are counted separately.
  ///
  /// Parsed bodies take several times as much memory; the others wait as text.
  public var parsedBytesMax = 16 << 20
  /// The most bytes of changes in the answer to one sync.
  public var syncBytesMax = 64 << 20
  /// The most bytes of cached answers.
  public var cacheBytesMax = 64 << 20
  /// The most bytes of collections kept in memory; a hard limit if the store does not keep
  /// contents.
  public var memoryBytesMax = 256 << 20
  /// How old what is known of a collection may be when a reader without a version is answered, if
  /// other services write to the same store.
  public var readStaleness = Duration.seconds(1)
  /// The limits on the use of a database.
  public var database = DatabaseLimits()
  /// The number of shards that clients are distributed over.
  public var shardCount = 16

  /// Creates the default limits of `docs/protocol.md`.
  public init() {}

  /// The limits of a snapshot.
  public var snapshot: SnapshotLimits {
    var limits = SnapshotLimits()
    limits.itemsMax = itemsMax
    limits.sectionsMax = sectionsMax
    limits.idBytesMax = idBytesMax
    limits.itemBytesMax = itemBytesMax
    return limits
  }
}

extension ServiceLimits {
  /// The most bytes that the views of all waiting readers take: a quarter of the memory, and at least 4 MiB.
  package var parkedViewBytesMax: Int { max(4 << 20, memoryBytesMax / 4) }

  /// The limits of settings, raised to the service's own defaults.
  public var settingsLimits: SettingsLimits {
    var limits = settings
    limits.retentionVersionsMax = max(limits.retentionVersionsMax, retention.versionsMax)
    limits.retentionSecondsMax = max(limits.retentionSecondsMax, Int(retention.seconds))
    limits.retentionBytesMax = max(limits.retentionBytesMax, retention.bytesMin)
    limits.animationThresholdMax = max(
      limits.animationThresholdMax, dataCountAnimationThreshold, deltaCountAnimationThreshold)
    return limits
  }
}
