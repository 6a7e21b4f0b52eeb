public import VersionedCollections

/// The configuration of an embedded store, besides that of every durable store.
@dynamicMemberLookup
public struct StoreOptions: Sendable {
  /// What acknowledged writes survive.
  public enum Durability: String, CaseIterable, Sendable {
    /// Power loss: each group of writes is synced before it is acknowledged.
    case full
    /// The end of the process, however it ends.
    ///
    /// Power loss may lose the writes since the last checkpoint, but leaves no partial write.
    case normal

    var pragma: String { "PRAGMA synchronous = \(self == .full ? "FULL" : "NORMAL")" }
  }

  /// The options of every durable store.
  public var durable: DurableStoreOptions
  /// What acknowledged writes survive.
  public var durability = Durability.full
  /// The size of the write-ahead log at which it is checkpointed, in pages of 4 KiB.
  public var checkpointPages = 4000
  /// The most bytes of a write or an image in one transaction.
  ///
  /// Larger ones are stored in parts of this size, with small writes in between.
  public var partBytesMax = 512 << 10

  /// Creates options with full durability and the service's limits.
  public init(_ limits: ServiceLimits = ServiceLimits(), time: TimeSource = .system) {
    durable = DurableStoreOptions(limits, time: time)
  }

  /// Returns the options for copying a store to another one, as `DurableStoreOptions` does.
  ///
  /// - Parameter isSource: Whether the store is only read.
  /// - Returns: The options.
  public func forCopy(isSource: Bool) -> StoreOptions {
    var options = self
    options.durable = durable.forCopy(isSource: isSource)
    return options
  }

  /// An option of every durable store.
  public subscript<Value>(
    dynamicMember option: WritableKeyPath<DurableStoreOptions, Value>
  ) -> Value {
    get { durable[keyPath: option] }
    set { durable[keyPath: option] = newValue }
  }
}
