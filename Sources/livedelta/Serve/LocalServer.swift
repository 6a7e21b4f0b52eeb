import DeltaHTTP
import HTTP1
import LiveDeltaClient
import Logging
import SocketServer
import VersionedCollections

/// A service in this process, in memory, on a free loopback port.
///
/// Its limits are higher than a public service's, because its input comes from the user.
struct LocalServer {
  /// The address it listens on.
  let address: ServerAddress
  private let server: DeltaServer

  /// Starts the service.
  init() throws {
    var configuration = DeltaServerConfiguration()
    configuration.listeners = [.tcp(host: "127.0.0.1", port: 0)]
    configuration.operations = [.tcp(host: "127.0.0.1", port: 0)]
    configuration.serverLimits.request.bodyBytesMax = 1 << 30
    configuration.serverLimits.bufferedBytesMax = 4 << 30
    configuration.serviceLimits.itemsMax = 10_000_000
    configuration.serviceLimits.sectionsMax = 1_000_000
    configuration.serviceLimits.memoryBytesMax = .max
    var logger = Logger(label: "livedelta") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .error
    server = DeltaServer(configuration: configuration, store: MemoryStore(), logger: logger)
    do {
      let bound = try server.start()
      address = try ServerAddress(bound.public.first?.description ?? "")
    } catch {
      throw Failure(.unreachable, "\(error)")
    }
  }

  /// Stops the service after pending responses.
  func stop() async { await server.shutdown(isPatient: false) }
}
