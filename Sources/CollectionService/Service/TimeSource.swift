import Glibc

/// Where the service gets its time: a clock to wait by, and a calendar to date versions with.
public struct TimeSource: Sendable {
  /// The time since the source was made; never goes back.
  public let uptime: @Sendable () -> Duration
  /// Returns once the uptime has reached a value, or the task is cancelled.
  public let sleep: @Sendable (_ until: Duration) async -> Void
  /// Seconds since 1970.
  public let date: @Sendable () -> Int64

  /// Takes the time from a clock.
  ///
  /// - Parameters:
  ///   - clock: What waits.
  ///   - date: Seconds since 1970; nil for the machine's own calendar.
  public init<C: Clock>(
    _ clock: C, date: (@Sendable () -> Int64)? = nil
  ) where C.Duration == Duration {
    let start = clock.now
    uptime = { start.duration(to: clock.now) }
    sleep = { until in try? await clock.sleep(until: start.advanced(by: until), tolerance: nil) }
    self.date = date ?? { Int64(time(nil)) }
  }

  /// The machine's own time.
  public static var system: TimeSource { TimeSource(ContinuousClock()) }
}
