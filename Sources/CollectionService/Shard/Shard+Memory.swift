/// How much of what the store has too may be in memory, over all shards.
final class MemoryBudget: Sendable {
  let bytesMax: Int
  /// The part of it that a shard keeps in any case.
  let bytesPerShard: Int
  let counters: ServiceCounters

  init(_ limits: ServiceLimits, _ counters: ServiceCounters) {
    bytesMax = limits.memoryBytesMax
    bytesPerShard = limits.memoryBytesMax / max(1, limits.shardCount)
    self.counters = counters
  }

  var isExceeded: Bool { counters.residentBytes.value > bytesMax }
}

extension Shard {
  /// Notes that a collection was used, and how large it is now.
  func use(_ collection: HostedCollection) {
    useCount += 1
    collection.lastUse = useCount
    let byteCount = collection.byteCount
    if collection.countedBytes == 0 { context.counters.residentCollections.add(1) }
    context.counters.residentBytes.add(byteCount - collection.countedBytes)
    residentBytes += byteCount - collection.countedBytes
    collection.countedBytes = byteCount
  }

  /// Takes a collection that leaves memory out of the books.
  func forget(_ collection: HostedCollection) {
    context.answers.remove(collection.head)
    guard collection.countedBytes > 0 else { return }
    context.counters.residentCollections.add(-1)
    context.counters.residentBytes.add(-collection.countedBytes)
    residentBytes -= collection.countedBytes
    collection.countedBytes = 0
  }

  /// Lets go of the collections that were not used for longest, as far as the store has them and
  /// nobody waits for them, until a tenth of this shard's part is free again.
  ///
  /// - Parameter isAsked: Whether another shard asked for it.
  func shed(isAsked: Bool = false) {
    guard context.store.keepsContents, context.memory.isExceeded else { return }
    if !isAsked { askOthersToShed() }
    guard residentBytes > context.memory.bytesPerShard else { return }
    let goal = context.memory.bytesPerShard / 10 * 9
    var candidates: [(client: ClientState, collection: HostedCollection)] = []
    for client in clients.values {
      if client.isPinned { continue }
      for collection in client.collections.values { candidates.append((client, collection)) }
    }
    candidates.sort { $0.collection.lastUse < $1.collection.lastUse }
    for (client, collection) in candidates {
      if residentBytes <= goal { break }
      evict(collection, client)
    }
  }

  private func evict(_ collection: HostedCollection, _ client: ClientState) {
    client.stored[collection.name] = collection.summary
    client.collections[collection.name] = nil
    client.ledgers.evict(collection.name)
    client.ledgers.evict(nil)
    forget(collection)
    releaseIfIdle(client)
  }

  /// Brings the count of bytes up to date with a client's idempotency records.
  func countLedgers(of client: ClientState) {
    let change = client.ledgers.byteCount - client.countedLedgerBytes
    if change == 0 { return }
    client.countedLedgerBytes += change
    residentBytes += change
    context.counters.residentBytes.add(change)
  }
}
