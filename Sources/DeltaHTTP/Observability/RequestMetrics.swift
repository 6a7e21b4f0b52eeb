import Synchronization

/// How many requests there were of each kind, and how long they took, the time they were parked
/// left out.
final class RequestMetrics: Sendable {
  /// The upper ends of the histogram's buckets, in microseconds.
  static let bucketEnds = [
    100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 5_000_000, 10_000_000,
  ]

  struct Row {
    var buckets = [Int](repeating: 0, count: bucketEnds.count + 1)
    var microseconds = 0
    var statuses: [Int: Int] = [:]

    var count: Int { buckets.reduce(0, +) }
  }

  private let rows = Mutex<[RequestKind: Row]>([:])

  /// Counts a response.
  func note(_ kind: RequestKind, status: Int, _ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let microseconds = Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
    let bucket = Self.bucketEnds.firstIndex { microseconds <= $0 } ?? Self.bucketEnds.count
    rows.withLock { rows in
      rows[kind, default: Row()].buckets[bucket] += 1
      rows[kind, default: Row()].microseconds += microseconds
      rows[kind, default: Row()].statuses[status, default: 0] += 1
    }
  }

  /// What was noted, in the order of the kinds.
  var snapshot: [(kind: RequestKind, row: Row)] {
    rows.withLock { rows in
      RequestKind.allCases.compactMap { kind in rows[kind].map { (kind, $0) } }
    }
  }
}

/// The resource of a request, without the names in it.
enum RequestKind: String, CaseIterable, Sendable {
  case capabilities, contract, inspector, diff, changes, client, index, batch, sync, collection,
    delta, events, versions, settings
  /// A resource of the operations listener.
  case operations
  /// Nothing that is served, or no request that could be read.
  case none
}
