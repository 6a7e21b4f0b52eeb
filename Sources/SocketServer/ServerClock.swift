import CEpoll
import Glibc

/// Where a server takes the time from.
public struct ServerClock: Sendable {
  /// Milliseconds since some fixed moment; never goes back.
  let milliseconds: @Sendable () -> UInt64
  /// Seconds since 1970, for `Date`.
  let secondsSince1970: @Sendable () -> Int
  /// Registers what is to be called whenever the time was changed by hand; nil for a clock that
  /// runs by itself.
  let onAdvance: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

  /// Makes a clock, of which every event loop asks the time.
  ///
  /// - Parameters:
  ///   - milliseconds: Milliseconds since some fixed moment; must never go back.
  ///   - secondsSince1970: The time for `Date`.
  ///   - onAdvance: Takes what is to be called whenever the time was changed by hand, so that
  ///     time-outs are tested without waiting; nil for a clock that runs by itself.
  public init(
    milliseconds: @escaping @Sendable () -> UInt64,
    secondsSince1970: @escaping @Sendable () -> Int,
    onAdvance: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
  ) {
    self.milliseconds = milliseconds
    self.secondsSince1970 = secondsSince1970
    self.onAdvance = onAdvance
  }

  /// The clocks of the system.
  public static let system = ServerClock(
    milliseconds: { systemMilliseconds(CLOCK_MONOTONIC) },
    secondsSince1970: { Int(systemMilliseconds(CLOCK_REALTIME) / 1000) })
}

private func systemMilliseconds(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  unsafe clock_gettime(clock, &time)
  return UInt64(time.tv_sec) &* 1000 &+ UInt64(time.tv_nsec / 1_000_000)
}

extension Duration {
  /// Whole milliseconds; a negative duration is none.
  var milliseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(seconds) &* 1000 &+ UInt64(attoseconds / 1_000_000_000_000_000)
  }
}
