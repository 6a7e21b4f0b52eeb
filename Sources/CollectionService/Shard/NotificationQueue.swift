import VersionedCollections

/// A first-in-first-out queue of waiters to be evaluated for an event.
///
/// The shard evaluates a limited number at a time, so that ten thousand readers of one collection
/// do not delay the next write. A waiter is queued once regardless of the number of events: when
/// evaluated, it reads the newest version.
struct NotificationQueue {
  private var waiters: [Waiter] = []
  private var first = 0

  /// Whether no waiter is queued.
  var isEmpty: Bool { first == waiters.count }

  /// Adds a waiter, or replaces its event if it is already queued.
  mutating func append(_ waiter: Waiter, _ event: Waiter.Event) {
    if waiter.pendingEvent == nil { waiters.append(waiter) }
    waiter.pendingEvent = event
  }

  /// Removes and returns the next waiter and its event.
  mutating func popFirst() -> (waiter: Waiter, event: Waiter.Event)? {
    while first < waiters.count {
      let waiter = waiters[first]
      first += 1
      defer { compact() }
      guard let event = waiter.pendingEvent else { continue }
      waiter.pendingEvent = nil
      return (waiter, event)
    }
    return nil
  }

  /// Discards the popped prefix once it is half of the array.
  private mutating func compact() {
    guard 2 * first >= waiters.count else { return }
    waiters.removeFirst(first)
    first = 0
  }
}
