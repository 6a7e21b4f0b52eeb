import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// The rules of one shard: what happens to some clients and their collections, event by event.
///
/// All collections of a client are on one shard. Batches are therefore atomic, reads of several
/// collections consistent, and indexes exact, without a lock.
///
/// The machine has no queue, clock, store or source of randomness, and calls nobody who waits. An
/// event carries what the machine cannot know; actions say what to do about it, in order. Replies are
/// values that arrive with requests and leave with actions. The same events at the same moments,
/// with the same generator and hash seed, give the same actions.
///
/// | event | what follows |
/// |---|---|
/// | `arrived` (a reader) | it is answered, or waits: for a load, for changes, for its answer |
/// | `write`, `query` | what they need is loaded; then the write is committed, the query answered |
/// | `left`, `waitEnded`, `writable` | a reader is removed, is answered, or is sent what is new |
/// | `partsRead`, `loadTurnCame` | what was read is in memory; requests that waited for it go on |
/// | `committed` | the writer is answered, readers are notified, the next write starts |
/// | `composed`, `began`, `sent` | the answer is given, the stream begins or goes on |
/// | `othersWrote`, `listTurnCame`, `listsRead` | what others wrote leaves memory, readers are notified |
/// | `feedChanged`, `feedRead`, `olderFeedRead`, `olderChangesRead` | readers of the feed are sent changes |
/// | `timePassed`, `release` | readers whose time is over are answered, streams pinged or ended |
/// | `evict` | the collections used least recently leave memory |
/// | `recordUses` | what was used is recorded |
/// | `notify`, `startWrites` | the next readers are notified, the next writes start |
///
/// Its parts are values with invariants of their own: who waits (`Waiters`), what is being loaded
/// (`Loads`, for each client), whose write is next (`WriteQueue`, likewise), how current memory is
/// (`Freshness`), what memory contains (`Residency`), what was used (`Uses`). Clients, collections
/// and readers are objects so that they can change in place; none of them leaves the machine.
struct ShardMachine {
  let shared: SharedState
  /// For lineages and jitter.
  var generator: any RandomNumberGenerator
  var clients: [ResourceName: ClientState] = [:]
  /// The number of clients created so far.
  var clientCount = 0
  var waiters = Waiters()
  /// How current what is in memory of a shared store is.
  var freshness = Freshness()
  /// The size of what is in memory.
  var residency: Residency
  /// The collections used lately, if unused ones are removed.
  var uses = Uses()
  /// A pseudo-client under which readers of the feed of changes wait.
  let feedReaders: ClientState
  /// Whether the feed of a shared store is being read, and whether again afterwards.
  var feedReading = (isUnderWay: false, isDue: false)
  /// The readers of the feed who wait until it was read for the first time.
  var feedArrivals: [UInt64] = []
  /// Whether waiting is no longer allowed because the service is shutting down.
  var isReleasing = false
  /// The next date at which to remove expired idempotency keys.
  var nextExpiry: Int64 = 0
  /// The earliest uptime for which there will be `timePassed`; nil for none.
  var timer: Duration?
  /// The moment of the event.
  var moment = Moment(uptime: .zero, date: 0)
  /// The limits in force at that moment.
  var limits: ServiceLimits
  /// Reads what views compare as a whole.
  let jsonReader: JSONReader
  /// What to do, in order.
  var actions: [ShardAction] = []

  init(_ shared: SharedState, generator: any RandomNumberGenerator) {
    self.shared = shared
    self.generator = generator
    residency = Residency(shared.counters, keepsContents: shared.keepsContents)
    limits = shared.limits.current
    jsonReader = JSONReader(depthMax: JSONReader.depthMaxMax)
    feedReaders = ClientState(name: .changes, number: 0)
  }

  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - moment: When; never before the last event's.
  /// - Returns: What to do now, in this order, before the next event.
  mutating func handle(_ event: ShardEvent, at moment: Moment) -> [ShardAction] {
    self.moment = moment
    limits = shared.limits.current
    process(event)
    defer { actions = [] }
    return actions
  }

  private mutating func process(_ event: ShardEvent) {
    switch event {
    case .arrived(let request): arrive(request)
    case .accessChanged(let id, let access): changeAccess(of: id, access)
    case .left(let id): remove(id)
    case .waitEnded(let id): endWait(id)
    case .writable(let id): if let reader = waiters[id] { evaluate(reader, .writable) }
    case .composed(let id, let answer): composed(id, answer)
    case .began(let id, let sink, let isWritable): began(id, sink, isWritable)
    case .sent(let id, let isWritable): sent(id, isWritable)
    case .query(let query): load(query.requirements, for: .query(query), client(query.client))
    case .write(let job): submit(job)
    case .startWrites(let name): startWrites(of: name)
    case .committed(let prepared, let number, let result, _): committed(prepared, number, result)
    case .partsRead(let parts, let results, let question, let load):
      partsRead(parts, results, question, forLoad: load)
    case .loadTurnCame(let number, let name): loadTurnCame(number, name)
    case .othersWrote(let names): othersWrote(names)
    case .listTurnCame(let names): askForLists(of: names)
    case .listsRead(let result, let questions, let isAway): listsRead(result, questions, isAway)
    case .feedChanged: feedChanged()
    case .feedRead(let result): feedRead(result)
    case .olderFeedRead(let id, let generation, let result): olderFeedRead(id, generation, result)
    case .olderChangesRead(let id, let changes): olderChangesRead(id, changes)
    case .notify: notifyNext()
    case .timePassed(let deadline): timePassed(deadline)
    case .release(let window): releaseAll(over: window)
    case .evict: evict(isAsked: true)
    case .recordUses(let date, let reply):
      recordUses(at: date)
      actions.append(.tell(reply(())))
    }
  }
}

extension ShardMachine {
  /// The uptime of the event.
  var now: Duration { moment.uptime }

  /// Returns the state of a client, creating it if needed.
  mutating func client(_ name: ResourceName) -> ClientState {
    if let state = clients[name] { return state }
    clientCount += 1
    let state = ClientState(name: name, number: clientCount)
    (state.isKnown, state.isInMemory) = (!shared.keepsContents, true)
    clients[name] = state
    residency.count(state)
    return state
  }

  /// Removes a client that is idle; counts any other anew.
  mutating func releaseIfIdle(_ client: ClientState) {
    if client.isIdle(isStored: shared.keepsContents), clients[client.name] === client {
      clients[client.name] = nil
      client.isInMemory = false
      freshness.forget(client.name)
      client.idempotency = IdempotencyIndex()
    }
    residency.count(client)
  }

  /// The head under which an event loop may repeat an answer; nil if others may write meanwhile.
  func published(_ head: PublishedHead?) -> PublishedHead? { shared.isShared ? nil : head }

  /// Traps unless the parts agree with each other.
  func checkInvariants() {
    waiters.checkInvariants()
    residency.checkInvariants(
      clients.values, waitingBytes: waiters.all.reduce(0) { $0 + $1.countedBytes })
    for (name, client) in clients {
      precondition(client.name == name, "\(client.name) is found as \(name)")
      client.checkInvariants()
      precondition(
        !client.isIdle(isStored: shared.keepsContents), "\(name) is idle and still in memory")
    }
    if let earliest = waiters.earliestDeadline {
      precondition(timer.map { $0 <= earliest } ?? false, "nothing wakes up at \(earliest)")
    }
  }
}

/// The time of an event.
struct Moment: Hashable, Sendable {
  /// The uptime of the service.
  var uptime: Duration
  /// Seconds since 1970.
  var date: Int64
}
