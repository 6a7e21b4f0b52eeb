import VersionedCollections

/// All waiters of a shard, by ID, by collection and by deadline.
///
/// It has no queue and no clock; the shard reports events and evaluates the returned waiters.
struct Waiters {
  private var waiters: [UInt64: Waiter] = [:]
  private var deadlines = DeadlineQueue()
  private var notifications = NotificationQueue()

  /// All waiters, in any order.
  var all: some Swift.Collection<Waiter> { waiters.values }

  /// Whether waiters are queued for evaluation.
  var hasNotifications: Bool { !notifications.isEmpty }

  /// The earliest deadline in the queue.
  var earliestDeadline: Duration? { deadlines.earliest }

  /// The number of queued deadlines, one for each waiter.
  var deadlineCount: Int { deadlines.count }

  /// The waiter with an ID.
  subscript(id: UInt64) -> Waiter? { waiters[id] }

  /// Adds a waiter to be evaluated at a deadline or when one of its collections changes.
  mutating func insert(_ waiter: Waiter, until deadline: Duration) {
    waiters[waiter.id] = waiter
    for name in waiter.names { waiter.client.waiters[name, default: [:]][waiter.id] = waiter }
    setDeadline(of: waiter, deadline)
  }

  /// Removes a waiter.
  ///
  /// - Returns: false if it was not there.
  mutating func remove(_ waiter: Waiter) -> Bool {
    guard waiters.removeValue(forKey: waiter.id) != nil else { return false }
    deadlines.remove(waiter.id)
    for name in waiter.names {
      waiter.client.waiters[name]?[waiter.id] = nil
      if waiter.client.waiters[name]?.isEmpty == true { waiter.client.waiters[name] = nil }
    }
    return true
  }

  /// Sets the time of a waiter's next evaluation.
  ///
  /// If the deadline moves later, the waiter's entry stays where it is: it comes up early once, and
  /// is then queued again for the later deadline.
  mutating func setDeadline(of waiter: Waiter, _ deadline: Duration) {
    waiter.deadline = deadline
    if let queued = deadlines[waiter.id], queued <= deadline { return }
    deadlines.set(waiter.id, deadline)
  }

  /// Returns the next waiter whose deadline has passed, removing its entry.
  mutating func nextDue(_ now: Duration) -> Waiter? {
    while let id = deadlines.pop(until: now) {
      guard let waiter = waiters[id] else { continue }
      if waiter.deadline <= now { return waiter }
      deadlines.set(id, waiter.deadline)
    }
    return nil
  }

  /// Queues all waiters of a collection for an event.
  mutating func notify(
    _ client: ClientState, _ name: ResourceName, _ event: Waiter.Event, at now: Duration
  ) {
    for waiter in client.waiters[name, default: [:]].values {
      notifications.append(waiter, event)
      waiter.notified = waiter.notified ?? now
    }
  }

  /// Removes and returns the next queued waiter and its event.
  mutating func nextNotification() -> (waiter: Waiter, event: Waiter.Event)? {
    while let next = notifications.popFirst() {
      if waiters[next.waiter.id] != nil { return next }
    }
    return nil
  }

  /// Traps unless each waiter is registered with all its collections and has at most one deadline.
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
