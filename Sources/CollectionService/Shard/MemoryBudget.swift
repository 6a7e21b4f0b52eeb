/// How much the collections may take in memory, over all shards.
final class MemoryBudget: Sendable {
  let bytesMax: Int
  /// Whether writes past it are refused, since the store does not keep contents: nothing that is
  /// evicted could be loaded again.
  let isHardLimit: Bool
  /// What writes that are under way will add.
  private let reserved = Counter()
  /// The contents that large writes bring that are under way.
  private let pending = Counter()
  private let pendingMax: Int
  /// The part of it that a shard keeps in any case.
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

  /// Makes room for what a write will add, until it is given back.
  ///
  /// - Returns: false when there is no such room; what frees some always has it.
  fileprivate func reserve(_ byteCount: Int) -> Bool {
    guard isHardLimit, byteCount > 0 else { return true }
    let wanted = reserved.add(byteCount)
    if counters.residentBytes.value + wanted <= bytesMax { return true }
    reserved.add(-byteCount)
    return false
  }

  fileprivate func giveBack(_ byteCount: Int) { reserved.add(-byteCount) }

  /// Makes room for the contents of a write until it is committed; false when too many large ones
  /// are under way.
  fileprivate func begin(_ contentBytes: Int) -> Bool {
    if pending.add(contentBytes) <= pendingMax || contentBytes <= Self.smallWriteBytes {
      return true
    }
    pending.add(-contentBytes)
    return false
  }

  fileprivate func end(_ contentBytes: Int) { pending.add(-contentBytes) }

  /// Writes that bring no more than this go on whatever others do.
  private static let smallWriteBytes = 256 << 10
}

/// The room that the writes of one job have until they are counted, or came to nothing.
struct MemoryReservation: Sendable {
  private let budget: MemoryBudget
  private var byteCount = 0
  private var contentBytes = 0

  init(_ budget: MemoryBudget) { self.budget = budget }

  /// Makes room for the contents of one more write; false when too many large ones are under way.
  mutating func add(contentBytes count: Int) -> Bool {
    guard budget.begin(count) else { return false }
    contentBytes += count
    return true
  }

  /// Makes room for one more write; false when there is none.
  mutating func add(_ count: Int) -> Bool {
    guard budget.reserve(count) else { return false }
    if budget.isHardLimit { byteCount += max(0, count) }
    return true
  }

  /// Gives the room back; called once.
  func release() {
    budget.giveBack(byteCount)
    budget.end(contentBytes)
  }
}
