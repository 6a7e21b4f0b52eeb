package import Authentication
package import CollectionService
package import Logging
package import SocketServer
package import VersionedCollections

package struct DeltaServerConfiguration: Sendable {
  package var listeners: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8080)]
  /// The addresses for operators: health, metrics and draining.
  package var operations: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8081)]
  package var serverLimits = ServerLimits()
  package var serviceLimits = ServiceLimits()
  package var loops = 2
  /// How long to continue serving after a shutdown is requested, so that load balancers notice
  /// first.
  package var drainDelay: Duration = .seconds(5)
  /// The period over which waiting requests are then released.
  package var drainWindow: Duration = .seconds(15)
  /// How long pending responses may take after that.
  package var drainGrace: Duration = .seconds(5)
  /// The version of the program, for the metrics.
  package var version = ""
  /// Receives an entry for each request; `nil` for no access log.
  package var accessLog: AccessLog?
  /// Whether names of clients and collections are hashed in the log.
  package var logsHashedNames = true
  /// The most lines per second that are logged for one kind of fault.
  package var faultLinesPerSecondMax = 10
  /// Returns the number of messages that the logger has suppressed.
  package var suppressedMessageCount: @Sendable () -> Int = { 0 }
  /// Origins whose pages may use the service from a browser: `https://app.example`, or `*` for all.
  package var crossOrigins: [String] = []
  /// The request fields that those pages may send besides those of the protocol.
  package var crossOriginFields: [String] = []
  /// Whether those pages may send cookies; not with the origin `*`.
  package var allowsCredentials = false
  /// Authenticates requests; `nil` allows everything to everyone, which is safe only on loopback
  /// and Unix sockets.
  package var authenticator: Authenticator?
  /// The questions about callers that a backend is asked at a time.
  package var forwardConnectionsMax = 32
  /// Where changes are pushed to; `nil` for nowhere.
  package var webhook: WebhookConfiguration?
  /// The most attempts of a delivery to the webhook.
  package var webhookAttemptsMax = 20
  /// What requests are traced with; `nil` to not trace any.
  package var traces: Tracing?
  package var shares = ShareLimits()
  /// Accepted host names besides IP addresses, `localhost` and the machine's own names.
  ///
  /// `*` accepts all. Unix sockets accept any.
  package var allowedHosts: [String] = []
  /// The clock for waits and dates.
  package var time = TimeSource.system
  /// The clock for the server's time-outs and `Date`.
  package var serverClock = ServerClock.system
  /// Creates the queues of the service and its routes.
  package var queues: WorkQueue.Maker = WorkQueue.system
  /// Creates the random source for lineages and jitter; called once for each of the service's
  /// queues, and once for the routes.
  package var generator: @Sendable () -> any RandomNumberGenerator = {
    SystemRandomNumberGenerator()
  }

  /// Checks each delta before readers get it: the strict simulator, except in tests of refused
  /// deltas.
  package var judge: DeltaJudge = { $0.violation(from: $1, to: $2) }

  /// Creates the default configuration, which listens on loopback only.
  package init() {}

  /// Creates the configured fault log, to be shared by a store and the server.
  package func faultLog(_ logger: Logger) -> FaultLog {
    FaultLog(
      logger: logger, namesAreHashed: logsHashedNames, linesPerSecondMax: faultLinesPerSecondMax,
      time: time)
  }
}
