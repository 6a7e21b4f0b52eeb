import Authentication
package import CollectionService
import HTTP1
package import Logging
package import SocketServer
import Synchronization
import Telemetry
package import VersionedCollections

/// The complete service with its listeners.
///
/// ```swift
/// let server = DeltaServer(configuration: configuration, store: MemoryStore(), logger: logger)
/// let addresses = try server.start()
/// await server.shutdown()
/// ```
package final class DeltaServer: Sendable {
  /// The service behind the listeners.
  package let service: DeltaService
  private let configuration: DeltaServerConfiguration
  private let logger: Logger
  private let resources: ServerResources
  private let drainer: Drainer
  private let publicServer: ConnectionServer
  private let operationsServer: ConnectionServer
  /// Refresh the keys periodically.
  private let refreshing = Mutex<[Task<Void, Never>]>([])

  /// Creates a server that is not listening yet; `faults` may be shared with the store.
  package init(
    configuration: DeltaServerConfiguration, store: any CollectionStore, logger: Logger,
    faults: FaultLog? = nil
  ) {
    self.configuration = configuration
    self.logger = logger
    let resources = ServerResources(
      configuration, store, faults ?? configuration.faultLog(logger))
    self.resources = resources
    service = resources.service
    let budget = BufferBudget(bytesMax: configuration.serverLimits.bufferedBytesMax)
    let loops = max(1, configuration.loops)
    var server = ServerConfiguration.of(
      configuration,
      configuration.listeners.map { resources.routes.listener(at: $0, loops: loops) }, loops,
      budget, logger, resources.requestLog)
    server.isBusy = { [service] in service.isCrowded }
    let publicServer = ConnectionServer(server)
    self.publicServer = publicServer
    drainer = resources.drainer(logger, announceEnd: publicServer.announceEnd)
    let operations = resources.operations(
      drainer, connectionCount: { publicServer.connectionCount }, heldBytes: { budget.heldBytes },
      probe: { publicServer.probe(within: Self.lifeSign, completion: $0) })
    var operationsConfiguration = configuration
    operationsConfiguration.serverLimits.request.bodyBytesMax = configuration.importBytesMax
    operationsConfiguration.serverLimits.connectionsMax = Self.operationsConnectionsMax
    operationsServer = ConnectionServer(
      .of(
        operationsConfiguration, configuration.operations.map(operations.listener), 1, budget,
        logger, resources.requestLog))
  }

  /// The most connections of the operations listener: enough for a few monitors, without using up
  /// the descriptors of others.
  private static let operationsConnectionsMax = 128
  /// How long an event loop may take to respond to a liveness check.
  private static let lifeSign: Duration = .seconds(2)
  /// How long the last spans may take to be exported.
  private static let exportTime: Duration = .seconds(2)
  /// How often to check for expired and revoked credentials.
  private static let refreshInterval: Duration = .milliseconds(500)

  /// Starts listening and serving; call it once.
  ///
  /// - Returns: The bound addresses, with the actual port in place of port 0.
  /// - Throws: `ListenError` for the first address that cannot be bound; nothing is served then.
  package func start() throws(ListenError) -> (public: [BoundAddress], operations: [BoundAddress]) {
    let operations = try operationsServer.start()
    do throws(ListenError) {
      let bound = try publicServer.start()
      refreshKeys()
      resources.webhook?.start()
      configuration.traces?.exporter.start { [faults = resources.faults] in
        faults.report(Fault(.traces, $0))
      }
      return (public: bound, operations: operations)
    } catch {
      operationsServer.stopAccepting()
      throw error
    }
  }

  /// Applies the settings of another configuration that can change while the server runs: the
  /// origins of pages, what each principal may use, and the limits that ``DeltaService/limits`` does not say are fixed.
  package func reload(_ configuration: DeltaServerConfiguration) {
    resources.reload(configuration)
  }

  private func refreshKeys() {
    guard let authenticator = configuration.authenticator else { return }
    let time = configuration.time
    let task = Task {
      while !Task.isCancelled {
        await time.sleep(time.uptime() + Self.refreshInterval)
        authenticator.refresh()
      }
    }
    // A source that is slow to answer holds up nothing else.
    let fetching = Task {
      while !Task.isCancelled {
        await authenticator.refreshTokenKeys()
        await time.sleep(time.uptime() + Self.refreshInterval)
      }
    }
    refreshing.withLock { $0 = [task, fetching] }
  }

  /// Shuts down in order: becomes not ready, stops accepting connections, releases waiting
  /// requests, and completes pending responses.
  ///
  /// A second call, or one after `POST /drain`, performs the remaining steps without delay.
  ///
  /// - Parameter isPatient: Whether to observe the delays of the configuration; if not, only
  ///   pending responses are waited for.
  package func shutdown(isPatient: Bool = true) async {
    let isFirst = drainer.begin()
    let isPatient = isPatient && isFirst
    if isPatient {
      let time = configuration.time
      await time.sleep(time.uptime() + configuration.drainDelay)
    }
    await finish(window: isPatient ? configuration.drainWindow : .zero)
    configuration.accessLog?.flush()
    logger.info("stopped")
  }

  private func finish(window: Duration) async {
    publicServer.stopAccepting()
    service.releaseWaiters(over: window)
    await publicServer.shutdown(within: window + configuration.drainGrace)
    await resources.webhook?.stop()
    await operationsServer.shutdown(within: .seconds(1))
    await configuration.traces?.exporter.stop(within: Self.exportTime)
    for task in refreshing.withLock(\.self) { task.cancel() }
  }
}

extension ServerConfiguration {
  /// Creates the common configuration of both servers.
  fileprivate static func of(
    _ configuration: DeltaServerConfiguration, _ listeners: [Listener], _ loops: Int,
    _ budget: BufferBudget, _ logger: Logger, _ requestLog: RequestLog
  ) -> ServerConfiguration {
    var server = ServerConfiguration(listeners: listeners)
    server.limits = configuration.serverLimits
    server.loops = loops
    server.budget = budget
    server.clock = configuration.serverClock
    server.renderProblem = { requestLog.refuse($0, from: $1) }
    server.onEvent = { logger.log($0) }
    return server
  }
}

extension Logger {
  fileprivate func log(_ event: ServerEvent) {
    switch event {
    case .refused(let problem, _):
      debug("refused", metadata: ["status": "\(problem.status)", "code": "\(problem.code)"])
    case .acceptPaused(let number):
      warning("accepting paused", metadata: ["errno": "\(number)"])
    case .acceptResumed: notice("accepting again")
    case .overloaded: warning("too many connections")
    }
  }
}

extension DeltaServerConfiguration {
  /// The largest body of an import in bytes: any collection fits, with what JSON adds to its contents.
  fileprivate var importBytesMax: Int { serviceLimits.collectionBytesMax / 4 * 5 + (1 << 20) }
}
