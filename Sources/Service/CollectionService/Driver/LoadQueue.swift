import DequeModule
import Synchronization
import VersionedCollections

/// A queue in which requests that load several collections take turns, and others of which there must
/// be one at a time.
///
/// What such a request needs stays in memory until the request is done. Many at once would exceed
/// any memory limit.
final class LoadQueue: Sendable {
  private let state = Mutex((isBusy: false, waiting: Deque<@Sendable () -> Void>()))

  /// Calls `begin` when it is the caller's turn, immediately if the queue is free.
  func enter(_ begin: @escaping @Sendable () -> Void) {
    let isFree = state.withLock { state in
      defer { state.isBusy = true }
      if state.isBusy { state.waiting.append(begin) }
      return !state.isBusy
    }
    if isFree { begin() }
  }

  /// Ends the caller's turn and starts the next one.
  func leave() {
    let next = state.withLock { state in
      state.isBusy = !state.waiting.isEmpty
      return state.waiting.popFirst()
    }
    next?()
  }
}
