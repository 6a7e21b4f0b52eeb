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

  private let heads = Mutex<[CollectionKey: Head]>([:])

  /// Creates an empty store.
  public init() {}

  /// Always true.
  public var isReady: Bool { true }

  /// Completes with the number of heads.
  public func countCollections(_ completion: @escaping @Sendable (Int?) -> Void) {
    completion(heads.withLock { $0.count })
  }

  /// Lists the clients by their heads.
  public func clients(
    _ query: ClientQuery,
    completion: @escaping @Sendable (Result<[ClientSummary], StoreError>) -> Void
  ) {
    let counts = heads.withLock { heads in
      heads.keys.reduce(into: [ResourceName: Int]()) { $0[$1.client, default: 0] += 1 }
    }
    let names = counts.keys.filter(query.includes).sorted().prefix(query.limit)
    completion(
      .success(names.map { ClientSummary(name: $0, collectionCount: counts[$0, default: 0]) }))
  }

  /// Records uses of existing collections; completes before it returns.
  public func record(
    uses: [CollectionKey], date: Int64, completion: @escaping @Sendable (Bool) -> Void
  ) {
    heads.withLock { heads in for key in uses { heads[key]?.lastUse = date } }
    completion(true)
  }

  /// Scans all heads; completes before it returns.
  public func unused(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([UnusedCollection]) -> Void
  ) {
    let found = heads.withLock { heads in
      Array(
        heads.lazy.filter { $1.lastUse.map { $0 <= date } ?? true }.prefix(countMax)
          .map { UnusedCollection(key: $0, lastUse: $1.lastUse) })
    }
    completion(found)
  }

  /// Compares and sets the heads; completes before it returns.
  public func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    completion(heads.withLock { Self.apply(transaction, to: &$0) })
  }

  private static func apply(
    _ transaction: StoreTransaction, to heads: inout [CollectionKey: Head]
  ) -> Result<Void, StoreError> {
    let keys = transaction.entries.map { CollectionKey(client: transaction.client, name: $0.name) }
    for (key, entry) in zip(keys, transaction.entries) where heads[key]?.version != entry.expected {
      return .failure(.conflict)
    }
    for (key, entry) in zip(keys, transaction.entries) {
      switch entry.change {
      case .put(let version):
        heads[key, default: Head(version: version.token)].version = version.token
      case .restore(let history):
        let version = history.collection.version
        heads[key, default: Head(version: version)].version = version
      case .configure, .check: break
      case .delete: heads[key] = nil
      }
    }
    return .success(())
  }
}
