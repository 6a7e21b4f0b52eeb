import Synchronization

/// The actions for subjects whose authorization changes or ends.
final class Watches<Subject: Sendable>: Sendable {
  struct Watch {
    var subject: Subject
    let changed: @Sendable (Subject) -> Void
    let ended: @Sendable (Refusal) -> Void
    /// Whether the backend is being asked about the subject.
    var isAsking = false
  }

  private let state = Mutex((watches: [UInt64: Watch](), last: UInt64(0)))

  var all: [UInt64: Watch] { state.withLock { $0.watches } }

  /// Keeps the actions for a subject; returns their number.
  func add(
    _ subject: Subject, changed: @escaping @Sendable (Subject) -> Void,
    ended: @escaping @Sendable (Refusal) -> Void
  ) -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.watches[state.last] = Watch(subject: subject, changed: changed, ended: ended)
      return state.last
    }
  }

  func remove(_ id: UInt64) { state.withLock { _ = $0.watches.removeValue(forKey: id) } }

  /// Removes a subject and calls its action for the end.
  func end(_ id: UInt64, _ refusal: Refusal) {
    let watch = state.withLock { $0.watches.removeValue(forKey: id) }
    watch?.ended(refusal)
  }

  /// Notes that the backend is being asked about a subject.
  func noteAsking(_ id: UInt64) { state.withLock { $0.watches[id]?.isAsking = true } }

  /// Replaces a subject, about which the backend has answered; calls its action for a change if the two differ.
  func replace(_ id: UInt64, by subject: Subject, differs: (Subject) -> Bool) {
    let watch = state.withLock { state in
      defer {
        state.watches[id]?.subject = subject
        state.watches[id]?.isAsking = false
      }
      return state.watches[id]
    }
    if let watch, differs(watch.subject) { watch.changed(subject) }
  }
}
