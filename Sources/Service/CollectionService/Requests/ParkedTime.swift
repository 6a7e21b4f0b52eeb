import Synchronization
import VersionedCollections

/// The time a request waited for changes, to be excluded from its processing time, and how old its answer may be.
public final class ParkedTime: Sendable {
  private let start = Atomic<Int64>(-1)
  private let total = Atomic<Int64>(0)
  private let confirmation = Atomic<Int64>(-1)

  /// Creates a duration of zero.
  public init() {}

  /// The time from the start of the wait to its last evaluation.
  public var duration: Duration { .microseconds(total.load(ordering: .relaxed)) }

  /// When the wait began; nil if it has not.
  public var startTime: Duration? {
    let start = start.load(ordering: .relaxed)
    return start < 0 ? nil : .microseconds(start)
  }

  /// The uptime as of which the answer is known to be current; nil if that is when the request came.
  ///
  /// With a store that others write to, it is when the store was asked for the list that memory agrees with: the store
  /// may have been away since, and have come back for other clients only. Otherwise a wait is decided at its end.
  public var asOf: Duration? {
    let confirmation = confirmation.load(ordering: .relaxed)
    return confirmation < 0 ? startTime.map { $0 + duration } : .microseconds(confirmation)
  }

  func begin(_ now: Duration) { start.store(now.microseconds, ordering: .relaxed) }

  /// Records when the list that memory agrees with was asked for.
  func confirm(_ date: Duration) {
    confirmation.store(max(0, date.microseconds), ordering: .relaxed)
  }

  func update(_ now: Duration) {
    total.store(max(0, now.microseconds - start.load(ordering: .relaxed)), ordering: .relaxed)
  }
}

extension Duration {
  fileprivate var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
