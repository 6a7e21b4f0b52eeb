public import CollectionService
import HTTP1
public import Logging
public import SocketServer

/// The whole service on its listeners: what a program starts, and stops.
///
/// ```swift
/// let server = DeltaServer(configuration: configuration, store: MemoryStore(), logger: logger)
/// let addresses = try server.start()
/// await server.shutdown()
/// ```
public final class DeltaServer: Sendable {
  /// The collections behind it.
  public let service: DeltaService
  private let configuration: DeltaServerConfiguration
  private let logger: Logger
  private let lifecycle = Lifecycle()
  private let publicServer: ConnectionServer
  private let operationsServer: ConnectionServer

  /// A server that does not listen yet.
  ///
  /// - Parameters:
  ///   - configuration: Where to listen, and how much to allow.
  ///   - store: Where versions become durable.
  ///   - logger: Gets what those who run the service should know.
  public init(
    configuration: DeltaServerConfiguration, store: any CollectionStore, logger: Logger
  ) {
    self.configuration = configuration
    self.logger = logger
    let service = DeltaService(
      store: store, encoders: .wire, limits: configuration.serviceLimits,
      time: configuration.time, generator: configuration.generator,
      judge: configuration.judge)
    self.service = service
    let routes = PublicRoutes(
      service: service, limits: WireLimits(server: configuration.serverLimits))
    let operations = OperationsRoutes(service: service, lifecycle: lifecycle)
    publicServer = ConnectionServer(
      .of(configuration, configuration.listeners, loops: configuration.loops, logger) { address in
        Listener(address: address, headCheck: { routes.check($0) }) { request, responder in
          routes.handle(Exchange(request, responder))
        }
      })
    operationsServer = ConnectionServer(
      .of(configuration, configuration.operations, loops: 1, logger) { address in
        Listener(address: address) { request, responder in
          operations.handle(Exchange(request, responder))
        }
      })
  }

  /// Listens and serves; call it once.
  ///
  /// - Returns: Where it listens; a port 0 has become the one that was taken.
  /// - Throws: `ListenError` for the first address that is not to be had; nothing is served then.
  public func start() throws(ListenError) -> (public: [BoundAddress], operations: [BoundAddress]) {
    let operations = try operationsServer.start()
    do throws(ListenError) {
      return (public: try publicServer.start(), operations: operations)
    } catch {
      operationsServer.stopAccepting()
      throw error
    }
  }

  /// Stops in order: not ready at once, then no new connections, then those who wait are let go,
  /// then answers in flight are finished.
  ///
  /// - Parameter isPatient: Whether to keep to the times of the configuration; if not, all of it
  ///   happens at once and only answers in flight are waited for.
  public func shutdown(isPatient: Bool = true) async {
    guard lifecycle.beginDraining() else { return await finish(window: .zero) }
    logger.info("draining")
    if isPatient {
      let time = configuration.time
      await time.sleep(time.uptime() + configuration.drainDelay)
    }
    await finish(window: isPatient ? configuration.drainWindow : .zero)
    logger.info("stopped")
  }

  private func finish(window: Duration) async {
    publicServer.stopAccepting()
    service.releaseWaiters(over: window)
    await publicServer.shutdown(within: window + configuration.drainGrace)
    await operationsServer.shutdown(within: .seconds(1))
  }
}

extension Exchange {
  init(_ request: HTTPRequest, _ responder: Responder) {
    self.init(
      request: request, codings: AcceptedCodings(request), send: { responder.send($0) },
      onClose: { responder.onClose($0) },
      openStream: { responder.stream($0) })
  }
}

extension ServerConfiguration {
  /// What both servers have in common.
  fileprivate static func of(
    _ configuration: DeltaServerConfiguration, _ addresses: [ListenAddress], loops: Int,
    _ logger: Logger, listener: (ListenAddress) -> Listener
  ) -> ServerConfiguration {
    var server = ServerConfiguration(listeners: addresses.map(listener))
    server.limits = configuration.serverLimits
    server.loops = loops
    server.clock = configuration.serverClock
    server.renderProblem = { Problem($0).response }
    server.onEvent = { logger.log($0) }
    return server
  }
}

extension Problem {
  /// What the server itself refuses, in the form of all problems.
  init(_ problem: SocketServer.Problem) {
    self.init(
      problem.status, Self.code(of: problem), problem.detail, limit: problem.limit)
    if let seconds = problem.retryAfter { fields = [("Retry-After", String(seconds))] }
  }
}

extension Problem {
  /// The protocol's own codes are few: what is wrong with a request as HTTP is `bad-parameter`, and
  /// the status says which way.
  private static func code(of problem: SocketServer.Problem) -> String {
    switch problem.code {
    case "overloaded", "body-too-large", "unsupported-media-type", "internal": problem.code
    case "coding-not-implemented": "unsupported-media-type"
    default: "bad-parameter"
    }
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
