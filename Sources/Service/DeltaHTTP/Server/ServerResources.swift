import Authentication
import CollectionService
import Logging
import VersionedCollections

/// The service and the resources of both listeners, whatever their requests come over.
struct ServerResources: Sendable {
  let service: DeltaService
  let faults: FaultLog
  let requestLog: RequestLog
  let shares: Shares
  let routes: PublicRoutes
  let webhook: WebhookSender?
  private let configuration: DeltaServerConfiguration

  init(
    _ configuration: DeltaServerConfiguration, _ store: any CollectionStore, _ faults: FaultLog
  ) {
    configuration.accessLog?.report(to: faults.report)
    self.configuration = configuration
    self.faults = faults
    let service = DeltaService(
      store: store, encoders: .wire, limits: configuration.serviceLimits,
      time: configuration.time, queues: configuration.queues, generator: configuration.generator,
      faults: faults.report, judge: configuration.judge)
    self.service = service
    webhook = configuration.webhook.map {
      WebhookSender(
        service, $0, attemptsMax: configuration.webhookAttemptsMax, time: configuration.time,
        faults: faults.report)
    }
    let requestLog = RequestLog(
      time: configuration.time, log: configuration.accessLog,
      hashesNames: configuration.logsHashedNames, crossOrigin: CrossOrigin(configuration),
      tracing: configuration.traces,
      variesByCookie: configuration.authenticator?.cookiesAuthorize ?? false, faults: faults.report,
      secondsStale: { service.secondsStale(within: $0) })
    self.requestLog = requestLog
    shares = Shares(configuration.shares, uptime: configuration.time.uptime)
    let gate = Gate(
      authenticator: configuration.authenticator, shares: shares,
      // Authentication makes this unnecessary, as pages have no credential.
      hosts: configuration.authenticator == nil ? ServedHosts(configuration.allowedHosts) : nil,
      crossOrigin: { requestLog.crossOrigin })
    routes = PublicRoutes(
      service: service, limits: configuration.serverLimits, requestLog: requestLog, gate: gate,
      workers: configuration.queues("livedelta.exchange", true),
      jitter: Jitter(configuration.generator()))
  }

  /// Applies the settings of another configuration that can change while the server runs.
  func reload(_ configuration: DeltaServerConfiguration) {
    service.limits = configuration.serviceLimits
    requestLog.crossOrigin = CrossOrigin(configuration)
    shares.limits = configuration.shares
  }

  /// What drains the service; `announceEnd` makes each connection close after its next response.
  func drainer(_ logger: Logger, announceEnd: @escaping @Sendable () -> Void) -> Drainer {
    Drainer(
      service, logger, configuration.time, delay: configuration.drainDelay,
      window: configuration.drainWindow, announceEnd: announceEnd)
  }

  /// The resources of the operations listener; `probe` checks whether all event loops respond.
  func operations(
    _ drainer: Drainer, connectionCount: @escaping @Sendable () -> Int,
    heldBytes: @escaping @Sendable () -> Int,
    probe: @escaping @Sendable (@escaping @Sendable (Bool) -> Void) -> Void
  ) -> OperationsRoutes {
    OperationsRoutes(
      service: service, drainer: drainer, requestLog: requestLog, faults: faults,
      viewChanges: routes.viewChanges, gate: routes.gate.ofOperations, workers: routes.workers,
      webhook: webhook,
      spans: configuration.traces?.exporter,
      addServer: { [configuration] metrics in
        metrics.add(
          version: configuration.version,
          suppressedMessageCount: configuration.suppressedMessageCount(),
          connectionCount: connectionCount())
        return heldBytes()
      }, probe: probe)
  }
}

extension CrossOrigin {
  fileprivate init(_ configuration: DeltaServerConfiguration) {
    self.init(
      configuration.crossOrigins, requestFields: configuration.crossOriginFields,
      allowsCredentials: configuration.allowsCredentials)
  }
}
