import CollectionService
import DeltaHTTP
import Glibc
import HTTP1
import LiveDeltaClient
import SocketServer
import VersionedCollections

struct RunningService: Sendable {
  let server: DeltaServer
  let configuration: DeltaServerConfiguration
  let log: MessageLog
  /// Where it listens.
  let bound: (public: [BoundAddress], operations: [BoundAddress])
  private let close: @Sendable () -> Void

  /// Reads and checks all that the settings name, but the store; throws `Failure` or `InputError`.
  static func configuration(
    _ settings: Settings, _ log: MessageLog
  ) async throws -> DeltaServerConfiguration {
    var configuration = try settings.configuration()
    _ = try DataStore.options(settings, configuration)
    let outgoing = Outgoing(caFile: try settings.trustedFile(), logger: log.logger)
    configuration.traces = try settings.traces.configuration(for: configuration, outgoing)
    configuration.authenticator = try await KeySettings.authenticator(
      settings, configuration, outgoing, log.logger)
    configuration.webhook = try settings.webhook.configuration(
      data: settings.data, configuration.traces, outgoing)
    configuration.suppressedMessageCount = { log.suppressedCount }
    return configuration
  }

  /// Starts a service; throws `Failure` or `InputError`.
  init(_ settings: Settings) async throws {
    log = try MessageLog(settings.log)
    var configuration = try await Self.configuration(settings, log)
    configuration.fit(descriptors: DescriptorLimit.raise(), log.logger)
    let faults = configuration.faultLog(log.logger)
    // Makes a file that exceeds the size limit an ordinary error instead of ending the process.
    signal(SIGXFSZ, SIG_IGN)
    let (store, close) = try DataStore.open(
      settings.data, settings, configuration, faults.report)
    server = DeltaServer(
      configuration: configuration, store: store, logger: log.logger, faults: faults)
    do {
      bound = try server.start()
    } catch {
      close()
      throw Failure(.unreachable, "\(error)")
    }
    (self.configuration, self.close) = (configuration, close)
  }

  /// Starts a service for the time of a command; by default it keeps all in memory, and listens on a free port.
  ///
  /// Its limits are higher than a public service's, because its input comes from the user.
  static func temporary(
    at address: String = "127.0.0.1:0", data: String = ":memory:"
  ) async throws -> RunningService {
    var settings = Settings()
    settings.listen = [address]
    settings.ops = "127.0.0.1:0"
    settings.data = data
    settings.log.access = "off"
    settings.log.level = "error"
    settings.service.serverLimits.request.bodyBytesMax = 1 << 30
    settings.service.serverLimits.bufferedBytesMax = 4 << 30
    settings.service.serviceLimits.itemsMax = 10_000_000
    settings.service.serviceLimits.sectionsMax = 1_000_000
    settings.service.serviceLimits.memoryBytesMax = .max
    return try await RunningService(settings)
  }

  /// The address of the first listener; throws `ClientError` if there is none.
  var address: ServerAddress {
    get throws { try ServerAddress(bound.public.first?.description ?? "") }
  }

  /// Stops the service after pending responses, and closes the store.
  ///
  /// - Parameter isPatient: Whether it goes on serving for as long as the settings say.
  func stop(isPatient: Bool = false) async {
    await server.shutdown(isPatient: isPatient)
    close()
  }
}
