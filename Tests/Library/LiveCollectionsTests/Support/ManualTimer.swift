import DeltaEngine
import LiveCollections

/// A clock that the test turns.
final class ManualTimer: Sendable {
  private struct State: Sendable {
    var now = Duration.zero
    var waiting: [(due: Duration, work: @Sendable () -> Void)] = []
  }

  private let state = Locked(State())

  var timer: DelayTimer {
    DelayTimer { delay, work in
      self.state.withLock { $0.waiting.append((due: $0.now + delay, work: work)) }
    }
  }

  /// How many pieces of work wait.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Lets time pass, and runs what is due.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now += duration
      let now = state.now
      let due = state.waiting.filter { $0.due <= now }.sorted { $0.due < $1.due }
      state.waiting.removeAll { $0.due <= now }
      return due.map(\.work)
    }
    for work in due { work() }
  }
}
