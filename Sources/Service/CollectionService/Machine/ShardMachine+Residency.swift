import VersionedCollections

/// What stays in memory, and what is in use.
extension ShardMachine {
  /// Marks the collections in memory as used.
  mutating func use(_ names: some Sequence<ResourceName>, _ client: ClientState) {
    guard shared.keepsContents else { return }
    for name in names {
      if let collection = client.collections[name] { residency.use(collection) }
    }
  }

  /// Removes the answers that were made of a collection that leaves memory, and its size.
  mutating func withdraw(_ collection: HostedCollection) {
    actions.append(.withdraw(collection.state.head))
    residency.remove(collection)
  }

  /// Evicts the least recently used collections until the shard is below 90% of its share of
  /// memory.
  ///
  /// Collections of clients with requests in progress are kept.
  ///
  /// - Parameter isAsked: Whether another shard asked for the eviction.
  mutating func evict(isAsked: Bool = false) {
    guard shared.keepsContents, shared.memory.isExceeded else { return }
    if !isAsked { actions.append(.evictEverywhere) }
    guard residency.byteCount > shared.memory.bytesPerShard else { return }
    let goal = shared.memory.bytesPerShard / 10 * 9
    let candidates = clients.values.lazy.filter { !$0.isPinned }.flatMap { client in
      client.collections.values.map { (client: client, collection: $0) }
    }
    for (client, collection) in candidates.sorted(by: {
      $0.collection.lastUse < $1.collection.lastUse
    }) {
      if residency.byteCount <= goal { break }
      evict(collection, client)
    }
  }

  private mutating func evict(_ collection: HostedCollection, _ client: ClientState) {
    shared.counters.collectionEvictions.add(1)
    client.stored[collection.name] = collection.summary
    client.collections[collection.name] = nil
    client.idempotency.evict(collection.name)
    client.idempotency.evict(nil)
    withdraw(collection)
    releaseIfIdle(client)
  }

  // MARK: Uses

  /// Notes that collections are read or written, whether or not they exist.
  mutating func addUses(
    of names: some Sequence<ResourceName>, _ client: ResourceName, areNew: Bool = false
  ) {
    guard shared.removesUnused else { return }
    for name in names { uses.insert(CollectionKey(client: client, name: name), isNew: areNew) }
    if uses.areMany { actions.append(.record(uses.takePending(), date: moment.date)) }
  }

  /// Records uses; once in an interval, withdraws all heads, so that the next answers are noted too
  /// that event loops would otherwise repeat.
  mutating func recordUses(at date: Int64) {
    if uses.renew(at: date, seconds: limits.useIntervalSeconds) {
      for collection in clients.values.lazy.flatMap(\.collections.values) {
        actions.append(.withdraw(collection.state.head))
        collection.renewHead()
      }
    }
    let keys = uses.takePending()
    if !keys.isEmpty { actions.append(.record(keys, date: date)) }
  }

  /// Whether a collection was used lately, or readers wait for it.
  func isUsed(_ name: ResourceName, of client: ClientState) -> Bool {
    client.waiters[name] != nil
      || uses.contains(CollectionKey(client: client.name, name: name))
  }
}

extension ServiceLimits {
  /// The time between two records of the use of a collection, in seconds: at most a day.
  var useIntervalSeconds: Int64 { min(86_400, max(1, unusedSecondsMax / 20)) }
}
