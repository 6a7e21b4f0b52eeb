import Authentication
import Logging
import SocketServer
import TestSupport

@testable import CollectionService
@testable import DeltaHTTP
@testable import VersionedCollections

/// One run of a replica: the service and its routes, on a clock and queues of its own.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class Replica: @unchecked Sendable {
  let number: Int
  let host: Host
  let service: DeltaService
  /// The number of requests that have come and are not over.
  private(set) var openCount = 0
  /// The most that were open at one time at this moment, and the moment.
  private var peak = (count: 0, time: Microseconds(0))
  /// When a connection was cut last.
  var lastCut: Microseconds = -1
  private let listener: Listener
  private let authenticator: Authenticator
  private let store: ReplicaStore
  private let limits: ServiceLimits
  private var connectionCount = 0

  init(
    _ number: Int, _ host: Host, _ store: ReplicaStore, _ limits: ServiceLimits, _ keys: ReaderKeys
  ) {
    (self.number, self.host, self.store, self.limits) = (number, host, store, limits)
    authenticator = keys.authenticator { host.date }
    var configuration = DeltaServerConfiguration()
    configuration.serviceLimits = limits
    configuration.authenticator = authenticator
    configuration.time = host.time
    configuration.queues = { label, _ in host.queue(label) }
    configuration.generator = { host.newGenerator() }
    let logger = Logger(label: "") { _ in FaultWatch(world: host.world, number: number) }
    let resources = ServerResources(configuration, store, configuration.faultLog(logger))
    service = resources.service
    var routes = resources.routes
    routes.streamLifetimes = Users.streamLifetimes
    listener = routes.listener(at: .tcp(host: "", port: 0), loops: 1)
    store.replica = self
    host.afterWork = { [unowned self] in for machine in machines { machine.checkInvariants() } }
    scheduleRound()
  }

  private var world: World { host.world }

  /// The most requests that were open at one time at this moment: what is told may have been decided before others ended.
  var openPeak: Int { peak.time == world.now ? peak.count : openCount }

  /// Counts a request that has come, or is over.
  func noteOpen(_ change: Int) {
    peak = (max(openPeak, openCount + change), world.now)
    openCount += change
  }

  var isAlive: Bool { host.isAlive }

  var machines: [ShardMachine] { service.shards.map(\.machine) }

  /// Answers a request; few connections take turns.
  func serve(_ request: Request, _ exchange: Exchange) {
    connectionCount += 1
    exchange.send(request.parsed, to: listener, connection: connectionCount % 4)
  }

  /// Tells it that others have written.
  func notify(_ clients: [ResourceName]) { if isAlive { store.report(clients) } }

  /// The number of the operation whose changes a transaction has.
  func operation(of transaction: StoreTransaction) -> Int? {
    guard let name = transaction.entries.first?.name else { return nil }
    let state = service.shard(of: transaction.client).machine.clients[transaction.client]
    return state?.line.first(of: name)?.requestID.flatMap { Int($0.description) }
  }

  private func scheduleRound() {
    host.after(500.milliseconds) { [self] in
      checkMemory()
      checkClients()
      checkPlaces()
      authenticator.refresh()
      scheduleRound()
    }
  }

  /// Judges that no more is in memory than may be, besides what is in use.
  private func checkMemory() {
    guard service.counters.residentBytes.value > limits.memoryBytesMax,
      machines.flatMap(\.clients.values).allSatisfy({ !$0.isPinned })
    else { return }
    for machine in machines {
      let sizes = machine.clients.values.map { client in
        client.collections.values.reduce(0) { $0 + $1.countedBytes }
      }
      // What was in use last stays until there is something else.
      let rest = sizes.reduce(0, +) - (sizes.max() ?? 0)
      if rest > limits.memoryBytesMax / limits.shardCount {
        world.blame("replica \(number) has \(sizes) bytes in memory")
      }
    }
  }

  /// Judges that nobody waits whose request is over; loads and answers under way may go on for those who have left.
  private func checkPlaces() {
    let waiting = machines.flatMap(\.waiters.all).count {
      $0.phase == .waiting && $0.isCounted && !$0.isLoading
    }
    if waiting > openPeak, lastCut < world.now - 100.milliseconds {
      world.blame("\(waiting) wait at replica \(number), and \(openPeak) requests are open")
    }
  }

  /// Judges that nothing is kept of clients of whom nothing is in memory and whom nobody waits for.
  private func checkClients() {
    for client in machines.flatMap(\.clients.values) where client.isIdle(isStored: true) {
      world.blame("replica \(number) keeps \(client.name.text), of which it has nothing")
    }
  }
}

/// Reads the log of faults of a replica.
private struct FaultWatch: LogHandler {
  let world: World
  let number: Int
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.error

  subscript(metadataKey key: String) -> Logger.MetadataValue? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let kind = event.metadata?["kind"]?.description ?? ""
    world.note("replica \(number): \(kind)")
    let kinds: [Fault.Kind] = [.deltaRefused, .collectionDamaged, .other]
    if kinds.contains(where: { $0.rawValue == kind }) {
      world.blame("replica \(number) reports \(kind): \(event.message)")
    }
  }
}
