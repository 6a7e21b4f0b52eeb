import DeltaEngine
import SnapshotJSON
import StoreSQLite
import StoreTestSupport
import Synchronization
import TestSupport
import Testing
import VersionedCollections

@testable import CollectionService

@Suite(.timeLimit(.minutes(10))) struct ColdLoadTests {
  private let disk: StoreBench
  private let first: VersionToken
  private let head: VersionToken

  init() async throws {
    disk = try StoreBench()
    first = try await disk.bench.put(#"[{"id":1}]"#).version
    head = try await disk.bench.put(#"[{"id":1},{"id":2}]"#).version
    _ = try await disk.bench.put("[]", to: Self.other)
    try disk.restart()
  }

  private static let other = CollectionKey(client: name("u42"), name: name("other"))
  private static let inbox = name("inbox")

  @Test func `a cold delta asks the store once`() async throws {
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    #expect(try await bench.delta(since: first).text == #"delta +2{"id":2}"#)
    #expect(store.reads == [[.summaries, .collection(Self.inbox, unlessAt: first)]])
  }

  @Test func `a reader of the head has no collection loaded`() async throws {
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    #expect(try await bench.delta(since: head).text == "unchanged")
    #expect(store.reads == [[.summaries, .collection(Self.inbox, unlessAt: head)]])
    #expect(bench.service.counters.loads.value == 0)
    #expect(try await bench.delta(since: nil).text == ":1,2")
  }

  @Test func `the version of a cold collection is known from its client's list`() async throws {
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    func version(_ key: CollectionKey) async -> VersionToken? {
      await withCheckedContinuation { continuation in
        bench.service.version(of: key) { continuation.resume(returning: $0) }
      }
    }
    #expect(await version(bench.key) == head)
    #expect(await version(CollectionKey(client: name("u42"), name: name("none"))) == nil)
    #expect(await version(CollectionKey(client: name("nobody"), name: name("none"))) == nil)
    #expect(store.reads.allSatisfy { $0 == [.summaries] })
    #expect(bench.service.counters.loads.value == 0)
  }

  @Test func `a cold write asks the store once, for what it was answered with too`() async throws {
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    let key = IdempotencyKey(text: "k", fingerprint: ContentHash(high: 1, low: 1))
    _ = try await bench.write(WriteRequest(.put(body: Array("[]".utf8)), key: key))
    #expect(
      store.reads == [
        [.summaries, .collection(Self.inbox, unlessAt: nil), .records(Self.inbox)]
      ])
  }

  /// The clock stands still, so that no wait ends by itself.
  @Test(arguments: [true, false])
  func `a reader whose wait is ended gets what is known, before and after the load`(
    isLoading: Bool
  ) async throws {
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    store.isHolding = true
    let answers = Mutex<[String]>([])
    let request = ReadRequest(.everything, since: head, form: .plain, waitSeconds: 25)
    let ticket = bench.service.read(bench.key, request) { result, _ in
      let text = try? result.get().text
      answers.withLock { $0.append(text ?? "none") }
    }
    try await store.untilHeld()
    if isLoading { ticket.endWait() }
    store.isHolding = false
    store.release()
    if !isLoading {
      try await bench.untilParked()
      ticket.endWait()
    }
    try await until { !answers.withLock(\.isEmpty) }
    try await bench.untilParked(0)
    #expect(answers.withLock { $0 } == ["unchanged"])
  }

  @Test func `what several want is read once`() async throws {
    let store = WatchedStore(disk.store)
    let head = head
    store.isHolding = true
    let bench = ServiceBench(store: store, seed: 99)
    async let one = bench.delta(since: nil)
    try await store.untilHeld()
    async let two = bench.delta(since: nil)
    async let three = bench.delta(since: head)
    store.isHolding = false
    store.release()
    #expect(try await [one.text, two.text, three.text] == [":1,2", ":1,2", "unchanged"])
    #expect(bench.service.counters.loads.value == 1)
  }

  @Test func `of several collections only those are loaded that the reader lags behind`()
    async throws
  {
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    let entries = [
      SyncRequest.Entry(.everything, name: Self.inbox, since: head),
      SyncRequest.Entry(.everything, name: Self.other.name, since: nil),
    ]
    let answer = try await withCheckedContinuation { continuation in
      bench.service.sync(
        bench.key.client, SyncRequest(entries: entries, form: .plain), waitSeconds: 0
      ) { continuation.resume(returning: $0) }
    }.get()
    #expect(answer.unchanged == [entries[0]])
    #expect(answer.news.map(\.name) == [Self.other.name])
    #expect(answer.held.map(\.name) == [Self.inbox, Self.other.name])
    #expect(store.reads == [[.summaries], [.collection(Self.other.name, unlessAt: nil)]])
  }

  @Test func `what is deleted while the store reads it does not come back`() async throws {
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    // The client is known then, and stays in memory.
    _ = try await bench.read(ReadRequest(.everything, since: nil, form: .plain), Self.other)
    store.isHolding = true
    async let reader = refusal { try await bench.delta(since: nil) }
    try await store.untilHeld()
    _ = try await bench.delete()
    store.isHolding = false
    store.release()
    #expect(await reader != nil)
    #expect(await refusal { try await bench.delta(since: nil) } != nil)
    #expect(try await bench.put(#"[{"id":2}]"#).version.lineage != first.lineage)
  }

  @Test func `who reads an older version does not wait until one is restored`() async throws {
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    store.isHoldingCommits = true
    let body = Array(#"{"to":"\#(first)"}"#.utf8)
    async let restored = bench.write(WriteRequest(.revert(body: body)))
    try await store.untilHeld()
    let answers = Mutex<[ReadAnswer]>([])
    bench.service.snapshot(
      of: bench.key, at: first, ReadRequest(.everything, since: nil, form: .plain)
    ) { result, _ in
      if let answer = try? result.get() { answers.withLock { $0.append(answer) } }
    }
    try await until { !answers.withLock(\.isEmpty) }
    #expect(answers.withLock { $0.map(\.heldVersion) } == [first])
    store.release()
    #expect(try await restored.isChanged)
  }

  @Test func `an older version is read once for all views that want it meanwhile`() async throws {
    // What it replaces is no longer in memory after the restart.
    _ = try await disk.bench.put(#"[{"id":1,"text":"new"},{"id":2}]"#)
    try disk.restart()
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    _ = try await bench.read(ReadRequest(.everything, since: nil, form: .plain))
    store.isHolding = true
    let answers = Mutex<[ReadAnswer]>([])
    for number in 1...3 {
      var request = ReadRequest(.everything, since: head, form: .plain)
      request.form.view = try ViewQuery([
        ("where", "/text:absent"), ("where", "/id:ge:\(number - 3)"),
      ])
      bench.service.read(bench.key, request) { result, _ in
        if let answer = try? result.get() { answers.withLock { $0.append(answer) } }
      }
    }
    try await store.untilHeld()
    // The shard takes this after all of them.
    #expect(try await bench.versions().count == 3)
    store.isHolding = false
    store.release()
    try await until { answers.withLock { $0.count == 3 } }
    #expect(answers.withLock { $0.map(\.text) } == ["delta -1", "delta -1", "delta -1"])
    let part = StoredPart.version(Self.inbox, head)
    #expect(store.reads.count { $0.contains(part) } == 1)
  }

  @Test func `what leaves memory while another version is read for a view is read, too`()
    async throws
  {
    let otherFirst = try await disk.bench.put(#"[{"id":1}]"#, to: Self.other).version
    for key in [disk.bench.key, Self.other] {
      _ = try await disk.bench.put(#"[{"id":1,"text":"new"},{"id":2}]"#, to: key)
    }
    try disk.restart()
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    func view(_ least: Int) throws -> ViewQuery {
      try ViewQuery([("where", "/id:ge:\(least)"), ("select", "/text")])
    }
    for key in [bench.key, Self.other] {
      _ = try await bench.read(ReadRequest(.everything, since: nil, form: .plain), key)
    }
    var request = ReadRequest(.everything, since: head, form: .plain)
    request.form.view = try view(0)
    _ = try await bench.read(request)
    store.isHolding = true
    var entries = [
      SyncRequest.Entry(.everything, name: Self.inbox, since: head),
      SyncRequest.Entry(.everything, name: Self.other.name, since: otherFirst),
    ]
    for index in entries.indices { entries[index].view = try view(1) }
    let answer = Mutex<SyncAnswer?>(nil)
    bench.service.sync(
      bench.key.client, SyncRequest(entries: entries, form: .plain), waitSeconds: 0
    ) { result in
      if let news = try? result.get() { answer.withLock { $0 = news } }
    }
    try await store.untilHeld()
    // The version that the reader has of the inbox was in memory until now.
    _ = try await bench.put(#"[{"id":7,"text":"newer"}]"#)
    request.since = nil
    _ = try await bench.read(request)
    store.isHolding = false
    store.release()
    try await until { answer.withLock { $0 != nil } }
    let news = answer.withLock { $0?.news ?? [] }
    let change = #"!{"id":1,"text":"new"}"#
    #expect(news.map(\.answer.text) == ["delta \(change)", #"delta +2{"id":2} \#(change)"#])
  }

  @Test func `a version that was read is of use after its collection is loaded again`() async throws
  {
    var limits = ServiceLimits()
    limits.retention.versionsMax = 4
    let disk = try StoreBench(limits: limits)
    func load() async throws -> CollectionState {
      let results = await withCheckedContinuation { continuation in
        disk.store.read([.collection(Self.inbox, unlessAt: nil)], of: disk.bench.key.client) {
          continuation.resume(returning: $0)
        }
      }
      let stored: StoredCollection? =
        if case .success(.collection(let stored)) = results[0] { stored } else { nil }
      return CollectionState(name: Self.inbox, try #require(stored))
    }
    func live() async throws -> CollectionState {
      let (service, key) = (disk.bench.service, disk.bench.key)
      let state = await withCheckedContinuation { continuation in
        service.shard(of: key.client).inspect {
          continuation.resume(returning: $0.clients[key.client]?.collections[key.name]?.state)
        }
      }
      return try #require(state)
    }
    func isRenumbered(_ older: CollectionState, _ newer: CollectionState) throws -> Bool {
      let query = try ViewQuery([("where", "/id:exists")])
      let (view, reader) = (CompiledView(query.view, newer.settings), JSONReader(depthMax: 8))
      let record = try #require(newer.history[older.record.seq])
      let viewed = try newer.viewed(view, at: record, RetainedVersion(older, older.record), reader)
      let list = try #require(
        try viewed.flatMap { viewed in
          try viewed.run(nil).flatMap { try view.list($0, of: viewed, reader) }
        })
      let numbers = list.sections.flatMap(\.items).map(\.uniqueID)
      let known = older.sections.flatMap(\.items).map(\.uniqueID)
      #expect(numbers.map { Array(newer.ids.text($0)) } == known.map { Array(older.ids.text($0)) })
      return numbers != known
    }
    let text = String(repeating: "text ", count: 1000)
    var states: [CollectionState] = []
    var count = 0
    for number in 1...20 {
      let items = [number, number - 3, -number].map { #"{"id":\#($0),"text":"\#(text)"}"# }
      _ = try await disk.bench.put("[\(items.joined(separator: ","))]")
      let newer = try await load()
      for older in states.suffix(3) where try isRenumbered(older, newer) { count += 1 }
      states.append(try await live())
    }
    #expect(count > 0)
  }

  @Test func `what is deleted together goes together for who reads it meanwhile`() async throws {
    let store = WatchedStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    // The one is in memory then, the other is not.
    _ = try await bench.read(ReadRequest(.everything, since: nil, form: .plain), Self.other)
    store.isHoldingCommits = true
    bench.service.deleteClient(bench.key.client) { _ in }
    try await store.untilHeld()
    let answers = Mutex<[SyncAnswer]>([])
    let names = [Self.inbox, Self.other.name]
    let request = SyncRequest(
      entries: names.map { .init(.everything, name: $0, since: nil) }, form: .plain)
    bench.service.sync(bench.key.client, request, waitSeconds: 0) { result in
      if let answer = try? result.get() { answers.withLock { $0.append(answer) } }
    }
    let part = StoredPart.collection(Self.inbox, unlessAt: nil)
    try await until {
      !answers.withLock(\.isEmpty) || store.reads.count(where: { $0.contains(part) }) >= 2
    }
    store.release()
    try await until { !answers.withLock(\.isEmpty) }
    #expect(answers.withLock { $0.map(\.missing) } == [names])
  }
}

/// A store that notes what it is asked for, and answers when the test says so.
private final class WatchedStore: CollectionStore {
  private struct State {
    var reads: [[StoredPart]] = []
    var isHolding = false
    var isHoldingCommits = false
    var held: [@Sendable () -> Void] = []
  }

  private let store: SQLiteStore
  private let state = Mutex(State())

  init(_ store: SQLiteStore) { self.store = store }

  var outage: StoreOutage? { store.outage }
  var keepsContents: Bool { true }
  var reads: [[StoredPart]] { state.withLock { $0.reads } }
  var isHolding: Bool {
    get { state.withLock { $0.isHolding } }
    set { state.withLock { $0.isHolding = newValue } }
  }

  var isHoldingCommits: Bool {
    get { state.withLock { $0.isHoldingCommits } }
    set { state.withLock { $0.isHoldingCommits = newValue } }
  }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    store.commit(transaction) { [self] result in
      end(isHeld: \.isHoldingCommits) { completion(result) }
    }
  }

  func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) {
    state.withLock { $0.reads.append(parts) }
    store.read(parts, of: client) { [self] results in
      end(isHeld: \.isHolding) { completion(results) }
    }
  }

  private func end(
    isHeld: @Sendable (State) -> Bool, _ completion: @escaping @Sendable () -> Void
  ) {
    let isHeld = state.withLock { state in
      let isHeld = isHeld(state)
      if isHeld { state.held.append(completion) }
      return isHeld
    }
    if !isHeld { completion() }
  }

  func untilHeld() async throws {
    try await until { state.withLock({ !$0.held.isEmpty }) }
  }

  func release() {
    let all = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for completion in all { completion() }
  }
}
