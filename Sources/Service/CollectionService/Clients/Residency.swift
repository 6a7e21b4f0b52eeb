import VersionedCollections

/// What a shard has in memory, and when it was last used.
struct Residency {
  /// The approximate size of the collections, clients and views of waiting readers in memory, in bytes.
  private(set) var byteCount = 0
  /// The number of uses so far; orders collections by last use.
  private var useCount = 0
  private let counters: ServiceCounters
  /// What a store in memory has of each collection, in bytes.
  private let storedBytes: Int

  /// Creates the residency of a shard; `keepsContents` says whether the store has its own memory.
  init(_ counters: ServiceCounters, keepsContents: Bool) {
    self.counters = counters
    storedBytes = keepsContents ? 0 : HeapCost.storedHead
  }

  /// Marks a collection as used and updates its counted size.
  mutating func use(_ collection: HostedCollection) {
    useCount += 1
    collection.lastUse = useCount
    let size = HeapCost.spaced(collection.state.byteCount + storedBytes)
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

  /// Updates the counted size of a client that may have changed, or was released.
  mutating func count(_ client: ClientState) {
    let size = client.isInMemory ? HeapCost.spaced(client.byteCount) : 0
    if size == client.countedBytes { return }
    add(size - client.countedBytes)
    client.countedBytes = size
  }

  /// Adds bytes, or subtracts them: those that readers take while they wait.
  mutating func add(_ change: Int) {
    byteCount += change
    counters.residentBytes.add(change)
  }

  /// Traps unless the size is that of what is in memory.
  func checkInvariants(_ clients: some Sequence<ClientState>, waitingBytes: Int) {
    var sum = waitingBytes
    for client in clients {
      precondition(client.countedBytes > 0, "\(client.name) is not counted")
      sum += client.countedBytes
      for collection in client.collections.values {
        precondition(collection.countedBytes > 0, "\(collection.name) is not counted")
        sum += collection.countedBytes
      }
    }
    precondition(sum == byteCount, "\(byteCount) bytes are counted, \(sum) in memory")
  }
}
