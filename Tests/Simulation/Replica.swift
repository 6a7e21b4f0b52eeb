import Authentication
import SnapshotJSON
import TestSupport

@testable import CollectionService
@testable import DeltaHTTP
@testable import VersionedCollections

/// One run of a replica: the machines of its shards, and what drives them.
///
/// Like the service's own driver it decides nothing. Whatever comes for it after it was killed is lost.
/// `@unchecked Sendable`: a simulation has one thread.
final class Replica: @unchecked Sendable {
  let number: Int
  let isShared: Bool
  let world: World
  let link: StoreLink
  let shared: SharedState
  let answering: AnswerContext
  let reader: JSONReader
  let loadQueue = LoadQueue()
  let listQueue = LoadQueue()
  private(set) var machines: [ShardMachine] = []
  private(set) var isAlive = true
  /// The difference of its calendar from the true one, in seconds.
  var dateShift: Int64 = 0
  /// By how much its clock goes too fast, in thousandths.
  var drift = 0
  /// What it has answered at once, to be given again while the head is current.
  var remembered: [RememberedRequest: (answer: ReadAnswer, head: PublishedHead)] = [:]
  /// What knows the credentials of readers.
  var authenticator: Authenticator?
  /// The number of requests that have come and are not over.
  var openCount = 0
  private let start: Microseconds
  private var events: [(shard: Int, event: ShardEvent)] = []
  private var isHandling = false
  private var timerNumbers: [Int] = []
  /// Called with its name and what it did.
  var onFault: (Fault) -> Void = { _ in }

  init(
    _ number: Int, isShared: Bool, _ world: World, _ link: StoreLink, _ limits: ServiceLimits,
    _ generator: inout SeededGenerator
  ) {
    (self.number, self.isShared, self.world, self.link) = (number, isShared, world, link)
    start = world.now
    let counters = ServiceCounters()
    let live = LiveLimits(limits)
    shared = SharedState(
      keepsContents: true, isShared: isShared, removesUnused: false, limits: live,
      counters: counters,
      changes: ChangeLog(
        epoch: "run\(generator.below(1_000_000))", changesMax: min(limits.changesMax, 100),
        isShared: isShared),
      memory: MemoryBudget(limits, counters, isHardLimit: false),
      tenants: TenantBudgets(limits.tenants))
    let relay = FaultRelay()
    answering = AnswerContext(
      encoders: .wire, judge: { $0.violation(from: $1, to: $2) },
      cache: AnswerCache(bytesMax: 1 << 20, counters), counters: counters,
      time: TimeSource(ManualClock(), date: { 0 }), faults: { relay.send($0) }, liveLimits: live)
    reader = JSONReader(depthMax: limits.depthMax)
    for _ in 0..<limits.shardCount {
      machines.append(ShardMachine(shared, generator: SeededGenerator(seed: generator.next())))
      timerNumbers.append(0)
    }
    relay.replica = self
    scheduleRound()
  }

  /// The moment of what happens now.
  var moment: Moment {
    let date = World.firstDate + Int64(world.now / 1_000_000) + dateShift
    let elapsed = (world.now - start) * (1000 + drift) / 1000
    return Moment(uptime: .microseconds(elapsed + 10.seconds), date: date)
  }

  func shard(of client: ResourceName) -> Int {
    client == .changes ? 0 : Int(client.text.utf8.last ?? 0) % machines.count
  }

  /// Ends the run: whatever is under way is lost.
  func kill() { isAlive = false }

  private func scheduleRound() {
    world.after(1.seconds) { [self] in
      guard isAlive else { return }
      checkMemory()
      checkClients()
      authenticator?.refresh()
      if isShared { for shard in machines.indices { handle(.othersWrote(nil), shard) } }
      scheduleRound()
    }
  }

  /// Judges that no more is in memory than may be, besides what is in use.
  private func checkMemory() {
    guard shared.memory.isExceeded,
      machines.allSatisfy({ machine in
        machine.clients.values.allSatisfy { !$0.isPinned }
      })
    else { return }
    for machine in machines {
      let sizes = machine.clients.values.map { client in
        client.collections.values.reduce(0) { $0 + $1.countedBytes }
      }
      // What was in use last stays until there is something else.
      let rest = sizes.reduce(0, +) - (sizes.max() ?? 0)
      if rest > shared.memory.bytesPerShard {
        world.blame("replica \(number) has \(sizes) bytes in memory")
      }
    }
  }

  /// Judges that nothing is kept of clients of whom nothing is in memory and whom nobody waits for.
  private func checkClients() {
    for client in machines.flatMap(\.clients.values) where client.isIdle(isStored: true) {
      world.blame("replica \(number) keeps \(client.name.text), of which it has nothing")
    }
  }

  // MARK: Events

  /// Has a machine handle an event, and then what follows from it at once.
  func handle(_ event: ShardEvent, _ shard: Int) {
    guard isAlive else { return }
    events.append((shard, event))
    if isHandling { return }
    isHandling = true
    defer { isHandling = false }
    var first = 0
    while first < events.count {
      let (shard, event) = events[first]
      first += 1
      for action in machines[shard].handle(event, at: moment) { perform(action, shard) }
      if machineChecks { machines[shard].checkInvariants() }
    }
    events.removeAll(keepingCapacity: true)
  }

  /// Handles an event after a while.
  func later(_ delay: Microseconds, _ event: ShardEvent, _ shard: Int) {
    world.after(delay) { [self] in handle(event, shard) }
  }

  /// Gives `timePassed` at an uptime, instead of at any other.
  func setTimer(_ deadline: Duration, _ shard: Int) {
    timerNumbers[shard] += 1
    let number = timerNumbers[shard]
    let (seconds, attoseconds) = (deadline - moment.uptime).components
    let delay = Int(seconds).seconds + Int(attoseconds / 1_000_000_000_000)
    world.after(delay * 1000 / (1000 + drift) + 2) { [self] in
      if timerNumbers[shard] == number { handle(.timePassed(deadline), shard) }
    }
  }
}

/// What is asked when an answer is given again, as by an event loop that remembers it.
struct RememberedRequest: Hashable {
  var key: CollectionKey
  var since: VersionToken?
  var form: AnswerForm
}

/// Whether each machine checks its invariants after each event.
private let machineChecks = true

/// Passes on the faults that a replica reports.
private final class FaultRelay: @unchecked Sendable {
  weak var replica: Replica?
  func send(_ fault: Fault) { replica?.onFault(fault) }
}
