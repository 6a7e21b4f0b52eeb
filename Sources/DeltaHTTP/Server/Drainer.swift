import CollectionService
import Logging
import SocketServer
import Synchronization

/// Drains the server once, for a signal or a request on the operations listener.
final class Drainer: Sendable {
  private let configuration: DeltaServerConfiguration
  private let service: DeltaService
  private let server: ConnectionServer
  private let logger: Logger
  private let hasBegun = Atomic<Bool>(false)

  init(
    _ configuration: DeltaServerConfiguration, _ service: DeltaService,
    _ server: ConnectionServer, _ logger: Logger
  ) {
    self.configuration = configuration
    self.service = service
    self.server = server
    self.logger = logger
  }

  /// Whether draining has begun.
  var isDraining: Bool { hasBegun.load(ordering: .acquiring) }

  /// Makes the server not ready, and ends each connection with its next response.
  ///
  /// - Returns: false when that had been done before.
  func begin() -> Bool {
    guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    logger.info("draining")
    server.announceEnd()
    return true
  }

  /// Drains without stopping: after the delay waiting requests are released, all others are served
  /// on.
  func drain() {
    guard begin() else { return }
    Task { [configuration, service] in
      let time = configuration.time
      await time.sleep(time.uptime() + configuration.drainDelay)
      service.releaseWaiters(over: configuration.drainWindow)
    }
  }
}
