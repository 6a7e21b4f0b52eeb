import Synchronization
import VersionedCollections

/// The time a request waited for changes, to be excluded from its processing time.
public final class ParkedTime: Sendable {
  private let start = Atomic<Int64>(-1)
  private let total = Atomic<Int64>(0)

  /// Creates a duration of zero.
  public init() {}

  /// The time from the start of the wait to its last evaluation.
  public var duration: Duration { .microseconds(total.load(ordering: .relaxed)) }

  /// When the wait began; nil if it has not.
  public var startTime: Duration? {
    let start = start.load(ordering: .relaxed)
    return start < 0 ? nil : .microseconds(start)
  }

  /// When the wait was evaluated last; nil if there was none.
  public var lastEvaluation: Duration? { startTime.map { $0 + duration } }

  func begin(_ now: Duration) { start.store(now.microseconds, ordering: .relaxed) }

  func update(_ now: Duration) {
    total.store(max(0, now.microseconds - start.load(ordering: .relaxed)), ordering: .relaxed)
  }
}

extension Duration {
  fileprivate var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
