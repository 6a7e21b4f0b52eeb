import Synchronization
import VersionedCollections

/// Looks how late the feed of changes is, and tells when it is too late.
final class FeedWatch: Sendable {
  private struct State {
    var last: FeedState?
    var isLate = false
  }

  private let readers: PostgresPool<PostgresRead>
  private let faults: FaultSink
  private let seen = Mutex(State())

  /// From when on a change that nobody can read is a fault, in seconds.
  ///
  /// PostgreSQL ends a writer that is idle in a transaction that it began itself after 30 s, and one
  /// whose peer is gone after 25 s; a replica that is frozen while it sends a group is neither.
  static let lateSeconds = 60

  init(_ readers: PostgresPool<PostgresRead>, _ faults: @escaping FaultSink) {
    self.readers = readers
    self.faults = faults
  }

  var state: FeedState? { seen.withLock(\.last) }

  func look() {
    readers.submit {
      try $0.feedState()
    } completion: { [self] in
      switch $0 {
      case .success(let state): take(state)
      case .failure where readers.isClosed: break
      case .failure(let error):
        // An old age is not shown as a new one.
        seen.withLock { $0.last = nil }
        faults(Fault(.feed, "the age of the feed of changes was not read: \(error.text)"))
      }
    }
  }

  private func take(_ state: FeedState) {
    let isNews = seen.withLock { seen in
      let wasLate = seen.isLate
      seen.last = state
      seen.isLate = state.unsettledSeconds > Self.lateSeconds
      return seen.isLate && !wasLate
    }
    if isNews {
      faults(
        Fault(
          .feed,
          "an unfinished transaction has delayed the feed of changes for \(state.unsettledSeconds) s"
        ))
    }
  }
}
