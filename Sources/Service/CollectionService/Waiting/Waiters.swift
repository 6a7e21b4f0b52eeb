import DequeModule
import VersionedCollections

/// All readers of a shard that wait, by ID, by collection and by deadline.
///
/// Every reader that is not answered at once is here until it is. Those that wait for changes are
/// also found by their collections, and have a deadline.
struct Waiters {
  private var readers: [UInt64: Reader] = [:]
  private var deadlines = DeadlineQueue()
  /// The readers that are queued for an event, each once: when evaluated, one reads the newest version.
  private var notified = Deque<Reader>()

  /// All readers, in any order.
  var all: some Swift.Collection<Reader> { readers.values }

  /// Whether readers are queued for evaluation.
  var hasNotifications: Bool { !notified.isEmpty }

  var earliestDeadline: Duration? { deadlines.earliest }

  /// The number of queued deadlines, one for each reader that waits for changes.
  var deadlineCount: Int { deadlines.count }

  /// The uptime since when a request has waited the longest; nil if none waits.
  var oldestStart: Duration? { readers.values.compactMap { $0.waitingTime?.startTime }.min() }

  subscript(id: UInt64) -> Reader? { readers[id] }

  /// Adds a reader, if it is not here.
  mutating func insert(_ reader: Reader) { readers[reader.id] = reader }

  /// Has a reader evaluated from now on when one of its collections changes.
  mutating func register(_ reader: Reader) {
    insert(reader)
    reader.isCounted = true
    for entry in reader.entries {
      reader.client.waiters[entry.name, default: []].insert(reader.id)
    }
  }

  mutating func remove(_ reader: Reader) {
    guard readers.removeValue(forKey: reader.id) != nil else { return }
    deadlines.remove(reader.id)
    guard reader.isCounted else { return }
    for entry in reader.entries {
      reader.client.waiters[entry.name]?.remove(reader.id)
      if reader.client.waiters[entry.name]?.isEmpty == true {
        reader.client.waiters[entry.name] = nil
      }
    }
  }

  /// Sets the time of a reader's next evaluation.
  ///
  /// If the deadline moves later, the reader's entry stays where it is: it comes up early once, and
  /// is then queued again for the later deadline.
  mutating func setDeadline(of reader: Reader, _ deadline: Duration) {
    reader.deadline = deadline
    if let queued = deadlines[reader.id], queued <= deadline { return }
    deadlines.set(reader.id, deadline)
  }

  /// Returns the next reader whose deadline has passed, removing its entry.
  mutating func nextDue(_ now: Duration) -> Reader? {
    while let id = deadlines.pop(until: now) {
      guard let reader = readers[id] else { continue }
      if reader.deadline <= now { return reader }
      deadlines.set(id, reader.deadline)
    }
    return nil
  }

  /// Queues all readers that wait for changes to a collection for an event, in order of arrival.
  mutating func notify(
    _ client: ClientState, _ name: ResourceName, _ event: ReaderEvent, at now: Duration
  ) {
    for id in (client.waiters[name] ?? []).sorted() {
      guard let reader = readers[id] else { continue }
      if reader.pendingEvent == nil { notified.append(reader) }
      reader.pendingEvent = event
      reader.notified = reader.notified ?? now
    }
  }

  /// Removes and returns the next queued reader and its event.
  mutating func nextNotification() -> (reader: Reader, event: ReaderEvent)? {
    while let reader = notified.popFirst() {
      guard let event = reader.pendingEvent else { continue }
      reader.pendingEvent = nil
      if readers[reader.id] != nil { return (reader, event) }
    }
    return nil
  }

  /// Traps unless each reader that waits for changes is found by all its collections, and each
  /// deadline is a reader's.
  func checkInvariants() {
    deadlines.checkInvariants()
    for (id, reader) in readers {
      precondition(reader.id == id, "reader \(reader.id) is found as \(id)")
      if let queued = deadlines[id] {
        precondition(queued <= reader.deadline, "reader \(id) wakes up too late")
      }
      precondition(
        reader.phase != .arriving || !reader.isCounted, "\(id) waits before it has begun")
      precondition(
        reader.phase != .waiting || deadlines[id] != nil || reader.isLoading,
        "nothing ends the wait of \(id)")
      for entry in reader.entries where reader.isCounted {
        precondition(
          reader.client.waiters[entry.name]?.contains(id) == true,
          "\(id) does not wait for \(entry.name)"
        )
      }
    }
    precondition(
      deadlines.count <= readers.count, "\(deadlines.count) deadlines, \(readers.count) readers")
  }
}
