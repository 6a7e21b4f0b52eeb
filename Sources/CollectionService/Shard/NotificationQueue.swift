/// The readers that are still to be told that something happened, first come first served.
///
/// They are told a slice at a time, so that ten thousand readers of one collection do not hold up
/// the next write. A reader is in the queue once however often something happens meanwhile: when its
/// turn comes it is told of the newest version.
struct NotificationQueue {
  private var waiters: [Waiter] = []
  private var first = 0

  /// Whether nobody is to be told.
  var isEmpty: Bool { first == waiters.count }

  /// Adds a reader, unless it is there already.
  mutating func append(_ waiter: Waiter, _ event: Waiter.Event) {
    if waiter.pendingEvent == nil { waiters.append(waiter) }
    waiter.pendingEvent = event
  }

  /// Removes and returns the next reader, and what it is to be told.
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

  /// Gives back the places of those who were told, once they are half of the array.
  private mutating func compact() {
    guard 2 * first >= waiters.count else { return }
    waiters.removeFirst(first)
    first = 0
  }
}
