public import Authentication
public import CollectionService
public import Logging
public import SocketServer

/// The settings of a `DeltaServer`.
public struct DeltaServerConfiguration: Sendable {
  /// Where clients connect.
  public var listeners: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8080)]
  /// Where operators connect: health, metrics and draining.
  public var operations: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 8081)]
  /// The limits of connections and requests.
  public var serverLimits = ServerLimits()
  /// The limits of collections and clients.
  public var serviceLimits = ServiceLimits()
  /// Event loops of the public listeners.
  public var loops = 2
  /// How long the server goes on as before when it is to stop, so that balancers see it first.
  public var drainDelay: Duration = .seconds(5)
  /// Over how long those who wait are released then.
  public var drainWindow: Duration = .seconds(15)
  /// How long answers in flight may take after that.
  public var drainGrace: Duration = .seconds(5)
  /// Gets a line for each request; nil for none.
  public var accessLog: AccessLog?
  /// Whether clients and collections appear in the log as hashes rather than by name.
  public var logsHashedNames = true
  /// The most lines a second that the log gets of one kind of fault.
  public var faultLinesPerSecondMax = 10
  /// Origins whose pages may use the service from a browser: `https://app.example`, or `*` for all.
  public var crossOrigins: [String] = []
  /// Knows who may do what; nil lets everybody do everything, as only loopback and Unix sockets should.
  public var authenticator: Authenticator?
  /// Names by which the service is asked beside addresses, `localhost` and the machine's own names.
  ///
  /// `*` stands for all. Unix sockets are asked by any.
  public var allowedHosts: [String] = []
  /// Where waits and dates come from.
  public var time = TimeSource.system
  /// Where the server's time-outs and `Date` come from.
  public var serverClock = ServerClock.system
  /// Makes the source of lineages and jitter, one for each of the service's queues.
  public var generator: @Sendable () -> any RandomNumberGenerator = {
    SystemRandomNumberGenerator()
  }

  /// Sees each delta before readers do: the strict simulator, but in tests of what follows when it
  /// refuses one.
  package var judge: DeltaJudge = { $0.violation(from: $1, to: $2) }

  /// The defaults, all on the loopback interface.
  public init() {}

  /// A log of faults as this configuration has it, for a store to share with the server.
  public func faultLog(_ logger: Logger) -> FaultLog {
    FaultLog(
      logger: logger, namesAreHashed: logsHashedNames, linesPerSecondMax: faultLinesPerSecondMax,
      time: time)
  }
}
