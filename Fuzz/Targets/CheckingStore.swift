import Synchronization

@testable import CollectionService
@testable import VersionedCollections

/// A store that keeps images and changes in memory, and reads back all it is given at once.
///
/// What is committed must load with the digest that was committed, and its image, written anew, must
/// load to the same.
final class CheckingStore: CollectionStore {
  private struct Kept {
    var lineage: Lineage
    var image: [UInt8]
    var changes: [[UInt8]] = []
    var stored = StoredSettings(settings: nil, overrides: nil)

    func load() throws(DamagedData) -> StoredCollection {
      var collection = try StoredCollection(lineage: lineage, image: image)
      for change in changes { try collection.apply(change: change) }
      try collection.apply(stored)
      try collection.checkIDs()
      return collection
    }
  }

  private let kept: Mutex<[CollectionKey: Kept]>
  /// Whether the collections that it began with were made here, and have the digests they say.
  private let isTrusted: Bool

  /// A store that has some collections.
  init(_ collections: [CollectionKey: StoredCollection] = [:]) {
    isTrusted = collections.isEmpty
    kept = Mutex(collections.mapValues { Kept(lineage: $0.lineage, image: $0.image()) })
  }

  /// The image of a collection; empty without one.
  func image(of key: CollectionKey) -> [UInt8] { kept.withLock { $0[key]?.image ?? [] } }

  var keepsContents: Bool { true }

  func countCollections(_ completion: @escaping @Sendable (Int) -> Void) {
    completion(kept.withLock { $0.count })
  }

  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
  ) {
    kept.withLock { kept in
      for entry in transaction.entries {
        let key = CollectionKey(client: transaction.client, name: entry.name)
        commit(entry.change, to: &kept[key])
      }
    }
    completion(.success(()))
  }

  private func commit(_ change: StoreTransaction.Change, to kept: inout Kept?) {
    switch change {
    case .delete: kept = nil
    case .check: break
    case .restore(let history):
      let collection = history.collection
      kept = Kept(
        lineage: collection.lineage, image: collection.image(), stored: collection.storedSettings)
    case .configure(let stored): kept?.stored = stored
    case .put(let version):
      if let bytes = version.encodedChange() {
        kept?.changes.append(bytes)
      } else {
        kept = Kept(lineage: version.lineage, image: version.encodedImage())
      }
      if let stored = version.settings { kept?.stored = stored }
      guard let current = kept else { fatalError("a change of nothing") }
      kept?.image = readBack(current, at: version.token)
      kept?.changes = []
    }
  }

  /// Reads a collection back; gives its image.
  private func readBack(_ kept: Kept, at version: VersionToken) -> [UInt8] {
    do throws(DamagedData) {
      let collection = try kept.load()
      check(collection.version == version, "\(collection.version), not \(version)")
      if isTrusted { try collection.checkDigest() }
      let image = collection.image()
      let again = try StoredCollection(lineage: kept.lineage, image: image)
      check(again.image() == image, "another image")
      check(again.versions == collection.versions, "other versions")
      return image
    } catch {
      fatalError(error.reason)
    }
  }

  func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) {
    let all = kept.withLock { $0 }.mapValues { kept -> StoredCollection in
      guard let collection = try? kept.load() else { fatalError("not loaded") }
      return collection
    }
    completion(
      parts.map { part in
        switch part {
        case .summaries:
          let summaries = all.map { key, collection in
            CollectionSummary(
              name: key.name, version: collection.version, itemCount: collection.itemCount)
          }
          return .success(.summaries(summaries))
        case .collection(let name, let known):
          let collection = all[CollectionKey(client: client, name: name)]
          let isKnown = known != nil && collection?.version == known
          return .success(isKnown ? .unchanged : .collection(collection))
        case .version: return .success(.version(nil))
        case .history(let name):
          let collection = all[CollectionKey(client: client, name: name)]
          return .success(.history(collection.map { StoredHistory($0) }))
        case .records: return .success(.records([]))
        }
      })
  }
}
