import HeapModule
import VersionedCollections

/// The deadlines of waiters, one for each.
///
/// If a waiter's deadline moves later, its entry may stay where it is and be reinserted when it
/// comes up. An event stream, which postpones its deadline with every event, thus updates the heap
/// once per ping.
struct DeadlineQueue {
  private struct Entry: Hashable, Comparable {
    let deadline: Duration
    let waiter: UInt64

    static func < (left: Entry, right: Entry) -> Bool {
      (left.deadline, left.waiter) < (right.deadline, right.waiter)
    }
  }

  /// All entries, and some that were removed or replaced since, of which none is the first.
  private var heap = Heap<Entry>()
  private var deadlines: [UInt64: Duration] = [:]

  var earliest: Duration? { heap.min?.deadline }

  var count: Int { deadlines.count }

  /// The deadline that a waiter is queued for; nil if it has no entry.
  subscript(waiter: UInt64) -> Duration? { deadlines[waiter] }

  /// Queues a waiter for a deadline, replacing its entry.
  ///
  /// - Complexity: O(log n) in the number of waiters, amortized.
  mutating func set(_ waiter: UInt64, _ deadline: Duration) {
    deadlines[waiter] = deadline
    heap.insert(Entry(deadline: deadline, waiter: waiter))
    discard()
  }

  /// Removes a waiter's entry, if it has one.
  mutating func remove(_ waiter: UInt64) {
    deadlines[waiter] = nil
    discard()
  }

  /// Removes and returns the waiter with the earliest deadline if it is not after `now`.
  mutating func pop(until now: Duration) -> UInt64? {
    guard let first = heap.min, first.deadline <= now else { return nil }
    remove(first.waiter)
    return first.waiter
  }

  /// Discards removed entries that are the first, and all of them when they are most of the heap.
  private mutating func discard() {
    while let first = heap.min, deadlines[first.waiter] != first.deadline { heap.removeMin() }
    guard heap.count > 2 * count + 64 else { return }
    heap = Heap(deadlines.map { Entry(deadline: $0.value, waiter: $0.key) })
  }
}

extension DeadlineQueue {
  /// Traps unless the heap has all deadlines and few others, of which none is the first.
  func checkInvariants() {
    let entries = Set(deadlines.map { Entry(deadline: $0.value, waiter: $0.key) })
    precondition(entries.isSubset(of: heap.unordered), "a deadline has no entry")
    precondition(earliest == deadlines.values.min(), "a removed entry is the first")
    precondition(heap.count <= 2 * count + 64, "\(count) waiters, \(heap.count) entries")
  }
}
