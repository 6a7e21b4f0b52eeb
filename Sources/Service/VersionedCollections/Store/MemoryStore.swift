import Synchronization

/// A store without persistence, which completes synchronously.
///
/// It keeps only heads, because the service keeps the contents in memory.
public final class MemoryStore: CollectionStore {
  private struct Head {
    var version: VersionToken
    /// When the collection was last used, as far as that was recorded.
    var lastUse: Int64?
  }

  private struct State {
    private(set) var heads: [CollectionKey: Head] = [:]
    /// The number of collections of each client.
    private(set) var counts: [ResourceName: Int] = [:]
    private(set) var clients = SortedNames()

    mutating func set(_ version: VersionToken, of key: CollectionKey) {
      if heads[key] != nil {
        heads[key]?.version = version
        return
      }
      heads[key] = Head(version: version)
      counts[key.client, default: 0] += 1
      if counts[key.client] == 1 { clients.insert(key.client) }
    }

    mutating func remove(_ key: CollectionKey) {
      guard heads.removeValue(forKey: key) != nil, let count = counts[key.client] else { return }
      counts[key.client] = count > 1 ? count - 1 : nil
      if count == 1 { clients.remove(key.client) }
    }

    mutating func use(_ key: CollectionKey, at date: Int64) { heads[key]?.lastUse = date }
  }

  private let state = Mutex(State())

  /// Creates an empty store.
  public init() {}

  /// Completes with the number of heads.
  public func countCollections(_ completion: @escaping @Sendable (Int?) -> Void) {
    completion(state.withLock { $0.heads.count })
  }

  /// Finds the clients in their order; completes before it returns.
  public func clients(
    in range: NameRange, after name: ResourceName?, limit: Int,
    completion: @escaping StoreCompletion<[ClientSummary]>
  ) {
    let found = state.withLock { state in
      state.clients.names(in: range, after: name, limit: limit).map {
        ClientSummary(name: $0, collectionCount: state.counts[$0, default: 0])
      }
    }
    completion(.success(found))
  }

  /// Records uses of existing collections; completes before it returns.
  public func record(
    uses: [CollectionKey], date: Int64, completion: @escaping @Sendable (Bool) -> Void
  ) {
    state.withLock { state in for key in uses { state.use(key, at: date) } }
    completion(true)
  }

  /// Scans all heads; completes before it returns.
  public func unused(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionKey]) -> Void
  ) {
    completion(
      state.withLock { state in
        Array(
          state.heads.lazy.filter { $1.lastUse.map { $0 <= date } ?? false }.prefix(countMax)
            .map(\.key))
      })
  }

  /// Compares and sets the heads; completes before it returns.
  public func commit(_ transaction: StoreTransaction, completion: @escaping StoreCompletion<Void>) {
    completion(state.withLock { Self.apply(transaction, to: &$0) })
  }

  private static func apply(
    _ transaction: StoreTransaction, to state: inout State
  ) -> Result<Void, StoreError> {
    let keys = transaction.entries.map { CollectionKey(client: transaction.client, name: $0.name) }
    let isExpected = zip(keys, transaction.entries).allSatisfy { key, entry in
      state.heads[key]?.version == entry.expected
    }
    guard isExpected else { return .failure(.conflict) }
    for (key, entry) in zip(keys, transaction.entries) {
      switch entry.change {
      case .put(let version): state.set(version.token, of: key)
      case .restore(let history): state.set(history.collection.version, of: key)
      case .configure, .check: break
      case .delete: state.remove(key)
      }
    }
    return .success(())
  }
}
