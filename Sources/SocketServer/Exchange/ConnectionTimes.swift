import CEpoll
import Glibc

/// When the parts of a connection's requests came; kept only if requests may be traced.
///
/// It is used only on its connection's event loop. Times are the system's monotonic nanoseconds, read as
/// cheaply as can be: they are read for every request, and few are traced.
final class ConnectionTimes {
  let accepted: UInt64
  /// When bytes were received last.
  var received: UInt64
  /// When the first bytes of the latest request were received.
  var begun: UInt64

  init(accepted: UInt64) { (self.accepted, received, begun) = (accepted, accepted, accepted) }

  static var now: UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
