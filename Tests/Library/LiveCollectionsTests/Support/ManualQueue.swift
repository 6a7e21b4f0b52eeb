import DeltaEngine
import LiveCollections

/// A queue whose work runs when the test says so.
final class ManualQueue: Sendable {
  private let waiting = Locked<[@Sendable () -> Void]>([])

  var queue: WorkQueue {
    WorkQueue { work in self.waiting.withLock { $0.append(work) } }
  }

  /// Whether there is work.
  var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

  /// Runs the oldest piece of work.
  ///
  /// - Returns: Whether there was any.
  @discardableResult
  func runOne() -> Bool {
    let work = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    work?()
    return work != nil
  }

  /// Runs all work, and all that it leads to.
  func runAll() { while runOne() {} }
}

/// The queues of a collection under test, all run by the test.
struct ManualQueues {
  let delivery = ManualQueue()
  let calculation = ManualQueue()
  let animating = ManualQueue()

  var queues: CollectionQueues {
    CollectionQueues(delivery: delivery.queue, calculation: calculation.queue)
  }

  /// Runs all work, and all that it leads to.
  func runAll() {
    while calculation.runOne() || delivery.runOne() || animating.runOne() {}
  }
}

/// What callbacks left behind, in order.
final class Journal<Entry: Sendable>: Sendable {
  private let kept = Locked<[Entry]>([])

  var entries: [Entry] { kept.withLock { $0 } }

  func note(_ entry: Entry) { kept.withLock { $0.append(entry) } }

  /// Gives the entries and forgets them.
  func take() -> [Entry] {
    kept.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}

/// A suite that keeps a journal of what callers hear of their updates.
@MainActor protocol Hearing {
  var journal: Journal<String> { get }
}

extension Hearing {
  /// A completion that notes the outcome under a name.
  func hear(_ name: String) -> @Sendable (UpdateOutcome) -> Void {
    { [journal] in journal.note("\(name) \($0)") }
  }
}
