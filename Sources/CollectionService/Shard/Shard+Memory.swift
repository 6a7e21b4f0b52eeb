import VersionedCollections

extension Shard {
  /// Marks a collection as used and updates its counted size.
  func use(_ collection: HostedCollection) {
    useCount += 1
    collection.lastUse = useCount
    let byteCount = collection.state.byteCount
    if collection.countedBytes == 0 { context.counters.residentCollections.add(1) }
    context.counters.residentBytes.add(byteCount - collection.countedBytes)
    residentBytes += byteCount - collection.countedBytes
    collection.countedBytes = byteCount
  }

  /// Subtracts a collection that is removed from memory.
  func forget(_ collection: HostedCollection) {
    context.answers.remove(collection.state.head)
    guard collection.countedBytes > 0 else { return }
    context.counters.residentCollections.add(-1)
    context.counters.residentBytes.add(-collection.countedBytes)
    residentBytes -= collection.countedBytes
    collection.countedBytes = 0
  }

  /// Evicts the least recently used collections until the shard is below 90% of its share of
  /// memory.
  ///
  /// Collections of clients with requests in progress are kept.
  ///
  /// - Parameter isAsked: Whether another shard asked for the eviction.
  func evict(isAsked: Bool = false) {
    guard context.store.keepsContents, context.memory.isExceeded else { return }
    if !isAsked { askOthersToEvict() }
    guard residentBytes > context.memory.bytesPerShard else { return }
    noteUses()
    let goal = context.memory.bytesPerShard / 10 * 9
    let candidates = clients.values.lazy.filter { !$0.isPinned }.flatMap { client in
      client.collections.values.map { (client: client, collection: $0) }
    }
    for (client, collection) in candidates.sorted(by: {
      $0.collection.lastUse < $1.collection.lastUse
    }) {
      if residentBytes <= goal { break }
      evict(collection, client)
    }
  }

  /// Marks the collections used since the last call by event loops that answered from their cache.
  func noteUses() {
    for client in clients.values {
      for collection in client.collections.values where collection.state.head.takeUse() {
        use(collection)
        noteUses(of: [.init(name: collection.name, since: nil)], client.name)
      }
    }
  }

  private func evict(_ collection: HostedCollection, _ client: ClientState) {
    context.counters.collectionEvictions.add(1)
    var summary = collection.summary
    if context.tenants.limits.areThere {
      summary.contentByteCount = collection.state.contents.contentByteCount
    }
    client.stored[collection.name] = summary
    client.collections[collection.name] = nil
    client.idempotency.evict(collection.name)
    client.idempotency.evict(nil)
    forget(collection)
    releaseIfIdle(client)
  }

  /// Updates the byte counts after a change of a client's idempotency records.
  func countIdempotencyRecords(of client: ClientState) {
    let change = client.idempotency.byteCount - client.countedIdempotencyBytes
    if change == 0 { return }
    client.countedIdempotencyBytes += change
    residentBytes += change
    context.counters.residentBytes.add(change)
  }
}
