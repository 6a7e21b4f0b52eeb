public import CollectionService

/// How an embedded store works.
public struct StoreOptions: Sendable {
  /// What a write that was acknowledged outlasts.
  public enum Durability: String, CaseIterable, Sendable {
    /// The loss of power: each group of writes is synced before it is acknowledged.
    case full
    /// The end of the process, whatever ends it. A loss of power may take the writes since the
    /// last checkpoint with it, but leaves no half of anything.
    case normal

    /// What tells SQLite.
    var pragma: String { "PRAGMA synchronous = \(self == .full ? "FULL" : "NORMAL")" }
  }

  /// What a write that was acknowledged outlasts.
  public var durability = Durability.full
  /// How much history is kept of a collection that says nothing about it.
  public var retention = Retention()
  /// How much of it a collection's settings may ask for.
  public var settingsLimits = SettingsLimits()
  /// The most requests with keys that are kept for a collection.
  public var requestsMax = 1000
  /// How long they are kept, in seconds.
  public var requestSeconds: Int64 = 86_400
  /// When the log of writes is moved into the database, in pages of 4 KiB.
  public var checkpointPages = 4000
  /// The most bytes of a write, or of an image, that are written in one transaction; more of them
  /// are stored in parts of that size, and what is small is written in between.
  public var partBytesMax = 512 << 10
  /// The least bytes of changes of a collection that are worth a new image.
  ///
  /// A large collection has one when its changes are as many bytes as its image. Twice as many would
  /// save a quarter of what is written for changes of everything, but those who load it, and the
  /// renewal itself, might have three images in memory rather than two; and nobody waits for more
  /// than a part of an image.
  public var changeBytesMin = 32 << 10
  /// The most changes of a collection before there is a new image.
  public var changesMax = 256
  /// The most collections whose changes are counted in memory; others are counted on disk.
  public var countedMax = 50_000
  /// The most collections that wait for a new image.
  public var imagesQueuedMax = 1000
  /// Gets what goes wrong where no caller waits for an answer.
  public var faults: FaultSink = { _ in }
  /// Seconds since 1970.
  public var date: @Sendable () -> Int64 = { 0 }

  /// Full durability; the protocol's retention.
  public init(_ limits: ServiceLimits = ServiceLimits(), time: TimeSource = .system) {
    retention = limits.retention
    settingsLimits = limits.settingsLimits
    requestsMax = limits.idempotencyKeysMax
    requestSeconds = limits.idempotencySeconds
    date = time.date
  }
}
