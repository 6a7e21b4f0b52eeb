import Synchronization
import VersionedCollections

/// Durations by size, for a metric.
public final class Histogram: Sendable {
  /// The upper ends of the buckets, in microseconds.
  public static let bucketEnds = [
    100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    2_500_000, 5_000_000, 10_000_000,
  ]

  /// The counts at one moment.
  public struct Counts: Sendable {
    /// One for each end, and one for what took longer.
    public var buckets = [Int](repeating: 0, count: bucketEnds.count + 1)
    /// The sum of all durations.
    public var microseconds = 0

    /// Creates empty counts.
    public init() {}

    /// The number of durations.
    public var count: Int { buckets.reduce(0, +) }
  }

  private let state = Mutex(Counts())

  init() {}

  func record(_ duration: Duration) {
    let microseconds = Int(duration / .microseconds(1))
    let bucket = Self.bucket(of: microseconds)
    state.withLock {
      $0.buckets[bucket] += 1
      $0.microseconds += microseconds
    }
  }

  /// The index of the bucket of a number of microseconds.
  public static func bucket(of microseconds: Int) -> Int {
    bucketEnds.firstIndex { microseconds <= $0 } ?? bucketEnds.count
  }

  /// The counts so far.
  public var counts: Counts { state.withLock(\.self) }
}
