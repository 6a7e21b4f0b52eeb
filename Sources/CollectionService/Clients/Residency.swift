import VersionedCollections

/// What a shard has in memory, and when it was last used.
struct Residency {
  /// The approximate size of the collections and idempotency records in memory, in bytes.
  private(set) var byteCount = 0
  /// The number of uses so far; orders collections by last use.
  private var useCount = 0
  private let counters: ServiceCounters

  init(_ counters: ServiceCounters) { self.counters = counters }

  /// Marks a collection as used and updates its counted size.
  mutating func use(_ collection: HostedCollection) {
    useCount += 1
    collection.lastUse = useCount
    let size = collection.state.byteCount
    if collection.countedBytes == 0 { counters.residentCollections.add(1) }
    add(size - collection.countedBytes)
    collection.countedBytes = size
  }

  /// Subtracts a collection that is removed from memory.
  mutating func remove(_ collection: HostedCollection) {
    guard collection.countedBytes > 0 else { return }
    counters.residentCollections.add(-1)
    add(-collection.countedBytes)
    collection.countedBytes = 0
  }

  /// Updates the size after a change of a client's idempotency records.
  mutating func countIdempotencyRecords(of client: ClientState) {
    let change = client.idempotency.byteCount - client.countedIdempotencyBytes
    if change == 0 { return }
    client.countedIdempotencyBytes += change
    add(change)
  }

  private mutating func add(_ change: Int) {
    byteCount += change
    counters.residentBytes.add(change)
  }

  /// Traps unless the size is that of what is in memory.
  func checkInvariants(_ clients: some Sequence<ClientState>) {
    var sum = 0
    for client in clients {
      sum += client.countedIdempotencyBytes
      for collection in client.collections.values {
        precondition(collection.countedBytes > 0, "\(collection.name) is not counted")
        sum += collection.countedBytes
      }
    }
    precondition(sum == byteCount, "\(byteCount) bytes are counted, \(sum) in memory")
  }
}
