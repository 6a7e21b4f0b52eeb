/// Waiters that are still to be evaluated for an event, first come first served.
///
/// Their shard takes some at a time, so that ten thousand readers of one collection do not delay the
/// next write. A waiter is queued once however many events there are meanwhile: when its turn comes
/// it reads the newest version.
struct NotificationQueue {
  private var waiters: [Waiter] = []
  private var first = 0

  /// Whether no waiter is queued.
  var isEmpty: Bool { first == waiters.count }

  /// Adds a waiter, or replaces its event if it is queued.
  mutating func append(_ waiter: Waiter, _ event: Waiter.Event) {
    if waiter.pendingEvent == nil { waiters.append(waiter) }
    waiter.pendingEvent = event
  }

  /// Removes and returns the next waiter, and its event.
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

  /// Removes the places of those who were popped, once they are half of the array.
  private mutating func compact() {
    guard 2 * first >= waiters.count else { return }
    waiters.removeFirst(first)
    first = 0
  }
}
