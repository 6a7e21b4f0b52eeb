import CollectionService
import Synchronization
import TestSupport
import VersionedCollections

/// A store that answers when the test says so, and how.
final class SlowStore: CollectionStore {
  typealias Completion = @Sendable (Result<Void, StoreError>) -> Void

  private let memory = MemoryStore()
  private let held = Mutex<[(transaction: StoreTransaction, completion: Completion)]>([])

  var heldCount: Int { held.withLock { $0.count } }

  func commit(_ transaction: StoreTransaction, completion: @escaping Completion) {
    held.withLock { $0.append((transaction, completion)) }
  }

  /// Lets the oldest transaction through, or fails it.
  func release(_ error: StoreError? = nil) {
    guard let first = held.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
    if let error { return first.completion(.failure(error)) }
    memory.commit(first.transaction, completion: first.completion)
  }

  /// Returns once so many transactions are held.
  func untilHeld(_ count: Int) async throws {
    try await until { heldCount == count }
  }
}
