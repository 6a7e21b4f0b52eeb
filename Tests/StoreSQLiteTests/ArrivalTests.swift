import CollectionService
import StoreSQLite
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ArrivalTests {
  @Test func `what is deleted while the store reads it does not come back`() async throws {
    let disk = try StoreBench()
    let first = try await disk.bench.put(#"[{"id":1}]"#).version
    try disk.restart()
    let store = LateStore(disk.store)
    let bench = ServiceBench(store: store, seed: 99)
    async let reader = refusal { try await bench.delta(since: nil) }
    await store.untilHeld()
    _ = try await bench.delete()
    store.release()
    #expect(await reader != nil)
    #expect(await refusal { try await bench.delta(since: nil) } != nil)
    #expect(try await bench.put(#"[{"id":2}]"#).version.lineage != first.lineage)
  }
}

/// A store that reads a collection at once, and gives it back when the test says so.
private final class LateStore: CollectionStore {
  private let store: SQLiteStore
  private let held = Mutex<[@Sendable () -> Void]>([])

  init(_ store: SQLiteStore) { self.store = store }

  var isReady: Bool { store.isReady }
  var keepsContents: Bool { true }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) { store.commit(transaction, completion: completion) }

  func summaries(
    of client: ResourceName,
    completion: @escaping @Sendable (Result<[CollectionSummary], StoreError>) -> Void
  ) { store.summaries(of: client, completion: completion) }

  func load(
    _ key: CollectionKey,
    completion: @escaping @Sendable (Result<StoredCollection?, StoreError>) -> Void
  ) {
    store.load(key) { [self] result in
      held.withLock { $0.append { completion(result) } }
    }
  }

  func untilHeld() async {
    while held.withLock({ $0.isEmpty }) { await Task.yield() }
  }

  func release() {
    let all = held.withLock { held in
      defer { held = [] }
      return held
    }
    for completion in all { completion() }
  }
}
