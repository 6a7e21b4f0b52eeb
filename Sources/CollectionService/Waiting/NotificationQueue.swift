import VersionedCollections

/// A first-in-first-out queue of readers to be evaluated for an event.
///
/// A limited number is evaluated at a time, so that ten thousand readers of one collection do not
/// delay the next write. A reader is queued once regardless of the number of events: when evaluated,
/// it reads the newest version.
struct NotificationQueue {
  private var readers: [Reader] = []
  private var first = 0

  /// Whether no reader is queued.
  var isEmpty: Bool { first == readers.count }

  /// Adds a reader, or replaces its event if it is already queued.
  mutating func append(_ reader: Reader, _ event: ReaderEvent) {
    if reader.pendingEvent == nil { readers.append(reader) }
    reader.pendingEvent = event
  }

  /// Removes and returns the next reader and its event.
  mutating func popFirst() -> (reader: Reader, event: ReaderEvent)? {
    while first < readers.count {
      let reader = readers[first]
      first += 1
      defer { compact() }
      guard let event = reader.pendingEvent else { continue }
      reader.pendingEvent = nil
      return (reader, event)
    }
    return nil
  }

  /// Discards the popped prefix once it is half of the array.
  private mutating func compact() {
    guard 2 * first >= readers.count else { return }
    readers.removeFirst(first)
    first = 0
  }
}
