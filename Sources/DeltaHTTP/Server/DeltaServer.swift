import Authentication
public import CollectionService
import HTTP1
public import Logging
public import SocketServer
import Synchronization
import Telemetry
public import VersionedCollections

/// The complete service with its listeners.
///
/// ```swift
/// let server = DeltaServer(configuration: configuration, store: MemoryStore(), logger: logger)
/// let addresses = try server.start()
/// await server.shutdown()
/// ```
public final class DeltaServer: Sendable {
  /// The service behind the listeners.
  public let service: DeltaService
  private let configuration: DeltaServerConfiguration
  private let logger: Logger
  private let faults: FaultLog
  private let requestLog: RequestLog
  private let shares: Shares
  private let webhook: WebhookSender?
  private let drainer: Drainer
  private let publicServer: ConnectionServer
  private let operationsServer: ConnectionServer
  /// Refresh the keys periodically.
  private let refreshing = Mutex<[Task<Void, Never>]>([])

  /// Creates a server that is not listening yet.
  ///
  /// - Parameters:
  ///   - configuration: The addresses, limits and other settings.
  ///   - store: The durable store of versions.
  ///   - logger: Receives messages for operators.
  ///   - faults: Receives the faults of the service, and may be shared with the store; `nil` for a
  ///     new one with the same logger.
  public init(
    configuration: DeltaServerConfiguration, store: any CollectionStore, logger: Logger,
    faults: FaultLog? = nil
  ) {
    let faults = faults ?? configuration.faultLog(logger)
    self.faults = faults
    configuration.accessLog?.report(to: faults.report)
    self.configuration = configuration
    self.logger = logger
    let service = DeltaService(
      store: store, encoders: .wire, limits: configuration.serviceLimits,
      time: configuration.time, generator: configuration.generator, faults: faults.report,
      judge: configuration.judge)
    self.service = service
    let webhook = configuration.webhook.map {
      WebhookSender(
        service, $0, attemptsMax: configuration.webhookAttemptsMax, time: configuration.time,
        faults: faults.report)
    }
    self.webhook = webhook
    let requestLog = RequestLog(
      time: configuration.time, log: configuration.accessLog,
      namesAreHashed: configuration.logsHashedNames, crossOrigin: CrossOrigin(configuration),
      tracing: configuration.traces.map { RequestTracing($0, configuration.time) },
      variesByCookie: configuration.authenticator?.cookiesAuthorize ?? false,
      secondsStale: { service.secondsStale })
    self.requestLog = requestLog
    let accessControl = AccessControl(
      authenticator: configuration.authenticator,
      tickets: Tickets(secret: configuration.ticketSecret), date: configuration.time.date)
    // Authentication makes this unnecessary, as pages have no credential.
    let hosts = configuration.authenticator == nil ? ServedHosts(configuration.allowedHosts) : nil
    let shares = Shares(configuration.shares, uptime: configuration.time.uptime)
    self.shares = shares
    let routes = PublicRoutes(
      service: service, limits: WireLimits(server: configuration.serverLimits),
      requestLog: requestLog, accessControl: accessControl,
      shares: shares, hosts: hosts)
    let budget = BufferBudget(bytesMax: configuration.serverLimits.bufferedBytesMax)
    let loops = max(1, configuration.loops)
    let publicServer = ConnectionServer(
      .of(
        configuration, configuration.listeners.map { routes.listener(at: $0, loops: loops) }, loops,
        budget, logger, requestLog))
    let drainer = Drainer(configuration, service, publicServer, logger)
    self.drainer = drainer
    let operations = OperationsRoutes(
      service: service, limits: routes.limits, drainer: drainer, requestLog: requestLog,
      faults: faults, accessControl: accessControl, hosts: hosts, webhook: webhook,
      spans: configuration.traces?.exporter,
      serverStatistics: {
        ServerStatistics(
          version: configuration.version, connectionCount: publicServer.connectionCount,
          heldBytes: budget.heldBytes,
          suppressedMessageCount: configuration.suppressedMessageCount())
      },
      probe: { publicServer.probe(within: Self.lifeSign, completion: $0) })
    self.publicServer = publicServer
    var operationsConfiguration = configuration
    operationsConfiguration.serverLimits.request.bodyBytesMax = configuration.importBytesMax
    operationsConfiguration.serverLimits.connectionsMax = Self.operationsConnectionsMax
    operationsServer = ConnectionServer(
      .of(
        operationsConfiguration, configuration.operations.map(operations.listener), 1, budget,
        logger, requestLog))
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
  public func start() throws(ListenError) -> (public: [BoundAddress], operations: [BoundAddress]) {
    let operations = try operationsServer.start()
    do throws(ListenError) {
      let bound = try publicServer.start()
      refreshKeys()
      webhook?.start()
      configuration.traces?.exporter?.start { [faults] in faults.report(Fault(.traces, $0)) }
      return (public: bound, operations: operations)
    } catch {
      operationsServer.stopAccepting()
      throw error
    }
  }

  /// Applies the settings of another configuration that can change while the server runs: the
  /// origins of pages, what each principal may use, and the limits that ``DeltaService/limits`` does not say are fixed.
  public func reload(_ configuration: DeltaServerConfiguration) {
    service.limits = configuration.serviceLimits
    requestLog.crossOrigin = CrossOrigin(configuration)
    shares.limits = configuration.shares
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
  public func shutdown(isPatient: Bool = true) async {
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
    await webhook?.stop()
    await operationsServer.shutdown(within: .seconds(1))
    await configuration.traces?.exporter?.stop(within: Self.exportTime)
    for task in refreshing.withLock(\.self) { task.cancel() }
  }
}

extension CrossOrigin {
  fileprivate init(_ configuration: DeltaServerConfiguration) {
    self.init(configuration.crossOrigins, allowsCredentials: configuration.allowsCredentials)
  }
}

extension RequestLog {
  /// Records the decision on a head whose body has not been read: a refusal is logged like any
  /// request.
  func note(
    _ decision: BodyDecision, of head: HTTPRequest, from peer: PeerAddress, mayTrace: Bool = true
  ) -> BodyDecision {
    var response: HTTPResponse
    switch decision {
    case .read: return decision
    case .later(let decide):
      return .later { decided in
        decide { decided(self.note($0, of: head, from: peer, mayTrace: mayTrace)) }
      }
    case .refuse(let refusal): response = refusal
    }
    vary(&response)
    let record = begin(head, from: peer, mayTrace: mayTrace)
    mark(&response, record, head)
    note(record, RequestSubject(), head, response)
    return .refuse(response)
  }

  /// Creates and records the response to a request that the server itself refuses.
  fileprivate func refuse(_ problem: ServerProblem, from peer: PeerAddress) -> HTTPResponse {
    var response = Problem(problem).response
    let record = begin(nil, from: peer)
    mark(&response, record, nil)
    note(record, RequestSubject(), nil, response)
    return response
  }

  private func note(
    _ record: RequestRecord, _ subject: RequestSubject, _ request: HTTPRequest?,
    _ response: HTTPResponse
  ) {
    let answer = LoggedAnswer(response)
    noteResponse(record, subject, answer)
    end(record, subject, request, answer)
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
    server.notesTimes = configuration.traces != nil
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
