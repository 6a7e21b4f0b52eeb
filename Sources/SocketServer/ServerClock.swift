import CEpoll
import Glibc
import Synchronization

/// Where a server takes the time from.
public struct ServerClock: Sendable {
  /// Milliseconds since some fixed moment; never goes back.
  let milliseconds: @Sendable () -> UInt64
  /// Seconds since 1970, for `Date`.
  let secondsSince1970: @Sendable () -> Int
  /// Registers what is to be called whenever the time was changed by hand; nil for a clock that
  /// runs by itself.
  let onAdvance: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

  /// The clocks of the system.
  public static let system = ServerClock(
    milliseconds: { systemMilliseconds(CLOCK_MONOTONIC) },
    secondsSince1970: { Int(systemMilliseconds(CLOCK_REALTIME) / 1000) },
    onAdvance: nil)
}

private func systemMilliseconds(_ clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) &* 1000 &+ UInt64(time.tv_nsec / 1_000_000)
}

/// A clock that stands still until it is advanced, so that time-outs are tested without waiting.
public final class ManualClock: Sendable {
  private let elapsed = Atomic<UInt64>(0)
  private let observers = Mutex<[@Sendable () -> Void]>([])
  private let start: Int

  /// Makes a clock that shows a time in seconds since 1970.
  public init(secondsSince1970: Int = 784_111_777) { start = secondsSince1970 }

  /// Moves the time on, and lets every event loop look at its deadlines.
  public func advance(by duration: Duration) {
    elapsed.wrappingAdd(duration.milliseconds, ordering: .sequentiallyConsistent)
    for observer in observers.withLock({ $0 }) { observer() }
  }

  /// What a server's configuration takes.
  public var clock: ServerClock {
    ServerClock(
      milliseconds: { self.elapsed.load(ordering: .sequentiallyConsistent) },
      secondsSince1970: {
        self.start + Int(self.elapsed.load(ordering: .sequentiallyConsistent) / 1000)
      },
      onAdvance: { observer in self.observers.withLock { $0.append(observer) } })
  }
}

extension Duration {
  /// Whole milliseconds; a negative duration is none.
  var milliseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt64(seconds) &* 1000 &+ UInt64(attoseconds / 1_000_000_000_000_000)
  }
}
