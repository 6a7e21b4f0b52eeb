import CollectionService
import Logging
import Synchronization
import VersionedCollections

/// Drains the server once, on a signal or a request to the operations listener.
final class Drainer: Sendable {
  private let time: TimeSource
  private let delay: Duration
  private let window: Duration
  private let service: DeltaService
  private let announceEnd: @Sendable () -> Void
  private let logger: Logger
  private let hasBegun = Atomic<Bool>(false)

  /// Creates a drainer that releases waiting requests over a window after a delay.
  ///
  /// `announceEnd` makes each connection close after its next response.
  init(
    _ service: DeltaService, _ logger: Logger, _ time: TimeSource, delay: Duration,
    window: Duration, announceEnd: @escaping @Sendable () -> Void
  ) {
    (self.service, self.logger, self.time) = (service, logger, time)
    (self.delay, self.window, self.announceEnd) = (delay, window, announceEnd)
  }

  var isDraining: Bool { hasBegun.load(ordering: .acquiring) }

  /// Marks the server as not ready, and closes each connection after its next response.
  ///
  /// - Returns: `false` if draining had already begun.
  func begin() -> Bool {
    guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    logger.info("draining")
    announceEnd()
    return true
  }

  /// Drains without stopping: waiting requests are released after the delay, and other requests are
  /// still served.
  func drain() {
    guard begin() else { return }
    Task { [service, time, delay, window] in
      await time.sleep(time.uptime() + delay)
      service.releaseWaiters(over: window)
    }
  }
}
