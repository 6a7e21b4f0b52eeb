import Glibc

/// The service's source of time: a monotonic clock and a calendar.
public struct TimeSource: Sendable {
  /// The time since the source was created; never decreases.
  public let uptime: @Sendable () -> Duration
  /// Suspends until an uptime is reached or the task is cancelled.
  public let sleep: @Sendable (_ until: Duration) async -> Void
  /// Has something called once an uptime is reached, on any thread; returns what cancels that.
  package let after: After
  /// The seconds since 1970.
  public let date: @Sendable () -> Int64
  /// The milliseconds since 1970.
  public let milliseconds: @Sendable () -> Int64
  /// The nanoseconds since 1970.
  public let nanoseconds: @Sendable () -> Int64

  /// The time that the current thread has had of the processor.
  package let processorTime: @Sendable () -> Duration

  package typealias After =
    @Sendable (
      _ until: Duration, _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void

  /// Creates a source whose time passes only when its caller says so, in one thread: nobody can sleep.
  package init(
    uptime: @escaping @Sendable () -> Duration, date: @escaping @Sendable () -> Int64,
    after: @escaping After
  ) {
    (self.uptime, self.date, self.after) = (uptime, date, after)
    // What takes no time costs nothing.
    processorTime = { .zero }
    sleep = { _ in preconditionFailure("a task sleeps in simulated time") }
    milliseconds = { date() * 1000 }
    nanoseconds = { date() * 1_000_000_000 }
  }

  /// Creates a source from a clock.
  ///
  /// - Parameters:
  ///   - clock: The clock.
  ///   - date: Returns the seconds since 1970; nil for the system's calendar.
  public init<C: Clock>(
    _ clock: C, date: (@Sendable () -> Int64)? = nil
  ) where C.Duration == Duration {
    let start = clock.now
    uptime = { start.duration(to: clock.now) }
    processorTime = Self.threadTime
    let sleep: @Sendable (Duration) async -> Void = { until in
      // An error means that the task was cancelled, which ends the wait.
      try? await clock.sleep(until: start.advanced(by: until), tolerance: nil)
    }
    self.sleep = sleep
    after = { until, work in
      let task = Task {
        await sleep(until)
        if !Task.isCancelled { work() }
      }
      return { task.cancel() }
    }
    if let date {
      self.date = date
      milliseconds = { date() * 1000 }
      nanoseconds = { date() * 1_000_000_000 }
    } else {
      self.date = { Int64(time(nil)) }
      milliseconds = { Self.systemNanoseconds / 1_000_000 }
      nanoseconds = { Self.systemNanoseconds }
    }
  }

  private static var systemNanoseconds: Int64 {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }

  private static func threadTime() -> Duration {
    var now = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
  }

  /// The system's time.
  public static var system: TimeSource { TimeSource(ContinuousClock()) }
}
