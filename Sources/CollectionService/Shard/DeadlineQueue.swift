/// Who is to be woken when: a binary heap; entries of those who left early are passed over.
struct DeadlineQueue {
  private struct Entry {
    var deadline: Duration
    var waiter: UInt64
  }

  private var heap: [Entry] = []

  /// The earliest deadline.
  var earliest: Duration? { heap.first?.deadline }

  /// The number of entries, stale ones too.
  var count: Int { heap.count }

  /// Adds a waiter.
  mutating func insert(_ waiter: UInt64, at deadline: Duration) {
    heap.append(Entry(deadline: deadline, waiter: waiter))
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].deadline < heap[parent].deadline else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes out a waiter whose deadline has come.
  mutating func pop(until now: Duration) -> UInt64? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      siftDown()
    }
    return first.waiter
  }

  /// Drops the entries of those who left, once they are most of the heap.
  mutating func prune(liveCount: Int, isLive: (UInt64) -> Bool) {
    guard heap.count > 64, heap.count > 4 * liveCount else { return }
    let live = heap.filter { isLive($0.waiter) }
    heap = []
    for entry in live { insert(entry.waiter, at: entry.deadline) }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].deadline < heap[least].deadline {
        least = child
      }
      if least == parent { return }
      heap.swapAt(least, parent)
      parent = least
    }
  }
}
