import Dispatch

/// Runs work later: on the clock of dispatch queues, or on a clock that a test controls.
public struct DelayTimer: Sendable {
  private let schedule: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  /// A timer that hands work to a function, which runs it once the duration has passed.
  public init(
    _ schedule: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
  ) {
    self.schedule = schedule
  }

  /// The clock of dispatch queues, which stops while the machine sleeps.
  public static let dispatch = DelayTimer { delay, work in
    let (seconds, attoseconds) = delay.components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    DispatchQueue.global(qos: .userInitiated).asyncAfter(
      deadline: .now() + .nanoseconds(Int(min(nanoseconds, 1e15)))
    ) { work() }
  }

  /// Runs work once a duration has passed.
  public func run(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
    schedule(delay, work)
  }
}
