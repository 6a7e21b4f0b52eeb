/// What a shard has of one client: its collections, those who wait for them, and writes under way.
final class ClientState {
  let name: ResourceName
  /// Those that are in memory.
  var collections: [ResourceName: HostedCollection] = [:]
  /// Those that only the store has.
  var stored: [ResourceName: CollectionSummary] = [:]
  /// Whether it is known which collections there are.
  var isKnown = false
  /// What the store is asked for.
  var loads = PendingLoads<(PartFailure?) -> Void>()
  /// Requests that wait until what they require is loaded.
  var loadingCount = 0
  /// By the name of the collection, which need not exist; kept by the shard's `Waiters`.
  var waiters: [ResourceName: [UInt64: Waiter]] = [:]
  /// Requests that carried idempotency keys.
  var idempotency = IdempotencyIndex()
  /// The bytes of `idempotency` that its shard has counted.
  var countedIdempotencyBytes = 0
  /// Writes that are not answered yet, in order of arrival.
  var line = WriteLine<WriteJob>()
  /// Whether writes whose turn has come are being started.
  var isStarting = false

  init(name: ResourceName) { self.name = name }

  /// Whether nothing would be lost by forgetting it.
  ///
  /// - Parameter isStored: Whether the store gives back what it is asked for.
  /// - Returns: Whether it is not needed in memory.
  func isIdle(isStored: Bool) -> Bool {
    collections.isEmpty && waiters.isEmpty && line.isEmpty && loadingCount == 0
      && (isStored ? !idempotency.hasRequestsUnderWay : idempotency.isEmpty)
  }

  /// The collections that can be served, in memory or not, in any order.
  var readableNames: [ResourceName] {
    collections.keys + stored.values.lazy.filter { $0.damage == nil }.map(\.name)
  }

  /// The number of collections, in memory or not.
  var collectionCount: Int { collections.count + stored.count }

  /// The head of a collection, in memory or not.
  func head(_ name: ResourceName) -> VersionToken? {
    collections[name]?.token ?? stored[name]?.version
  }

  /// Whether there is such a collection, in memory or not.
  func has(_ name: ResourceName) -> Bool { collections[name] != nil || stored[name] != nil }

  /// Whether collections must stay in memory: somebody is about to read or write some.
  ///
  /// Readers that wait need none: most have the newest version, whose token is known. For the
  /// others what they need is loaded again.
  var isPinned: Bool { !line.isEmpty || loadingCount > 0 }

  /// What a reader's version is to a collection, as far as that is known without loading it; nil
  /// when there is no such collection.
  func relation(of since: VersionToken?, to name: ResourceName) -> VersionRelation? {
    if let collection = collections[name] { return collection.state.relation(of: since) }
    guard let head = stored[name]?.version else { return nil }
    guard let since else { return .initial }
    if since == head { return .current }
    guard since.lineage == head.lineage else { return .otherLineage(since) }
    return since.seq > head.seq ? .ahead(since) : .compacted(since)
  }

  /// The collections that must be loaded to tell a reader what is new.
  func unloaded(_ entries: [SyncRequest.Entry]) -> [SyncRequest.Entry] {
    if stored.isEmpty { return [] }
    return entries.filter { entry in stored[entry.name].map { $0.version != entry.since } ?? false }
  }
}
