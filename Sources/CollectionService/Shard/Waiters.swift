/// All who wait on one shard: by number, by collection, and by when they are evaluated next.
///
/// It has no queue and no clock: its shard says what happened, and evaluates the waiters that it
/// gets back.
struct Waiters {
  private var waiters: [UInt64: Waiter] = [:]
  private var deadlines = DeadlineQueue()
  private var notifications = NotificationQueue()

  /// All waiters, in any order.
  var all: some Swift.Collection<Waiter> { waiters.values }

  /// Whether some are still to be evaluated for an event.
  var hasNotifications: Bool { !notifications.isEmpty }

  /// When the next one is to be evaluated though nothing happened.
  var earliestDeadline: Duration? { deadlines.earliest }

  /// The number of deadlines that are kept: one for each waiter.
  var deadlineCount: Int { deadlines.count }

  /// The waiter with a number.
  subscript(id: UInt64) -> Waiter? { waiters[id] }

  /// Adds a waiter that is to be evaluated at a time, or when a collection of its changes.
  mutating func insert(_ waiter: Waiter, until deadline: Duration) {
    waiters[waiter.id] = waiter
    for name in waiter.names { waiter.client.waiters[name, default: [:]][waiter.id] = waiter }
    setDeadline(of: waiter, deadline)
  }

  /// Removes a waiter, if it is there.
  ///
  /// - Returns: Whether it was.
  mutating func remove(_ waiter: Waiter) -> Bool {
    guard waiters.removeValue(forKey: waiter.id) != nil else { return false }
    deadlines.remove(waiter.id)
    for name in waiter.names {
      waiter.client.waiters[name]?[waiter.id] = nil
      if waiter.client.waiters[name]?.isEmpty == true { waiter.client.waiters[name] = nil }
    }
    return true
  }

  /// Sets when a waiter is evaluated next.
  ///
  /// A deadline that moves away leaves the waiter's entry where it is: it comes up early once, and is
  /// queued for the later deadline then.
  mutating func setDeadline(of waiter: Waiter, _ deadline: Duration) {
    waiter.deadline = deadline
    if let queued = deadlines[waiter.id], queued <= deadline { return }
    deadlines.set(waiter.id, deadline)
  }

  /// Removes and returns the deadline of a waiter that is to be evaluated now.
  mutating func nextDue(_ now: Duration) -> Waiter? {
    while let id = deadlines.pop(until: now) {
      guard let waiter = waiters[id] else { continue }
      if waiter.deadline <= now { return waiter }
      deadlines.set(id, waiter.deadline)
    }
    return nil
  }

  /// Has all that wait for a collection evaluated for an event.
  mutating func notify(_ client: ClientState, _ name: ResourceName, _ event: Waiter.Event) {
    for waiter in client.waiters[name, default: [:]].values { notifications.append(waiter, event) }
  }

  /// Removes and returns the next waiter that is to be evaluated for an event.
  mutating func nextNotification() -> (waiter: Waiter, event: Waiter.Event)? {
    while let next = notifications.popFirst() {
      if waiters[next.waiter.id] != nil { return next }
    }
    return nil
  }

  /// Traps unless each waiter is found by each of its collections, and has at most one deadline.
  func checkInvariants() {
    deadlines.checkInvariants()
    precondition(deadlines.count <= waiters.count, "\(deadlines.count) deadlines")
    for (id, waiter) in waiters {
      precondition(waiter.id == id, "waiter \(waiter.id) is found as \(id)")
      for name in waiter.names {
        precondition(waiter.client.waiters[name]?[id] === waiter, "\(id) does not wait for \(name)")
      }
    }
  }
}
