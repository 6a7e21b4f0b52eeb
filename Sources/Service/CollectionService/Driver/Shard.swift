import DequeModule
import SnapshotJSON
import Synchronization
import VersionedCollections

/// The driver of a shard's machine: it hands events to the machine and does what that says.
///
/// It decides nothing but where something is computed: here if it is small, otherwise on a worker.
/// Events are handled one after the other; what an action gives at once is handled next.
///
/// `@unchecked Sendable`: all mutable state is accessed on `queue` only, which `handle(_:)` ensures.
final class Shard: @unchecked Sendable {
  let context: ServiceContext
  let queue: WorkQueue
  let index: Int
  let reader: JSONReader
  private(set) var machine: ShardMachine
  private var events = Deque<ShardEvent>()
  private var isHandling = false
  /// Events that were handed over and are not handled yet.
  private let arrivals = Atomic<Int>(0)
  /// Answers that are made one at a time between other events.
  private var line = AnswerLine()
  /// Who goes on when an older version was read for views, or could not be.
  var viewReads: [VersionKey: [(Result<RetainedVersion, ServiceFailure>) -> Void]] = [:]
  private var cancelTimer: @Sendable () -> Void = {}
  /// Has all shards evict collections.
  var evictEverywhere: () -> Void = {}
  /// Tells the shard that serves the feed of changes that there are some.
  var feedChanged: () -> Void = {}

  init(index: Int, context: ServiceContext, generator: any RandomNumberGenerator) {
    self.index = index
    self.context = context
    machine = ShardMachine(context.shared, generator: generator)
    queue = context.queues("livedelta.shard.\(index)", false)
    reader = JSONReader(depthMax: context.limits.depthMax)
  }

  /// Runs work on the shard's queue, at once if already on it.
  func perform(_ work: @escaping @Sendable () -> Void) {
    if queue.isCurrent { return work() }
    queue.async(work)
  }

  /// Reads the machine's state on the shard's queue.
  func inspect(_ read: @escaping @Sendable (ShardMachine) -> Void) {
    queue.async { read(self.machine) }
  }

  /// The number of deadlines, for tests.
  var deadlineCount: Int { queue.sync { machine.waiters.deadlineCount } }

  /// Has the machine handle an event, from any thread.
  func handle(_ event: ShardEvent) {
    arrivals.add(1, ordering: .relaxed)
    perform {
      self.arrivals.subtract(1, ordering: .relaxed)
      self.events.append(event)
      self.handleEvents()
    }
  }

  /// Whether more waits for it than it can do at once, from any thread.
  var isCrowded: Bool { arrivals.load(ordering: .relaxed) > Self.crowd }

  /// The number of events handled before other work of the queue gets its turn.
  private static let eventsPerTurn = 1024

  private func handleEvents() {
    if isHandling { return }
    isHandling = true
    defer { isHandling = false }
    for _ in 0..<Self.eventsPerTurn {
      guard let event = events.popFirst() else { return }
      for action in machine.handle(event, at: context.moment) { perform(action) }
    }
    queue.async { self.handleEvents() }
  }

  // MARK: Actions

  private func perform(_ action: ShardAction) {
    switch action {
    case .read(let parts, let question, let load):
      context.store.read(parts, of: question.client) {
        self.handle(.partsRead(parts, $0, question, load: load))
      }
    case .readLists(let questions):
      context.store.summaries(of: questions.map(\.client)) {
        let isAway = self.context.store.secondsAway != nil
        self.handle(.listsRead($0, questions, isAway: isAway))
      }
    case .readFeed(let number, let countMax):
      context.store.feed(after: number, countMax: countMax) { self.handle(.feedRead($0)) }
    case .readOlderFeed(let id, let generation, let number, let countMax):
      context.store.feed(after: number, countMax: countMax) {
        self.handle(.olderFeedRead(id, generation: generation, $0))
      }
    case .readOlderChanges(let id, let date, let countMax):
      readOlderChanges(since: date, countMax: countMax) { self.handle(.olderChangesRead(id, $0)) }
    case .record(let keys, let date):
      // A failure is a fault that the store reports; each has another chance in the next interval.
      context.store.record(uses: keys, date: date) { _ in }
    case .commit(let work, let number): commit(work, number)
    case .findTarget(let job, let body, let state): findTarget(of: job, body, state)
    case .answer(let work, let source, let reply, let wake):
      answerInTurn(work) {
        reply($0, source)
        self.end(wake)
      }
    case .compose(let id, let work): make(work) { self.handle(.composed(id, $0)) }
    case .answerWriter(let answer):
      self.answer(isLong: answer.isLong, answer.order) { answer.answer($0) }
    case .tell(let message, let wake):
      message.deliver()
      end(wake)
    case .begin(let id, let start):
      let stream = start.perform()
      handle(.began(id, stream?.sink, isWritable: stream?.isWritable ?? false))
    case .send(let id, let message, let wake):
      handle(.sent(id, isWritable: message.send()))
      end(wake)
    case .awaitLoadTurn(let load, let client):
      context.loadQueue.enter { self.handle(.loadTurnCame(load, of: client)) }
    case .endLoadTurn: context.loadQueue.leave()
    case .awaitListTurn(let names):
      context.listQueue.enter { self.handle(.listTurnCame(names)) }
    case .endListTurn: context.listQueue.leave()
    case .next(let event): events.append(event)
    case .later(let event): queue.async { self.handle(event) }
    case .setTimer(let deadline): setTimer(deadline)
    case .withdraw(let head): context.answering.cache.remove(head)
    case .report(let fault): context.faults(fault)
    case .evictEverywhere: evictEverywhere()
    case .feedChanged: feedChanged()
    }
  }

  /// The events waiting for the shard from which on it is crowded.
  private static let crowd = 8

  /// Makes an answer: at once unless there is a crowd and it takes time.
  ///
  /// A crowd of readers who come for the whole, after a restart for instance, does not delay those whose answers are
  /// made already, nor what happens otherwise: between two answers of the line, everything that has arrived is handled.
  private func answerInTurn(_ work: PollWork, _ give: @escaping AnswerLine.Receiver) {
    guard isCrowded || !line.isEmpty, let byteCount = work.byteCountToMake(context.answering),
      line.append(work, byteCount, give)
    else { return make(work, give) }
    if line.count == 1 { queue.async { self.answerNext() } }
  }

  private func answerNext() {
    guard let (work, give) = line.removeFirst() else { return }
    make(work, give)
    if !line.isEmpty { queue.async { self.answerNext() } }
  }

  private func make(_ work: PollWork, _ give: @escaping AnswerLine.Receiver) {
    answer(work) { maker in
      if let answer = work.make(maker) { give(answer) }
    }
  }

  private func setTimer(_ deadline: Duration) {
    cancelTimer()
    cancelTimer = context.time.after(deadline) {
      self.queue.async { self.handle(.timePassed(deadline)) }
    }
  }

  private func end(_ wake: Duration?) {
    guard let wake else { return }
    context.shared.counters.wakeTimes.record(context.time.uptime() - wake)
  }
}

struct VersionKey: Hashable {
  var collection: CollectionKey
  var version: VersionToken
}
