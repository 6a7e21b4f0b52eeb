/// Time, what will happen, and the trace of what has happened.
///
/// `@unchecked Sendable`: a simulation has one thread. What happens at one time happens in the order in
/// which it was scheduled.
final class World: @unchecked Sendable {
  private struct Entry {
    var time: Microseconds
    var number: Int
    var work: () -> Void

    func precedes(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
  }

  /// When it begins, in seconds since 1970.
  static let firstDate: Int64 = 1_750_000_000

  /// A binary heap.
  private var heap: [Entry] = []
  private var scheduledCount = 0
  private(set) var now: Microseconds = 0
  /// The number of events that have happened.
  private(set) var eventCount = 0
  /// How many of them have happened in this second.
  private var eventCountNow = 0
  /// The most events that may happen in one second; a timer that fires for ever makes more.
  private static let eventsPerSecondMax = 50_000
  /// FNV-1a of all lines of the trace.
  private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  private(set) var trace: [String] = []
  private let keepsTrace: Bool
  /// What was found wrong.
  private(set) var violations: [String] = []

  init(keepsTrace: Bool) { self.keepsTrace = keepsTrace }

  /// Schedules work.
  func after(_ delay: Microseconds, _ work: @escaping () -> Void) {
    scheduledCount += 1
    let entry = Entry(time: now + max(0, delay), number: scheduledCount, work: work)
    heap.append(entry)
    var index = heap.count - 1
    while index > 0, entry.precedes(heap[(index - 1) / 2]) {
      heap[index] = heap[(index - 1) / 2]
      index = (index - 1) / 2
    }
    heap[index] = entry
  }

  private func next() -> Entry? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    if heap.isEmpty { return first }
    var index = 0
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
      guard heap[child].precedes(last) else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = last
    return first
  }

  /// Has everything happen up to a time, or to the first violation.
  func run(until end: Microseconds) {
    while violations.isEmpty, let first = heap.first, first.time <= end, let entry = next() {
      eventCountNow = entry.time / 1.seconds == now / 1.seconds ? eventCountNow + 1 : 0
      now = entry.time
      eventCount += 1
      if eventCountNow > Self.eventsPerSecondMax { blame("time does not go on") }
      entry.work()
    }
    now = max(now, end)
  }

  /// Forgets what would happen later.
  func end() { heap = [] }

  /// Adds a line to the trace.
  func note(_ text: @autoclosure () -> String) {
    let line = "\(now) \(text())"
    for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash = (hash ^ 10) &* 0x0000_0100_0000_01b3
    if keepsTrace { trace.append(line) }
  }

  /// Records that something is wrong.
  func blame(_ text: String) {
    note("VIOLATION \(text)")
    violations.append(text)
  }
}
