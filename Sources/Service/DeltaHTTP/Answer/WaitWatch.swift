import Authentication
import CollectionService
import Synchronization

/// Ends a wait whose reader may see something else than when it came, within a second.
///
/// A backend that restricts its readers is asked about them when they wake, not while they wait.
final class WaitWatch: Sendable {
  private let state = Mutex<(unwatch: (@Sendable () -> Void)?, hasEnded: Bool)>((nil, false))

  /// Begins, unless there is an answer already.
  func begin(_ authorization: Authorization?, _ ticket: ReadTicket) {
    guard let authorization, !authorization.isForwarded else { return }
    let unwatch = authorization.watch { _ in
      ticket.endWait()
    } ended: { refusal in
      // A token that has expired is told so with the answer.
      if refusal != .expired { ticket.endWait() }
    }
    let hasEnded = state.withLock { state in
      if !state.hasEnded { state.unwatch = unwatch }
      return state.hasEnded
    }
    if hasEnded { unwatch() }
  }

  /// Ends: there is an answer, or nobody who waits for it.
  func end() {
    let unwatch = state.withLock { state in
      state.hasEnded = true
      return state.unwatch.take()
    }
    unwatch?()
  }
}
