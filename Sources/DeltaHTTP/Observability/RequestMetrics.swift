import Synchronization

/// How many requests there were of each kind, and how long they took, the time they were parked
/// left out.
final class RequestMetrics: Sendable {
  /// The upper ends of the histogram's buckets, in microseconds.
  static let bucketEnds = [
    100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 5_000_000, 10_000_000,
  ]

  /// What was noted of one kind.
  struct Row {
    /// One for each end, and one for what took longer.
    let buckets: [Int]
    let microseconds: Int
    /// Responses by their status, in its order.
    let statuses: [(status: Int, count: Int)]

    var count: Int { buckets.reduce(0, +) }
  }

  // A kind's numbers lie side by side: the buckets, the microseconds, a count for each status.
  private static let bucketCount = bucketEnds.count + 1
  private static let statuses = 200...599
  private static let width = bucketCount + 1 + statuses.count

  /// How many answers were given again by their event loops.
  private static let repeatedPlace = width * RequestKind.allCases.count

  /// Streams of events that are open.
  let streams = Atomic(0)
  private let numbers = Mutex([Int](repeating: 0, count: repeatedPlace + 1))

  /// Counts a response.
  ///
  /// - Parameters:
  ///   - kind: The resource.
  ///   - status: From 200 to 599.
  ///   - microseconds: What it took.
  ///   - isRepeated: Whether the event loop remembered it.
  func note(_ kind: RequestKind, status: Int, microseconds: Int, isRepeated: Bool = false) {
    let bucket = Self.bucketEnds.firstIndex { microseconds <= $0 } ?? Self.bucketEnds.count
    let row = Int(kind.rawValue) * Self.width
    let place = row + Self.bucketCount
    let statusPlace = place + 1 + min(max(status, 200), 599) - 200
    numbers.withLock { numbers in
      numbers[row + bucket] += 1
      numbers[place] += microseconds
      numbers[statusPlace] += 1
      if isRepeated { numbers[Self.repeatedPlace] += 1 }
    }
  }

  /// Answers that event loops gave again.
  var repeatedCount: Int { numbers.withLock { $0[Self.repeatedPlace] } }

  /// What was noted, in the order of the kinds; nothing of those of which there was no request.
  var snapshot: [(kind: RequestKind, row: Row)] {
    let numbers = numbers.withLock { $0 }
    return RequestKind.allCases.compactMap { kind in
      let row = numbers[(Int(kind.rawValue) * Self.width)...].prefix(Self.width)
      let counts = zip(Self.statuses, row.suffix(Self.statuses.count)).filter { $0.1 > 0 }
      guard !counts.isEmpty else { return nil }
      return (
        kind,
        Row(
          buckets: Array(row.prefix(Self.bucketCount)),
          microseconds: row[row.startIndex + Self.bucketCount],
          statuses: counts.map { (status: $0.0, count: $0.1) })
      )
    }
  }
}

/// The resource of a request, without the names in it.
enum RequestKind: UInt8, CaseIterable, Sendable {
  case capabilities, contract, inspector, health, webFile, diff, changes, clients, client,
    index, batch, sync, tickets, collection, delta, events, versions, settings, revert
  /// A resource of the operations listener.
  case operations
  /// Nothing that is served, or no request that could be read.
  case none

  private static let names = allCases.map { "\($0)" }

  /// Its name in the log and the metrics.
  var name: String { Self.names[Int(rawValue)] }
}
