public import SnapshotJSON

/// All that a peer could make grow, and how far it may.
public struct ServiceLimits: Hashable, Sendable {
  /// What a snapshot may hold.
  public var itemsMax = 100_000
  /// The most sections of a snapshot.
  public var sectionsMax = 10_000
  /// The most bytes of an id.
  public var idBytesMax = 256
  /// The most bytes of an item, minified.
  public var itemBytesMax = 1 << 20
  /// The most bytes of a collection's contents: items, headers of sections and `meta`, minified.
  public var collectionBytesMax = 64 << 20
  /// The most bytes of the contents of all collections that one batch writes.
  public var batchBytesMax = 128 << 20
  /// The most steps of a JSON Patch: about one for each value that is looked at, copied or moved.
  public var patchStepsMax = 10_000_000
  /// The deepest nesting of a JSON text.
  public var depthMax = 64
  /// Whether each write must say on what state of the collection it builds.
  public var requiresPrecondition = false
  /// How long an idempotency key is known, in seconds.
  public var idempotencySeconds: Int64 = 86_400
  /// The most idempotency keys that are known for a collection; the oldest go first.
  public var idempotencyKeysMax = 1000
  /// The most edits of one request.
  public var editsMax = 1000
  /// The most collections of one client.
  public var collectionsPerClientMax = 256
  /// The most readers that wait at one time.
  public var parkedMax = 10_000
  /// The most collections whose changes are remembered for those who follow them all.
  public var changesMax = 10_000
  /// The longest that a reader may wait, in seconds.
  public var waitSecondsMax = 55
  /// More items than this on either side: a reader gets a snapshot, not a delta.
  public var dataCountAnimationThreshold = 10_000
  /// More changes than this: a reader gets a snapshot, not a delta.
  public var deltaCountAnimationThreshold = 10_000
  /// How large the numbers, lists and pointers of a collection's settings may be.
  public var settings = SettingsLimits()
  /// How much history is kept.
  public var retention = Retention()
  /// Writes with larger bodies than this, or of larger collections, are prepared on a worker, not on
  /// the collection's own queue, where others wait.
  public var inlineBodyBytesMax = 256 << 10
  /// The most bytes of bodies that are read and not answered yet, of those over 1 MiB and of others.
  ///
  /// What they are read into takes several times as much memory; the rest waits in line as text.
  public var parsedBytesMax = 16 << 20
  /// The most bytes of what one sync tells of several collections.
  public var syncBytesMax = 64 << 20
  /// The most bytes of answers that are kept to be given to several readers.
  public var cacheBytesMax = 64 << 20
  /// The most bytes of collections that are kept in memory when the store has them too.
  public var memoryBytesMax = 256 << 20
  /// The number of queues that collections are dealt to, by client.
  public var shardCount = 16

  /// The limits that `docs/protocol.md` gives.
  public init() {}

  /// What a snapshot may hold.
  public var snapshot: SnapshotLimits {
    var limits = SnapshotLimits()
    limits.itemsMax = itemsMax
    limits.sectionsMax = sectionsMax
    limits.idBytesMax = idBytesMax
    limits.itemBytesMax = itemBytesMax
    return limits
  }
}
