import DeltaEngine

/// A clock that only `advance(by:)` moves, and sleepers while `isFree`; sleepers wake when their time has come or
/// their task is cancelled.
package final class ManualClock: Clock {
  package struct Instant: InstantProtocol {
    package var offset = Duration.zero
    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    package func duration(to other: Instant) -> Duration { other.offset - offset }
    package static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private struct Sleeper {
    var deadline: Instant
    var wake: AsyncStream<Void>.Continuation
  }

  private struct State {
    var now = Instant()
    var isFree = false
    var sleepers: [Sleeper] = []
    var observers: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Whether nobody sleeps: the time goes on at once to when a sleeper would wake.
  package var isFree: Bool {
    get { state.withLock { $0.isFree } }
    set {
      let last = state.withLock { state in
        state.isFree = newValue
        return newValue ? state.sleepers.map(\.deadline).max() : nil
      }
      if let last { advance(by: now.duration(to: last)) }
    }
  }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let (due, wake) = AsyncStream<Void>.makeStream()
    let isDue = state.withLock { state in
      if state.isFree { state.now = max(state.now, deadline) }
      guard deadline > state.now else { return true }
      state.sleepers.append(Sleeper(deadline: deadline, wake: wake))
      return false
    }
    // The stream ends when the deadline has passed, and when the task is cancelled.
    if !isDue { for await _ in due {} }
    try Task.checkCancellation()
  }

  /// Moves the time on, wakes whom it concerns, and calls the observers.
  package func advance(by duration: Duration) {
    let (due, observers) = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return (due, state.observers)
    }
    for sleeper in due { sleeper.wake.finish() }
    for observer in observers { observer() }
  }

  /// Has something called after every advance.
  package func onAdvance(_ observer: @escaping @Sendable () -> Void) {
    state.withLock { $0.observers.append(observer) }
  }
}
