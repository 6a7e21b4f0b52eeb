import VersionedCollections

/// The memory limit for the collections of all shards.
final class MemoryBudget: Sendable {
  let bytesMax: Int
  /// Whether writes that exceed the limit are refused, because the store does not keep contents and
  /// evicted collections could not be loaded again.
  let isHardLimit: Bool
  /// The bytes that pending writes will add.
  private let reserved = Counter()
  /// The bytes of contents of pending writes.
  private let pending = Counter()
  private let pendingMax: Int
  /// The bytes that a shard keeps even if the limit is exceeded.
  let bytesPerShard: Int
  let counters: ServiceCounters

  init(_ limits: ServiceLimits, _ counters: ServiceCounters, isHardLimit: Bool) {
    self.isHardLimit = isHardLimit
    bytesMax = limits.memoryBytesMax
    pendingMax = limits.batchBytesMax
    bytesPerShard = limits.memoryBytesMax / max(1, limits.shardCount)
    self.counters = counters
  }

  var isExceeded: Bool { counters.residentBytes.value > bytesMax }

  /// Reserves memory for the growth of a pending write.
  ///
  /// - Returns: false if it would exceed a hard limit; writes that free memory always succeed.
  fileprivate func reserve(_ byteCount: Int) -> Bool {
    guard isHardLimit, byteCount > 0 else { return true }
    let wanted = reserved.add(byteCount)
    if counters.residentBytes.value + wanted <= bytesMax { return true }
    reserved.add(-byteCount)
    return false
  }

  fileprivate func giveBack(_ byteCount: Int) { reserved.add(-byteCount) }

  /// Reserves memory for the contents of a write until it is committed; false if too many large
  /// writes are pending.
  fileprivate func begin(_ contentBytes: Int) -> Bool {
    if pending.add(contentBytes) <= pendingMax || contentBytes <= Self.smallWriteBytes {
      return true
    }
    pending.add(-contentBytes)
    return false
  }

  fileprivate func end(_ contentBytes: Int) { pending.add(-contentBytes) }

  /// The largest contents in bytes that are never refused.
  private static let smallWriteBytes = 256 << 10
}

/// The memory reserved for the writes of one job until they are committed or have failed.
struct MemoryReservation: Sendable {
  private let budget: MemoryBudget
  private var byteCount = 0
  private var contentBytes = 0

  init(_ budget: MemoryBudget) { self.budget = budget }

  /// Reserves memory for the contents of a write; false if too many large writes are pending.
  mutating func add(contentBytes count: Int) -> Bool {
    guard budget.begin(count) else { return false }
    contentBytes += count
    return true
  }

  /// Reserves memory for the growth of a write; false if there is not enough.
  mutating func add(_ count: Int) -> Bool {
    guard budget.reserve(count) else { return false }
    if budget.isHardLimit { byteCount += max(0, count) }
    return true
  }

  /// Releases the reservation; call it once.
  func release() {
    budget.giveBack(byteCount)
    budget.end(contentBytes)
  }
}
