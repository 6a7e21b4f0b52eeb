import VersionedCollections

/// The state of one client on its shard: collections, waiting readers and pending writes.
final class ClientState {
  let name: ResourceName
  /// Collections in memory.
  var collections: [ResourceName: HostedCollection] = [:]
  /// Summaries of collections that are only in the store.
  var stored: [ResourceName: CollectionSummary] = [:]
  /// Whether the list of collections has been read from the store.
  var isKnown = false
  /// The number of the newest list of collections taken from a shared store; see `Shard.neededList`.
  var listTaken = 0
  /// The uptime when that list was asked for; nil if the store may have another since.
  var listDate: Duration?
  /// Parts being read from the store.
  var loads = PendingLoads<(PartFailure?) -> Void>()
  /// The number of requests waiting for loads.
  var loadingCount = 0
  /// Waiting readers by collection, which need not exist; maintained by the shard's `Waiters`.
  var waiters: [ResourceName: [UInt64: Waiter]] = [:]
  /// Requests with idempotency keys.
  var idempotency = IdempotencyIndex()
  /// The bytes of `idempotency` included in the shard's count.
  var countedIdempotencyBytes = 0
  /// Unanswered writes, in order of arrival.
  var line = WriteQueue<WriteJob>()
  /// Whether writes from the line are being started; guards against reentrance.
  var isStarting = false

  init(name: ResourceName) { self.name = name }

  /// Returns whether the client can be removed from memory without losing anything.
  ///
  /// - Parameter isStored: Whether the state can be loaded from the store again.
  /// - Returns: Whether nothing is in use.
  func isIdle(isStored: Bool) -> Bool {
    collections.isEmpty && waiters.isEmpty && line.isEmpty && loadingCount == 0
      && (isStored ? !idempotency.hasRequestsUnderWay : idempotency.isEmpty)
  }

  /// The names of undamaged collections, in memory or not, in any order.
  var readableNames: [ResourceName] {
    collections.keys + stored.values.lazy.filter { $0.damage == nil }.map(\.name)
  }

  /// The number of collections, in memory or not.
  var collectionCount: Int { collections.count + stored.count }

  /// The head of a collection, in memory or not.
  func head(_ name: ResourceName) -> VersionToken? {
    collections[name]?.token ?? stored[name]?.version
  }

  /// The bytes of a collection's contents, in memory or not.
  func contentBytes(of name: ResourceName) -> Int {
    collections[name]?.state.contents.contentByteCount ?? stored[name]?.contentByteCount ?? 0
  }

  /// Whether there is such a collection, in memory or not.
  func has(_ name: ResourceName) -> Bool { collections[name] != nil || stored[name] != nil }

  /// Whether collections must stay in memory because a request is about to use them.
  ///
  /// Waiting readers do not pin collections: most have the head, whose token is known. What the
  /// others need is loaded again.
  var isPinned: Bool { !line.isEmpty || loadingCount > 0 }

  /// Relates a reader's version to a collection as precisely as possible without loading it; nil if
  /// the collection does not exist.
  func relation(of since: VersionToken?, to name: ResourceName) -> VersionRelation? {
    if let collection = collections[name] { return collection.state.relation(of: since) }
    guard let head = stored[name]?.version else { return nil }
    guard let since else { return .initial }
    if since == head { return .current }
    guard since.lineage == head.lineage else { return .otherLineage(since) }
    return since.seq > head.seq ? .ahead(since) : .compacted(since)
  }

  /// The entries whose collections must be loaded to compute what changed.
  func unloaded(_ entries: [SyncRequest.Entry]) -> [SyncRequest.Entry] {
    if stored.isEmpty { return [] }
    return entries.filter { entry in stored[entry.name].map { $0.version != entry.since } ?? false }
  }
}
