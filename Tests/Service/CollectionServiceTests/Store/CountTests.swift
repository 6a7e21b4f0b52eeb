import CollectionService
import Synchronization
import TestSupport
import Testing
import VersionedCollections

@Suite(.timeLimit(.minutes(10))) struct CountTests {
  @Test func `a count of a shared store that comes late has the writes before it`() async throws {
    let store = CountedStore()
    let bench = ServiceBench(store: store)
    _ = try await bench.put("[]")
    store.count(1)
    #expect(bench.service.counters.collections.value == 1)
  }
}

/// An empty shared store that counts when the test says so.
private final class CountedStore: CollectionStore {
  private let counting = Mutex<(@Sendable (Int?) -> Void)?>(nil)

  var keepsContents: Bool { true }
  var isShared: Bool { true }

  func count(_ count: Int) { counting.withLock(\.self)?(count) }

  func countCollections(_ completion: @escaping @Sendable (Int?) -> Void) {
    counting.withLock { $0 = completion }
  }

  func commit(_ transaction: StoreTransaction, completion: @escaping StoreCompletion<Void>) {
    completion(.success(()))
  }

  func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) {
    completion(
      parts.map { part in
        switch part {
        case .summaries: .success(.summaries([]))
        case .records: .success(.records([]))
        default: .success(.collection(nil))
        }
      })
  }
}
