import VersionedCollections

/// The deadlines of waiters, as a binary heap with one entry per waiter.
///
/// If a waiter's deadline moves later, its entry may stay where it is and be reinserted when it
/// comes up. An event stream, which postpones its deadline with every event, thus updates the heap
/// once per ping.
struct DeadlineQueue {
  private struct Entry {
    var deadline: Duration
    var waiter: UInt64
  }

  private var heap: [Entry] = []
  /// The heap index of each waiter's entry.
  private var indices: [UInt64: Int] = [:]

  /// The earliest deadline.
  var earliest: Duration? { heap.first?.deadline }

  /// The number of entries.
  var count: Int { heap.count }

  /// The deadline that a waiter is queued for; nil if it has no entry.
  subscript(waiter: UInt64) -> Duration? { indices[waiter].map { heap[$0].deadline } }

  /// Queues a waiter for a deadline, replacing its entry.
  ///
  /// - Complexity: O(log n) in the number of waiters.
  mutating func set(_ waiter: UInt64, _ deadline: Duration) {
    let entry = Entry(deadline: deadline, waiter: waiter)
    guard let index = indices[waiter] else {
      heap.append(entry)
      return siftUp(entry, from: heap.count - 1)
    }
    place(entry, at: index)
  }

  /// Removes a waiter's entry, if it has one.
  ///
  /// - Complexity: O(log n) in the number of waiters.
  mutating func remove(_ waiter: UInt64) {
    guard let index = indices.removeValue(forKey: waiter) else { return }
    let last = heap.removeLast()
    if index < heap.count { place(last, at: index) }
  }

  /// Removes and returns the waiter with the earliest deadline if it is not after `now`.
  mutating func pop(until now: Duration) -> UInt64? {
    guard let first = heap.first, first.deadline <= now else { return nil }
    remove(first.waiter)
    return first.waiter
  }

  /// Replaces the entry at an index and restores the heap order.
  private mutating func place(_ entry: Entry, at index: Int) {
    if index > 0, entry.deadline < heap[(index - 1) / 2].deadline {
      siftUp(entry, from: index)
    } else {
      siftDown(entry, from: index)
    }
  }

  private mutating func siftUp(_ entry: Entry, from start: Int) {
    var index = start
    while index > 0, entry.deadline < heap[(index - 1) / 2].deadline {
      put(heap[(index - 1) / 2], at: index)
      index = (index - 1) / 2
    }
    put(entry, at: index)
  }

  private mutating func siftDown(_ entry: Entry, from start: Int) {
    var index = start
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].deadline < heap[child].deadline { child += 1 }
      guard heap[child].deadline < entry.deadline else { break }
      put(heap[child], at: index)
      index = child
    }
    put(entry, at: index)
  }

  private mutating func put(_ entry: Entry, at index: Int) {
    heap[index] = entry
    indices[entry.waiter] = index
  }
}

extension DeadlineQueue {
  /// Traps unless the heap is ordered and `indices` matches it.
  func checkInvariants() {
    precondition(indices.count == heap.count, "\(indices.count) waiters, \(heap.count) entries")
    for (index, entry) in heap.enumerated() {
      precondition(indices[entry.waiter] == index, "waiter \(entry.waiter) is not at \(index)")
      precondition(
        index == 0 || heap[(index - 1) / 2].deadline <= entry.deadline,
        "entry \(index) precedes its parent")
    }
  }
}
