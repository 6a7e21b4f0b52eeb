import Synchronization

/// What is to be done when a subject is not authorized any more.
final class Watches<Subject: Sendable>: Sendable {
  struct Watch {
    var subject: Subject
    let action: @Sendable (Refusal) -> Void
    /// Whether it is being asked about again.
    var isAsking = false
  }

  private let state = Mutex((watches: [UInt64: Watch](), last: UInt64(0)))

  var all: [UInt64: Watch] { state.withLock { $0.watches } }

  /// Keeps an action; returns its number.
  func add(_ subject: Subject, _ action: @escaping @Sendable (Refusal) -> Void) -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.watches[state.last] = Watch(subject: subject, action: action)
      return state.last
    }
  }

  func remove(_ id: UInt64) { state.withLock { _ = $0.watches.removeValue(forKey: id) } }

  /// Calls an action, which is forgotten then.
  func end(_ id: UInt64, _ refusal: Refusal) {
    let watch = state.withLock { $0.watches.removeValue(forKey: id) }
    watch?.action(refusal)
  }

  func change(_ id: UInt64, _ change: (inout Watch) -> Void) {
    state.withLock { state in
      guard var watch = state.watches[id] else { return }
      change(&watch)
      state.watches[id] = watch
    }
  }
}
