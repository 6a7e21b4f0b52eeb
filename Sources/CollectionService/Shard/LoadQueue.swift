import Synchronization
import VersionedCollections

/// Why a request could not be loaded.
enum LoadFailure: Error {
  /// The store failed to read a part.
  case store(StoreError)
  /// The request's collections together exceed the limit for one request.
  case tooLarge(limit: Int)
}

extension ServiceError {
  init(_ failure: LoadFailure) {
    switch failure {
    case .store(let error): self.init(error)
    case .tooLarge(let limit):
      self = .limitPassed(
        PassedLimit(
          .bytes, "",
          "the collections that the request is about have more than \(limit) bytes of contents "
            + "together: ask for fewer at once", limit: limit))
    }
  }
}

/// A queue in which requests that load several collections take turns, and others of which there must
/// be one at a time.
///
/// What such a request needs stays in memory until the request is done. Many at once would exceed
/// any memory limit.
final class LoadQueue: Sendable {
  private struct State {
    var isBusy = false
    var waiting: [@Sendable () -> Void] = []
    var first = 0
  }

  private let state = Mutex(State())

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
    let next = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.first < state.waiting.count else {
        state = State()
        return nil
      }
      let next = state.waiting[state.first]
      state.first += 1
      // It may never be empty.
      if state.first > state.waiting.count / 2 {
        state.waiting.removeFirst(state.first)
        state.first = 0
      }
      return next
    }
    next?()
  }
}
