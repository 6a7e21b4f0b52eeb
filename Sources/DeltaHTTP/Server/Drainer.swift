import CollectionService
import Logging
import SocketServer
import Synchronization
import VersionedCollections

/// Drains the server once, on a signal or a request to the operations listener.
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

  /// Marks the server as not ready, and closes each connection after its next response.
  ///
  /// - Returns: `false` if draining had already begun.
  func begin() -> Bool {
    guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return false }
    logger.info("draining")
    server.announceEnd()
    return true
  }

  /// Drains without stopping: waiting requests are released after the delay, and other requests are
  /// still served.
  func drain() {
    guard begin() else { return }
    Task { [configuration, service] in
      let time = configuration.time
      await time.sleep(time.uptime() + configuration.drainDelay)
      service.releaseWaiters(over: configuration.drainWindow)
    }
  }
}
