import DeltaEngine
import Synchronization
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

/// What a shared store is asked because somebody waits.
@Suite(.timeLimit(.minutes(10))) struct ConfirmationTests {
  private func names(_ numbers: Range<Int>) -> [ResourceName] { numbers.map { name("c\($0)") } }

  // MARK: The queue

  @Test func `one question is asked at a time, of as many clients as one may have`() {
    var queue = ConfirmationQueue()
    var questions = [queue.next(countMax: 4)]
    queue.beginRound { names(0..<6) }
    for _ in 0..<2 { questions.append(queue.next(countMax: 4)) }
    queue.succeed()
    questions.append(queue.next(countMax: 4))
    queue.succeed()
    questions.append(queue.next(countMax: 4))
    #expect(questions.map { $0?.count } == [nil, 4, nil, 2, nil])
    #expect(Set(questions.compactMap(\.self).joined()) == Set(names(0..<6)))
  }

  @Test func `clients that others have written come first, and the round goes on`() {
    var queue = ConfirmationQueue()
    queue.beginRound { names(0..<8) }
    // The round is not over.
    queue.beginRound { names(100..<108) }
    var asked: Set<ResourceName> = []
    for number in 1...4 {
      queue.add(names(10 * number..<10 * number + 9))
      let question = Set(queue.next(countMax: 4) ?? [])
      #expect(question.count == 4 && question.intersection(names(0..<8)).count == 2)
      asked.formUnion(question)
      queue.succeed()
    }
    #expect(asked.isSuperset(of: names(0..<8)))
  }

  @Test func `a question that fails is told once, and the rest is left to the next round`() {
    var queue = ConfirmationQueue()
    var tells: [Bool] = []
    for isAnswered in [false, false, true, false] {
      queue.beginRound { names(0..<9) }
      queue.add(names(20..<29))
      let question = queue.next(countMax: 40)
      #expect(question?.count == 18)
      if isAnswered { queue.succeed() } else { tells.append(queue.fail()) }
    }
    #expect(tells == [true, false, true])
    let rest = queue.next(countMax: 4)
    #expect(rest == nil)
  }

  // MARK: The service

  @Test func `a slow store is asked one question at a time, however long it takes`() async throws {
    var limits = ServiceLimits()
    limits.shardCount = 4
    let store = ListStore()
    let bench = ServiceBench(limits: limits, store: store)
    let clients = names(0..<2400)
    for client in clients {
      bench.service.read(
        CollectionKey(client: client, name: bench.key.name),
        ReadRequest(.everything, since: ListStore.version, form: .plain, waitSeconds: 50)
      ) { _, _ in }
    }
    try await bench.untilParked(clients.count)
    store.hold()
    func flush() { _ = bench.service.deadlineCount }
    for number in 0..<50 {
      // What a second does, and a notice.
      store.report(number.isMultiple(of: 2) ? nil : [clients[number]])
      flush()
    }
    #expect(store.heldCount == 1)
    var count = 0
    while store.heldCount > 0 {
      count += 1
      store.release()
      flush()
      flush()
      #expect(store.heldCount <= 1)
    }
    #expect(store.asked == Set(clients))
    // Two rounds of two questions for each shard, and the notices.
    #expect((8...24).contains(count), "\(count) questions")
  }

  @Test func `an index is never empty because its client left memory while it was asked for`()
    async throws
  {
    let store = ListStore()
    let bench = ServiceBench(store: store)
    func flush() { _ = bench.service.deadlineCount }
    let ticket = bench.service.read(
      bench.key, ReadRequest(.everything, since: ListStore.version, form: .plain, waitSeconds: 50)
    ) { _, _ in }
    try await bench.untilParked()
    store.hold()
    store.report(nil)
    flush()
    #expect(store.heldCount == 1)
    ticket.cancel()
    flush()
    let pages = Mutex<[[ResourceName]]>([])
    func list() {
      bench.service.index(of: bench.key.client, after: nil, limit: 9) { result in
        pages.withLock { $0.append((try? result.get())?.page.map(\.name) ?? []) }
      }
      flush()
    }
    // The client is made anew, and its list is being read.
    list()
    #expect(store.heldCount == 2)
    // The answer to the question before.
    store.release()
    flush()
    list()
    while store.heldCount > 0 {
      store.release()
      flush()
    }
    try await until { pages.withLock { $0.count == 2 } }
    #expect(pages.withLock(\.self) == [[bench.key.name], [bench.key.name]])
  }
}

/// A shared store in which each client has the same collection, and which answers when it is told to.
private final class ListStore: CollectionStore {
  static let version = VersionToken(lineage: "lineage1", seq: 1, digest: "AAAAAAAAAAAAAAAA")

  private struct State {
    var isHolding = false
    var held: [@Sendable () -> Void] = []
    var asked: Set<ResourceName> = []
    var report: (@Sendable ([ResourceName]?) -> Void)?
  }

  private let state = Mutex(State())
  private let list = [CollectionSummary(name: name("inbox"), version: version, itemCount: 0)]

  var keepsContents: Bool { true }
  var isShared: Bool { true }
  var heldCount: Int { state.withLock { $0.held.count } }
  /// The clients whose lists were asked for since `hold()`.
  var asked: Set<ResourceName> { state.withLock(\.asked) }

  func hold() {
    state.withLock { state in
      state.isHolding = true
      state.asked = []
    }
  }

  /// Gives the oldest answer.
  func release() {
    state.withLock { $0.held.isEmpty ? nil : $0.held.removeFirst() }?()
  }

  func report(_ clients: [ResourceName]?) { state.withLock(\.report)?(clients) }

  private func answer(_ answer: @escaping @Sendable () -> Void) {
    let isHeld = state.withLock { state in
      if state.isHolding { state.held.append(answer) }
      return state.isHolding
    }
    if !isHeld { answer() }
  }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) { completion(.failure(.unavailable("it is read only"))) }

  func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) {
    answer { [list] in
      completion(
        parts.map { .success($0 == .summaries ? .summaries(list) : .unchanged) })
    }
  }

  func summaries(
    of clients: [ResourceName],
    completion:
      @escaping @Sendable (Result<[ResourceName: [CollectionSummary]], StoreError>) -> Void
  ) {
    state.withLock { $0.asked.formUnion(clients) }
    answer { [list] in
      completion(.success(Dictionary(uniqueKeysWithValues: clients.map { ($0, list) })))
    }
  }

  func reportOthers(to report: @escaping @Sendable ([ResourceName]?) -> Void) {
    state.withLock { $0.report = report }
  }
}
