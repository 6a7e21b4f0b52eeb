import Synchronization

/// Allocates numbers for sets of parts and tracks those being written, which must not be cleared
/// away although no row refers to them yet.
final class PartSets: Sendable {
  private struct State {
    var last: Int64
    var underWay: Set<Int64> = []
  }

  private let state: Mutex<State>

  /// - Parameter last: The highest number in use.
  init(last: Int64) { state = Mutex(State(last: last)) }

  var underWay: Set<Int64> { state.withLock { $0.underWay } }

  func begin() -> Int64 {
    state.withLock { state in
      state.last += 1
      state.underWay.insert(state.last)
      return state.last
    }
  }

  func end(_ sets: [Int64]) {
    state.withLock { $0.underWay.subtract(sets) }
  }
}
