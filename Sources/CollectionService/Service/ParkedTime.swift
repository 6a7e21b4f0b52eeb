import Synchronization

/// How long a request waited for news, which is no time that the service took.
public final class ParkedTime: Sendable {
  private let start = Atomic<Int64>(0)
  private let total = Atomic<Int64>(0)

  /// No time yet.
  public init() {}

  /// From when it began to wait until it was last evaluated.
  public var duration: Duration { .microseconds(total.load(ordering: .relaxed)) }

  func begin(_ now: Duration) { start.store(now.microseconds, ordering: .relaxed) }

  func update(_ now: Duration) {
    total.store(now.microseconds - start.load(ordering: .relaxed), ordering: .relaxed)
  }
}

extension Duration {
  fileprivate var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}
