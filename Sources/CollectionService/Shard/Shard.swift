package import DeltaEngine
import Dispatch
import SnapshotJSON

/// Says which law a delta between two versions breaks; nil for one that breaks none.
package typealias DeltaJudge =
  @Sendable (
    _ delta: Delta, _ source: [StructureSection], _ target: [StructureSection]
  ) -> LawViolation?

/// What all shards of a service share.
struct ServiceContext: Sendable {
  let store: any CollectionStore
  let limits: ServiceLimits
  let time: TimeSource
  let encoders: AnswerEncoders
  let counters: ServiceCounters
  /// Sees each delta before readers do.
  let judge: DeltaJudge
  /// Which collections changed, for those who follow them all.
  let changes: ChangeLog
  let memory: MemoryBudget
  /// Where requests wait that need several collections from the store.
  let loadLine: LoadLine
  /// Where what takes long is done.
  let workers: ParseWorkers
  /// What was computed for readers lately.
  let answers: AnswerCache
  /// Gets what goes wrong.
  let faults: FaultSink
}

/// The owner of some clients with all that they have: one serial queue.
///
/// All collections of a client live in one shard, so that a batch is atomic, an answer about
/// several collections a consistent cut, and an index exact, without a lock.
///
/// `@unchecked Sendable`: everything mutable is touched on `queue` only, which `perform` sees to
/// and every entry checks in debug builds.
final class Shard: @unchecked Sendable {
  let context: ServiceContext
  let queue: DispatchQueue
  let index: Int
  let reader: JSONReader
  var clients: [ResourceName: ClientState] = [:]
  var generator: any RandomNumberGenerator
  /// Under whom those wait who follow all changes; no client of anything.
  let changesReaders: ClientState
  /// Has the readers of the feed of changes told that there is something new.
  var onChange: @Sendable () -> Void = {}
  /// About how much memory the collections take.
  var residentBytes = 0
  /// Asks the other shards to let go of collections.
  var askOthersToShed: () -> Void = {}
  /// Uses of collections so far, to tell which were used lately.
  var useCount = 0
  /// Readers whose collections are on their way from the store.
  var arrivingReaders: Set<UInt64> = []
  /// When to look for old idempotency keys again, in seconds since 1970.
  var nextExpiry: Int64 = 0
  /// All who wait here, by their number.
  private(set) var parked: [UInt64: (waiter: Waiter, client: ClientState)] = [:]
  private var deadlines = DeadlineQueue()
  private var notifications = NotificationQueue()
  /// Whether nobody is to wait any more, since the service is being shut down.
  private(set) var isReleasing = false
  /// The uptime for which the alarm is set, and what sleeps until then; there is one at a time.
  private var alarm: (deadline: Duration, task: Task<Void, Never>)?
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init(index: Int, context: ServiceContext, generator: any RandomNumberGenerator) {
    self.index = index
    self.context = context
    self.generator = generator
    changesReaders = ClientState(name: .changes)
    queue = DispatchQueue(label: "livedelta.shard.\(index)")
    reader = JSONReader(depthMax: context.limits.depthMax)
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// Runs work on the shard's queue: at once if that is where we are.
  func perform(_ work: @escaping @Sendable (Shard) -> Void) {
    if DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) { return work(self) }
    queue.async { work(self) }
  }

  /// The state of a client, made if it is not there.
  func client(_ name: ResourceName) -> ClientState {
    dispatchPrecondition(condition: .onQueue(queue))
    if let state = clients[name] { return state }
    let state = ClientState(name: name)
    state.isKnown = !context.store.keepsContents
    clients[name] = state
    return state
  }

  /// Makes what readers are told, here.
  var maker: AnswerMaker { AnswerMaker(context: context, reader: reader) }

  /// Does something with what makes answers: here if it is about few bytes, else on a worker.
  func withMaker(of byteCount: Int, _ work: @escaping @Sendable (AnswerMaker) -> Void) {
    guard byteCount > context.limits.inlineBodyBytesMax else { return work(maker) }
    context.workers.answer(ofShard: index) { [context] reader in
      work(AnswerMaker(context: context, reader: reader))
    }
  }

  /// Forgets a client that has nothing.
  func releaseIfIdle(_ client: ClientState) {
    if client.isIdle(isStored: context.store.keepsContents), clients[client.name] === client {
      clients[client.name] = nil
      client.ledgers = IdempotencyLedgers()
    }
    countLedgers(of: client)
  }

  // MARK: Waiting

  /// Lets a waiter look, and parks it if it found nothing.
  ///
  /// - Returns: false when as many wait as may wait; the waiter has not been answered then.
  func begin(_ waiter: Waiter, client: ClientState) -> Bool {
    let deadline: Duration
    switch waiter.look(.changed) {
    case .done: return true
    case .park(let until): deadline = until
    case .load: deadline = context.time.uptime()
    }
    guard context.counters.parked.add(1) <= context.limits.parkedMax else {
      context.counters.parked.add(-1)
      return false
    }
    waiter.parkedTime?.begin(context.time.uptime())
    for name in waiter.names { client.waiters[name, default: [:]][waiter.id] = waiter }
    parked[waiter.id] = (waiter, client)
    setDeadline(waiter, deadline)
    return true
  }

  /// Has all that wait for a collection evaluated: some at once, the others soon.
  func wake(_ client: ClientState, _ name: ResourceName, _ event: Waiter.Event) {
    guard let waiters = client.waiters[name]?.values else { return }
    let isRunning = !notifications.isEmpty
    for waiter in waiters { notifications.append(waiter, event) }
    if !isRunning { notifyWaiters() }
  }

  /// How many waiters are evaluated before something else has its turn: about a millisecond's work.
  private static let notificationsPerTurn = 256

  /// Evaluates the next waiters that something happened to.
  private func notifyWaiters() {
    for _ in 0..<Self.notificationsPerTurn {
      guard let (waiter, event) = notifications.popFirst() else { return }
      guard let (_, client) = parked[waiter.id] else { continue }
      look(waiter, client, event)
      releaseIfIdle(client)
    }
    if !notifications.isEmpty { queue.async { self.notifyWaiters() } }
  }

  /// Forgets a waiter whose reader is gone.
  func cancel(_ id: UInt64) {
    arrivingReaders.remove(id)
    guard let (waiter, client) = parked[id] else { return }
    remove(waiter, client)
    releaseIfIdle(client)
  }

  /// Lets all who wait go, at random moments of a window, so that they do not come back in step.
  func releaseAll(over window: Duration) {
    isReleasing = true
    let now = context.time.uptime()
    let milliseconds = Int(window / .milliseconds(1))
    for (waiter, _) in parked.values {
      let share = Int.random(in: 0...milliseconds, using: &generator)
      setDeadline(waiter, now + .milliseconds(share))
    }
  }

  func look(_ waiter: Waiter, _ client: ClientState, _ event: Waiter.Event) {
    waiter.parkedTime?.look(context.time.uptime())
    switch waiter.look(event) {
    case .done: remove(waiter, client)
    case .park(let deadline): setDeadline(waiter, deadline)
    case .load(let needs): load(needs, for: waiter, client)
    }
  }

  /// Loads collections that were evicted while a reader waited, or makes what takes long, and
  /// evaluates the reader again.
  private func load(_ needs: Needs, for waiter: Waiter, _ client: ClientState) {
    if waiter.isLoading { return }
    waiter.isLoading = true
    whenHere(client.name, needs) { shard, error in
      waiter.isLoading = false
      guard shard.parked[waiter.id] != nil else { return }
      shard.look(waiter, client, error.map { .failed($0) } ?? .loaded)
    }
  }

  private func remove(_ waiter: Waiter, _ client: ClientState) {
    guard parked.removeValue(forKey: waiter.id) != nil else { return }
    deadlines.remove(waiter.id)
    context.counters.parked.add(-1)
    for name in waiter.names {
      client.waiters[name]?[waiter.id] = nil
      if client.waiters[name]?.isEmpty == true { client.waiters[name] = nil }
    }
  }

  // MARK: Time

  /// The number of deadlines that are kept.
  var deadlineCount: Int { deadlines.count }

  /// A deadline that moves away leaves the waiter's entry where it is: it comes up early once, and
  /// is queued for the later deadline then.
  private func setDeadline(_ waiter: Waiter, _ deadline: Duration) {
    waiter.deadline = deadline
    if let queued = deadlines[waiter.id], queued <= deadline { return }
    deadlines.set(waiter.id, deadline)
    setAlarm()
  }

  private func setAlarm() {
    guard let deadline = deadlines.earliest, alarm.map({ deadline < $0.deadline }) ?? true else {
      return
    }
    alarm?.task.cancel()
    let time = context.time
    let task = Task {
      await time.sleep(deadline)
      self.queue.async { self.ring(deadline) }
    }
    alarm = (deadline, task)
  }

  private func ring(_ deadline: Duration) {
    if alarm?.deadline == deadline { alarm = nil }
    let now = context.time.uptime()
    while let id = deadlines.pop(until: now) {
      guard let (waiter, client) = parked[id] else { continue }
      if waiter.deadline > now {
        deadlines.set(id, waiter.deadline)
        continue
      }
      look(waiter, client, .deadline)
      releaseIfIdle(client)
    }
    setAlarm()
  }
}
