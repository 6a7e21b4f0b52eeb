import SnapshotJSON
import Synchronization
import TestSupport

@testable import CollectionService
@testable import VersionedCollections

/// Drives a shard's machine in one thread: the store, the workers and the clock answer when the test
/// says so.
///
/// Like the real driver it decides nothing. Invariants are checked after each event.
final class MachineBench {
  private(set) var machine: ShardMachine
  let store: MachineStore
  private(set) var moment = Moment(uptime: .seconds(100), date: 1_750_000_000)
  /// What will give an event, when the test says so.
  private(set) var pending: [() -> ShardEvent] = []
  /// Parts being read for all that wait for them, and their clients.
  private var partsBeingRead: [(client: ResourceName, part: StoredPart)] = []
  /// Whether a part was read twice at one time.
  private(set) var hasReadTwice = false
  private(set) var faults: [Fault] = []
  private let shared: SharedState
  private let answering: AnswerContext
  private let reader = JSONReader(depthMax: 64)
  private var loadTurns: [() -> ShardEvent] = []
  private var isLoadTurnTaken = false
  /// The collections of writes that are being committed.
  private var keysBeingCommitted: [CollectionKey] = []
  /// Whether two writes of a collection were committed at one time.
  private(set) var hasWrittenTwice = false
  /// Called with the collections whose heads were replaced, when their writers are about to know.
  var onCommit: ([(key: CollectionKey, old: VersionToken)]) -> Void = { _ in }

  init(
    _ store: MachineStore = MachineStore(), isShared: Bool = false, seed: UInt64 = 1,
    limits: ServiceLimits = ServiceLimits(), changesMax: Int = 100
  ) {
    self.store = store
    let counters = ServiceCounters()
    let live = LiveLimits(limits)
    shared = SharedState(
      keepsContents: true, isShared: isShared, removesUnused: false, limits: live,
      counters: counters,
      changes: ChangeLog(epoch: "epoch", changesMax: changesMax, isShared: isShared),
      memory: MemoryBudget(limits, counters, isHardLimit: false))
    answering = AnswerContext(
      encoders: .plain, judge: { $0.violation(from: $1, to: $2) },
      cache: AnswerCache(bytesMax: 1 << 20, counters), counters: counters, time: .system,
      faults: { _ in }, liveLimits: live,
      renewals: RenewalMarks(.system, seed: seed))
    machine = ShardMachine(shared, generator: SeededGenerator(seed: seed))
  }

  var counters: ServiceCounters { shared.counters }

  // MARK: Events

  /// Has the machine handle an event, and all that follows at once.
  ///
  /// - Returns: The actions, as texts.
  @discardableResult
  func handle(_ event: ShardEvent) -> [String] {
    var texts: [String] = []
    var events = [event]
    while !events.isEmpty {
      let actions = machine.handle(events.removeFirst(), at: moment)
      machine.checkInvariants()
      for action in actions {
        if let text = Self.text(action) { texts.append(text) }
        perform(action, &events)
      }
    }
    return texts
  }

  /// Lets a pending action give its event.
  @discardableResult
  func give(_ index: Int = 0) -> [String] { handle(pending.remove(at: index)()) }

  /// Lets all pending actions give their events, and those that follow from them.
  func giveAll() {
    while !pending.isEmpty { give() }
  }

  /// Lets time pass, and has the timer fire.
  @discardableResult
  func advance(by duration: Duration) -> [String] {
    moment.uptime += duration
    moment.date += duration.components.seconds
    var texts: [String] = []
    while let deadline = machine.timer, deadline <= moment.uptime {
      texts += handle(.timePassed(deadline))
    }
    return texts
  }

  // MARK: Actions

  private func perform(_ action: ShardAction, _ events: inout [ShardEvent]) {
    switch action {
    case .read(let parts, let question, let load): read(parts, question, load)
    case .readLists(let questions):
      var lists: [ResourceName: [CollectionSummary]] = [:]
      for question in questions { lists[question.client] = store.summaries(of: question.client) }
      pending.append { [lists] in .listsRead(.success(lists), questions, isAway: false) }
    case .commit(let work, let number): commit(work, number)
    case .answer(let work, let source, let reply, _):
      if let answer = work.make(maker) { reply(answer, source) }
    case .compose(let id, let work):
      if let answer = work.make(maker) { pending.append { .composed(id, answer) } }
    case .answerWriter(let answer): answer.answer(maker)
    case .tell(let message, _): message.deliver()
    case .begin(let id, let start):
      let stream = start.perform()
      events.append(.began(id, stream?.sink, isWritable: stream?.isWritable ?? false))
    case .send(let id, let message, _): events.append(.sent(id, isWritable: message.send()))
    case .awaitLoadTurn(let load, let client):
      loadTurns.append { .loadTurnCame(load, of: client) }
      beginLoadTurn()
    case .endLoadTurn:
      isLoadTurnTaken = false
      beginLoadTurn()
    case .awaitListTurn(let names): pending.append { .listTurnCame(names) }
    case .next(let event): events.append(event)
    case .later(let event): pending.append { event }
    case .withdraw(let head): answering.cache.remove(head)
    case .report(let fault): faults.append(fault)
    case .readFeed(let number, let countMax):
      let feed = store.feed(after: number, countMax: countMax)
      pending.append { .feedRead(.success(feed)) }
    case .readOlderFeed(let id, let generation, let number, let countMax):
      let feed = store.feed(after: number, countMax: countMax)
      pending.append { .olderFeedRead(id, generation: generation, .success(feed)) }
    case .readOlderChanges(let id, _, _): pending.append { .olderChangesRead(id, nil) }
    case .feedChanged: events.append(.feedChanged)
    case .record, .findTarget, .endListTurn, .setTimer, .evictEverywhere: break
    }
  }

  var maker: AnswerMaker { AnswerMaker(context: answering, meter: .unlimited) }

  private func read(_ parts: [StoredPart], _ question: StoreQuestion, _ load: Int?) {
    let results = parts.map { store.read($0, of: question.client) }
    for part in parts where load == nil {
      hasReadTwice =
        hasReadTwice || partsBeingRead.contains { $0 == (question.client, part) }
      partsBeingRead.append((question.client, part))
    }
    pending.append { [unowned self] in
      for part in parts where load == nil {
        partsBeingRead.remove { $0 == (question.client, part) }
      }
      return .partsRead(parts, results, question, load: load)
    }
  }

  private func commit(_ work: WriteWork, _ number: Int) {
    let prepared = work.prepare(reader, shared) { _ in }
    let keys = prepared.writes.map { CollectionKey(client: work.job.client, name: $0.name) }
    hasWrittenTwice = hasWrittenTwice || keys.contains(where: keysBeingCommitted.contains)
    keysBeingCommitted += keys
    let replaced = prepared.writes.compactMap { write in
      write.change == nil
        ? nil
        : write.base.head.map {
          (key: CollectionKey(client: work.job.client, name: write.name), old: $0)
        }
    }
    var result = Result<Void, StoreError>.success(())
    if let transaction = prepared.transaction(isShared: shared.isShared) {
      result = store.commit(transaction)
    }
    pending.append { [unowned self, result] in
      for key in keys { keysBeingCommitted.remove { $0 == key } }
      if case .success = result { onCommit(replaced) }
      return .committed(prepared, number: number, result, ticket: nil)
    }
  }

  private func beginLoadTurn() {
    guard !isLoadTurnTaken, !loadTurns.isEmpty else { return }
    isLoadTurnTaken = true
    pending.append(loadTurns.removeFirst())
  }

  /// An action as the text that tables compare; nil for what they leave out.
  private static func text(_ action: ShardAction) -> String? {
    switch action {
    case .read(let parts, _, _): "read " + parts.map { $0.text }.joined(separator: " ")
    case .readLists(let questions): "list " + questions.map(\.client.text).joined(separator: " ")
    case .commit(let work, _): "commit " + work.writes.map(\.name.text).joined(separator: " ")
    case .findTarget: "find target"
    case .answer: "answer"
    case .compose(let id, _): "compose \(id)"
    case .answerWriter: "answer writer"
    case .tell: "tell"
    case .begin(let id, _): "begin \(id)"
    case .send(let id, let message, _): "send \(id) \(message.text)"
    case .awaitLoadTurn: "await turn"
    case .endLoadTurn: "end turn"
    case .readFeed: "read feed"
    case .readOlderFeed(let id, _, _, _): "read older feed \(id)"
    case .readOlderChanges(let id, _, _): "read older changes \(id)"
    case .withdraw: "withdraw"
    case .report: "report"
    case .evictEverywhere: "evict everywhere"
    case .setTimer, .next, .later, .awaitListTurn, .endListTurn, .record, .feedChanged: nil
    }
  }
}

extension Array {
  /// Removes the first element that meets a condition.
  fileprivate mutating func remove(where condition: (Element) -> Bool) {
    if let index = firstIndex(where: condition) { remove(at: index) }
  }
}

extension StoredPart {
  fileprivate var text: String {
    switch self {
    case .summaries: "list"
    case .collection(let name, _), .version(let name, _), .history(let name): name.text
    case .records: "keys"
    }
  }
}

extension StreamMessage {
  fileprivate var text: String {
    switch self {
    case .collections(_, .news), .changes(_, .changes): "news"
    case .collections(_, .ping), .changes(_, .ping): "ping"
    case .collections(_, .end(let reason)), .changes(_, .end(let reason)): "end \(reason.rawValue)"
    case .collections(_, .refusal): "refusal"
    case .changes(_, .bookmark): "bookmark"
    case .changes(_, .incomplete): "incomplete"
    }
  }
}

// MARK: Requests

/// What readers and writers were told, by ID.
final class MachineAnswers: Sendable {
  private let state = Mutex<[UInt64: [String]]>([:])

  func add(_ id: UInt64, _ text: String) { state.withLock { $0[id, default: []].append(text) } }

  subscript(id: UInt64) -> [String] { state.withLock { $0[id] ?? [] } }
}

extension ShardEvent {
  static func read(
    _ id: UInt64, _ key: CollectionKey, since: VersionToken? = nil, wait: Int = 0,
    forCollection: Bool = false, view: ViewQuery? = nil, parked: ParkedTime? = nil,
    _ answers: MachineAnswers, _ onAnswer: @escaping @Sendable (VersionToken?) -> Void = { _ in }
  ) -> ShardEvent {
    var request = ReadRequest(
      .everything, since: since, form: .plain, waitSeconds: wait,
      waitsForCollection: forCollection)
    request.form.view = view
    request.parkedTime = parked
    return .arrived(
      ReaderRequest(
        id: id, client: key.client,
        kind: .poll(SyncRequest(key.name, request)) { result, _ in
          let answer = try? result.flatMap(\.only).get()
          answers.add(id, answer?.text ?? "refused")
          onAnswer(answer?.heldVersion)
        }))
  }

  static func sync(
    _ id: UInt64, _ keys: [CollectionKey], since: [VersionToken?], wait: Int = 0,
    view: ViewQuery? = nil, _ answers: MachineAnswers,
    _ onAnswer: @escaping @Sendable ([VersionToken]) -> Void = { _ in }
  ) -> ShardEvent {
    var entries = zip(keys, since).map { SyncRequest.Entry(.everything, name: $0.name, since: $1) }
    entries[0].view = view
    var request = SyncRequest(entries: entries, form: .plain)
    request.each.waitSeconds = wait
    return .arrived(
      ReaderRequest(
        id: id, client: keys[0].client,
        kind: .poll(request) { result, _ in
          let answer = try? result.get().told
          let news = answer?.news.map { "\($0.name.text) \($0.answer.text)" }
          answers.add(id, news?.joined(separator: ", ") ?? "refused")
          onAnswer(answer?.held.compactMap(\.since) ?? [])
        }))
  }

  static func follow(
    _ id: UInt64, _ key: CollectionKey, since: VersionToken? = nil, view: ViewQuery? = nil,
    imposed: ViewRestriction? = nil, _ answers: MachineAnswers,
    takes isWritable: @escaping @Sendable () -> Bool = { true }
  ) -> ShardEvent {
    var entry = SyncRequest.Entry(.everything, name: key.name, since: since)
    entry.view = view
    if let imposed { entry.access = .restricted(imposed) }
    let request = FollowRequest(
      sync: SyncRequest(entries: [entry], form: .plain), ping: .seconds(15),
      lifetime: .seconds(300))
    return .arrived(
      ReaderRequest(
        id: id, client: key.client,
        kind: .stream(request) { first in
          answers.add(id, (try? first.get()) == nil ? "refused" : "first")
          guard (try? first.get()) != nil else { return nil }
          return (
            sink: { event in
              switch event {
              case .news(let answer):
                answers.add(id, answer.news.map(\.answer.text).joined(separator: ", "))
              case .ping: answers.add(id, "ping")
              case .end(let reason): answers.add(id, "end \(reason.rawValue)")
              case .refusal(let failure): answers.add(id, "refused \(failure.error)")
              }
              return isWritable()
            }, isWritable: isWritable()
          )
        }))
  }

  static func put(
    _ id: UInt64, _ keys: [CollectionKey], _ body: String, key: IdempotencyKey? = nil,
    isDeletion: Bool = false, _ answers: MachineAnswers
  ) -> ShardEvent {
    let writes = keys.map { key in
      Write(name: key.name, change: isDeletion ? .delete : .put(body: Array(body.utf8)))
    }
    return .write(
      WriteJob(
        client: keys[0].client, scope: .writes(writes), isAtomic: true, isBatch: keys.count > 1,
        key: key
      ) { results in
        let texts = (try? results.get())?.map { result -> String in
          switch result {
          case .success(let receipt): receipt.isReplayed ? "replayed" : "done"
          case .failure: "failed"
          }
        }
        answers.add(id, texts?.joined(separator: ", ") ?? "refused")
      })
  }
}
