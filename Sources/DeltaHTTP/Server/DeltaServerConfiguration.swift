public import Authentication
import CollectionService
public import Logging
public import SocketServer
public import Telemetry
public import VersionedCollections

/// The settings of a `DeltaServer`.
public struct DeltaServerConfiguration: Sendable {
  /// The addresses for clients.
  public var listeners: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8080)]
  /// The addresses for operators: health, metrics and draining.
  public var operations: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8081)]
  /// The limits on connections and requests.
  public var serverLimits = ServerLimits()
  /// The limits on collections and clients.
  public var serviceLimits = ServiceLimits()
  /// The number of event loops of the public listeners.
  public var loops = 2
  /// How long to continue serving after a shutdown is requested, so that load balancers notice
  /// first.
  public var drainDelay: Duration = .seconds(5)
  /// The period over which waiting requests are then released.
  public var drainWindow: Duration = .seconds(15)
  /// How long pending responses may take after that.
  public var drainGrace: Duration = .seconds(5)
  /// The version of the program, for the metrics.
  public var version = ""
  /// Receives an entry for each request; `nil` for no access log.
  public var accessLog: AccessLog?
  /// Whether names of clients and collections are hashed in the log.
  public var logsHashedNames = true
  /// The most lines per second that are logged for one kind of fault.
  public var faultLinesPerSecondMax = 10
  /// Returns the number of messages that the logger has suppressed.
  public var suppressedMessageCount: @Sendable () -> Int = { 0 }
  /// Origins whose pages may use the service from a browser: `https://app.example`, or `*` for all.
  public var crossOrigins: [String] = []
  /// Whether those pages may send cookies; not with the origin `*`.
  public var allowsCredentials = false
  /// Authenticates requests; `nil` allows everything to everyone, which is safe only on loopback
  /// and Unix sockets.
  public var authenticator: Authenticator?
  /// How a backend is asked about callers.
  public var forwardLimits = ForwardLimits()
  /// The secret that tickets are sealed with, at least 32 random bytes, the same for all services that redeem
  /// each other's tickets; `nil` for a random one, with which tickets and the streams they opened end
  /// with the process.
  public var ticketSecret: [UInt8]?
  /// Where changes are pushed to; `nil` for nowhere.
  public var webhook: WebhookConfiguration?
  /// The most attempts of a delivery to the webhook.
  public var webhookAttemptsMax = 20
  /// What requests are traced with; `nil` to not trace any.
  public var traces: TraceConfiguration?
  /// How many spans an exporter made by these settings keeps, and how often it exports.
  public var traceLimits = SpanExportLimits()
  /// What each principal may use.
  public var shares = ShareLimits()
  /// Accepted host names besides IP addresses, `localhost` and the machine's own names.
  ///
  /// `*` accepts all. Unix sockets accept any.
  public var allowedHosts: [String] = []
  /// The clock for waits and dates.
  public var time = TimeSource.system
  /// The clock for the server's time-outs and `Date`.
  public var serverClock = ServerClock.system
  /// Creates the random source for lineages and jitter; called once for each of the service's
  /// queues.
  public var generator: @Sendable () -> any RandomNumberGenerator = {
    SystemRandomNumberGenerator()
  }

  /// Checks each delta before readers get it: the strict simulator, except in tests of refused
  /// deltas.
  package var judge: DeltaJudge = { $0.violation(from: $1, to: $2) }

  /// Creates the default configuration, which listens on loopback only.
  public init() {}

  /// Creates the configured fault log, to be shared by a store and the server.
  public func faultLog(_ logger: Logger) -> FaultLog {
    FaultLog(
      logger: logger, namesAreHashed: logsHashedNames, linesPerSecondMax: faultLinesPerSecondMax,
      time: time)
  }
}
