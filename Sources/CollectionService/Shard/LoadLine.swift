import Synchronization

/// Why what a request needs is not in memory.
enum LoadFailure: Error {
  /// The store did not give it back.
  case store(StoreError)
  /// The collections that it is about are larger together than one request may load.
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

/// The line of requests that need several collections from the store: one loads at a time.
///
/// All that such a request needs stays in memory until it is done, so that many of them at once
/// would pass any bound.
final class LoadLine: Sendable {
  private struct State {
    var isBusy = false
    var waiting: [@Sendable () -> Void] = []
    var first = 0
  }

  private let state = Mutex(State())

  /// Calls back when it is the caller's turn: at once when nobody loads.
  func enter(_ begin: @escaping @Sendable () -> Void) {
    let isFree = state.withLock { state in
      defer { state.isBusy = true }
      if state.isBusy { state.waiting.append(begin) }
      return !state.isBusy
    }
    if isFree { begin() }
  }

  /// Ends the caller's turn, and begins that of the next.
  func leave() {
    let next = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.first < state.waiting.count else {
        state = State()
        return nil
      }
      defer { state.first += 1 }
      return state.waiting[state.first]
    }
    next?()
  }
}
