import CollectionService
import DeltaHTTP
import HTTP1
import LiveCollectionsClient
import Logging
import SocketServer

/// A service of this process's own, in memory, on a free port of the loopback interface.
///
/// Its limits are higher than those of a public one, since the input is the user's own.
struct LocalServer {
  /// Where it listens.
  let address: ServerAddress
  private let server: DeltaServer

  /// Starts it.
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

  /// Ends it, with the answers in flight.
  func stop() async { await server.shutdown(isPatient: false) }
}
