import Synchronization
package import VersionedCollections

/// Remembers what a service stores.
package final class RecordingStore: CollectionStore {
  private let memory = MemoryStore()
  private let recorded = Mutex<[StoreTransaction]>([])

  package init() {}

  package var transactions: [StoreTransaction] { recorded.withLock { $0 } }

  package func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    recorded.withLock { $0.append(transaction) }
    memory.commit(transaction, completion: completion)
  }
}

extension CollectionStore {
  /// Why a transaction was not committed; nil when it was.
  package func outcome(_ transaction: StoreTransaction) async -> StoreError? {
    await withCheckedContinuation { continuation in
      commit(transaction) { result in
        if case .failure(let error) = result {
          continuation.resume(returning: error)
        } else {
          continuation.resume(returning: nil)
        }
      }
    }
  }

  package func count() async -> Int? {
    await withCheckedContinuation { continuation in
      countCollections { continuation.resume(returning: $0) }
    }
  }
}
