import TestSupport

@testable import CollectionService
@testable import VersionedCollections

/// A store that is plain state, used in one thread: all collections of all clients.
final class MachineStore {
  private(set) var collections: [CollectionKey: StoredCollection] = [:]
  private var records: [ResourceName: [IdempotencyRecord]] = [:]
  /// The number of transactions that were refused because of a conflict.
  private(set) var conflictCount = 0
  /// The feed of changes.
  private var changes: [(number: UInt64, change: CollectionChange)] = []

  func head(_ key: CollectionKey) -> VersionToken? { collections[key]?.version }

  func commit(_ transaction: StoreTransaction) -> Result<Void, StoreError> {
    for entry in transaction.entries {
      let key = CollectionKey(client: transaction.client, name: entry.name)
      let stored = collections[key]
      guard stored?.version == entry.expected,
        entry.expectedRevision.map({ $0 == stored?.revision }) ?? true
      else {
        conflictCount += 1
        return .failure(.conflict)
      }
    }
    for entry in transaction.entries {
      let key = CollectionKey(client: transaction.client, name: entry.name)
      switch entry.change {
      case .put(let version):
        let revision = (collections[key]?.revision ?? 0) + 1
        collections[key] = Self.stored(version)
        collections[key]?.revision = revision
        add(
          CollectionChange(
            key: key, version: version.token, secret: version.lineage.secret, isDeleted: false))
      case .delete:
        if let stored = collections.removeValue(forKey: key) {
          add(
            CollectionChange(
              key: key, version: stored.version, secret: stored.lineage.secret, isDeleted: true))
        }
      case .check, .configure, .restore: break
      }
    }
    if let record = transaction.idempotency {
      records[transaction.client, default: []].append(record)
    }
    return .success(())
  }

  /// Changes settings that no reader sees.
  func changeSettings(of key: CollectionKey) { collections[key]?.revision += 1 }

  private func add(_ change: CollectionChange) {
    changes.append((UInt64(changes.count + 1), change))
  }

  /// Reads the feed after a number, or its end.
  func feed(after number: UInt64?, countMax: Int) -> StoredFeed {
    let last = UInt64(changes.count)
    guard let number, number <= last else {
      return StoredFeed(epoch: "store", isKnown: false, end: last, changes: [], hasMore: false)
    }
    let read = Array(changes[Int(number)...].prefix(countMax))
    let end = read.last?.number ?? last
    return StoredFeed(
      epoch: "store", isKnown: true, end: end, changes: read, hasMore: end < last)
  }

  private static func stored(_ version: StoredVersion) -> StoredCollection {
    do {
      return try StoredCollection(lineage: version.lineage, image: version.encodedImage())
    } catch {
      preconditionFailure("an image that was just encoded is damaged: \(error)")
    }
  }

  func read(_ part: StoredPart, of client: ResourceName) -> Result<StoredValue, StoreError> {
    switch part {
    case .summaries: return .success(.summaries(summaries(of: client)))
    case .collection(let name, let known):
      let stored = collections[CollectionKey(client: client, name: name)]
      if let known, stored?.version == known { return .success(.unchanged) }
      return .success(.collection(stored))
    case .records(let name):
      return .success(.records((records[client] ?? []).filter { $0.collection == name }))
    case .version, .history: return .failure(.unavailable("only heads are kept"))
    }
  }

  func summaries(of client: ResourceName) -> [CollectionSummary] {
    let ofClient = collections.filter { $0.key.client == client }
    return ofClient.sorted { $0.key.name < $1.key.name }.map { key, stored in
      CollectionSummary(
        name: key.name, version: stored.version, itemCount: stored.itemCount,
        contentByteCount: stored.contentByteCount, revision: stored.revision,
        secret: stored.lineage.secret)
    }
  }
}
