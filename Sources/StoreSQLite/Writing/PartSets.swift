import Synchronization

/// Gives numbers to sets of parts, and knows those that are being written: nobody may clear them away
/// although no row names them yet.
final class PartSets: Sendable {
  private struct State {
    var last: Int64
    var underWay: Set<Int64> = []
  }

  private let state: Mutex<State>

  /// - Parameter last: The highest number that is in use.
  init(last: Int64) { state = Mutex(State(last: last)) }

  /// The sets that are being written.
  var underWay: Set<Int64> { state.withLock { $0.underWay } }

  /// Begins a set.
  func begin() -> Int64 {
    state.withLock { state in
      state.last += 1
      state.underWay.insert(state.last)
      return state.last
    }
  }

  /// The sets were written, or never will be.
  func end(_ sets: [Int64]) {
    state.withLock { $0.underWay.subtract(sets) }
  }
}
