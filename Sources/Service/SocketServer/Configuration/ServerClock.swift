import CEpoll
import Glibc

/// The clocks that a server uses.
public struct ServerClock: Sendable {
  /// Monotonic milliseconds since an arbitrary time.
  let milliseconds: @Sendable () -> UInt64
  /// Seconds since 1970, for the `Date` field.
  let secondsSince1970: @Sendable () -> Int
  /// Registers an action to call whenever a manual clock is advanced; `nil` for a clock that runs
  /// by itself.
  let onAdvance: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

  /// Creates a clock, which every event loop reads.
  ///
  /// - Parameters:
  ///   - milliseconds: Monotonic milliseconds since an arbitrary time.
  ///   - secondsSince1970: The time for the `Date` field.
  ///   - onAdvance: Registers an action to call whenever the clock is advanced manually, so that
  ///     timeouts can be tested without waiting; `nil` for a clock that runs by itself.
  public init(
    milliseconds: @escaping @Sendable () -> UInt64,
    secondsSince1970: @escaping @Sendable () -> Int,
    onAdvance: (@Sendable (@escaping @Sendable () -> Void) -> Void)? = nil
  ) {
    self.milliseconds = milliseconds
    self.secondsSince1970 = secondsSince1970
    self.onAdvance = onAdvance
  }

  /// The system's clocks.
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
  /// Whole milliseconds; 0 for a negative duration.
  var milliseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(seconds) &* 1000 &+ UInt64(attoseconds / 1_000_000_000_000_000)
  }
}
