@testable import VersionedCollections

/// A store that several replicas share, as plain state: the rules of conflicts, keys and the feed.
///
/// `@unchecked Sendable`: a simulation has one thread.
final class SimulatedStore: @unchecked Sendable {
  /// A change that was committed.
  struct Commit {
    var key: CollectionKey
    var before: VersionToken?
    /// The new version; nil for a deletion.
    var after: VersionToken?
    /// The lineage of the new version.
    var lineage: Lineage?
    /// The operation that wrote it.
    var operation: Int
    var time: Microseconds
  }

  /// What a standby has of it too, as of a time.
  private struct State {
    var time: Microseconds
    var collections: [CollectionKey: StoredCollection] = [:]
    var records: [ResourceName: [IdempotencyRecord]] = [:]
    var feed: [(number: UInt64, change: CollectionChange)] = []
  }

  private let world: World
  private let retention: Retention
  private var state = State(time: 0)
  /// The states before the last commits, as long as a standby may be at one of them.
  private var older: [State] = []
  /// The collections as they were at each version.
  private var versions: [VersionToken: StoredCollection] = [:]
  private var failoverCount = 0
  /// Called with each change.
  var onCommit: (Commit) -> Void = { _ in }
  /// Called with each change of settings, and the operation.
  var onConfigure: (CollectionKey, Int) -> Void = { _, _ in }

  init(_ world: World, _ retention: Retention) { (self.world, self.retention) = (world, retention) }

  /// The store on a disk that stands for it in a seed with one service; nil in others.
  var disk: DiskStore? { didSet { hasRevisions = disk == nil } }
  /// Whether it counts changes of settings, as only shared stores do.
  private var hasRevisions = true

  /// Another store that has the same, and nobody hears of.
  func copy() -> SimulatedStore {
    let copy = SimulatedStore(world, retention)
    (copy.state, copy.versions, copy.hasRevisions) = (state, versions, hasRevisions)
    return copy
  }

  var collections: [CollectionKey: StoredCollection] { state.collections }

  /// When it was written last.
  var time: Microseconds { state.time }

  func head(_ key: CollectionKey) -> VersionToken? { state.collections[key]?.version }

  // MARK: Writing

  /// Commits a transaction, or refuses it.
  func commit(_ transaction: StoreTransaction, by operation: Int) -> Result<Void, StoreError> {
    guard transaction.entries.allSatisfy({ isExpected($0, transaction.client) }),
      !hasKey(of: transaction)
    else { return .failure(.conflict) }
    while older.count > 1, older[1].time < world.now - Self.lagMax { older.removeFirst() }
    older.append(state)
    state.time = world.now
    for entry in transaction.entries {
      apply(entry, CollectionKey(client: transaction.client, name: entry.name), operation)
    }
    if let record = transaction.idempotency {
      state.records[transaction.client, default: []].append(record)
    }
    return .success(())
  }

  private func isExpected(_ entry: StoreTransaction.Entry, _ client: ResourceName) -> Bool {
    let stored = collections[CollectionKey(client: client, name: entry.name)]
    guard stored?.version == entry.expected else { return false }
    return !hasRevisions || entry.expectedRevision.map { $0 == stored?.revision } ?? true
  }

  private func hasKey(of transaction: StoreTransaction) -> Bool {
    let kept = state.records[transaction.client] ?? []
    if let record = transaction.idempotency {
      return kept.contains {
        $0.collection == record.collection && $0.key.bytes == record.key.bytes
      }
    }
    return transaction.absentKey.map { absent in
      kept.contains { $0.collection == absent.collection && $0.key.text == absent.text }
    } ?? false
  }

  private func apply(_ entry: StoreTransaction.Entry, _ key: CollectionKey, _ operation: Int) {
    let (before, lineage) = (collections[key]?.version, collections[key]?.lineage)
    switch entry.change {
    case .put(let version):
      let revision = (collections[key]?.revision ?? 0) + 1
      state.collections[key] = next(version, after: collections[key])
      state.collections[key]?.revision = revision
      versions[version.token] = collections[key]
    case .configure(let settings):
      state.collections[key]?.revision += 1
      do {
        try state.collections[key]?.apply(settings)
      } catch { world.blame("settings: \(error)") }
      return onConfigure(key, operation)
    case .delete: state.collections[key] = nil
    case .check, .restore: return
    }
    let after = collections[key]?.version
    onCommit(
      Commit(
        key: key, before: before, after: after, lineage: collections[key]?.lineage,
        operation: operation, time: world.now))
    guard let version = after ?? before else { return }
    let change = CollectionChange(
      key: key, version: version, secret: (collections[key]?.lineage ?? lineage)?.secret,
      isDeleted: after == nil)
    state.feed.append((UInt64(state.feed.count + 1), change))
  }

  /// A version as it is read again, with the history that is retained.
  private func next(_ version: StoredVersion, after stored: StoredCollection?) -> StoredCollection?
  {
    do {
      var collection: StoredCollection
      if var known = stored, known.version.lineage == version.token.lineage,
        known.version.seq + 1 == version.token.seq, let change = version.encodedChange()
      {
        try known.apply(change: change)
        collection = known
      } else {
        collection = try StoredCollection(
          lineage: version.lineage, image: version.encodedImage())
      }
      if let settings = version.settings { try collection.apply(settings) }
      collection.trim(retention, now: collection.date)
      try collection.checkDigest()
      if collection.version != version.token {
        world.blame("\(version.token) is stored as \(collection.version)")
      }
      return collection
    } catch {
      world.blame("\(version.token) cannot be stored: \(error)")
      return nil
    }
  }

  /// Forgets everything: a service that was killed in the midst of something keeps itself in memory, and the store.
  func end() {
    disk?.end()
    (disk, state, older, versions) = (nil, State(time: 0), [], [:])
  }

  // MARK: Failover

  /// The most by which a standby is behind.
  static let lagMax = 1.seconds

  /// Has a standby take over that was behind by some time.
  func failOver(lag: Microseconds) {
    let time = world.now - lag
    guard state.time > time, let past = older.last(where: { $0.time <= time }) ?? older.first
    else { return }
    older = []
    state = past
    failoverCount += 1
  }

  // MARK: Reading

  func read(_ part: StoredPart, of client: ResourceName) -> Result<StoredValue, StoreError> {
    if let disk { return disk.read(part, of: client) }
    return stored(part, of: client)
  }

  /// What is to be read.
  func stored(_ part: StoredPart, of client: ResourceName) -> Result<StoredValue, StoreError> {
    switch part {
    case .summaries: return .success(.summaries(summaries(of: client)))
    case .collection(let name, let known):
      let stored = collections[CollectionKey(client: client, name: name)]
      if let known, stored?.version == known { return .success(.unchanged) }
      return .success(.collection(stored))
    case .records(let name):
      return .success(.records((state.records[client] ?? []).filter { $0.collection == name }))
    case .version(_, let version): return .success(.version(versions[version]))
    case .history: return .failure(.unavailable("nobody asks for it"))
    }
  }

  func summaries(of client: ResourceName) -> [CollectionSummary] {
    collections.filter { $0.key.client == client }.sorted { $0.key.name < $1.key.name }.map {
      CollectionSummary(
        name: $0.key.name, version: $0.value.version, itemCount: $0.value.itemCount,
        contentByteCount: $0.value.contentByteCount, revision: $0.value.revision,
        secret: $0.value.lineage.secret)
    }
  }

  func feed(after number: UInt64?, countMax: Int) -> StoredFeed {
    let end = UInt64(state.feed.count)
    let epoch = "feed\(failoverCount)"
    guard let number, number <= end else {
      return StoredFeed(epoch: epoch, isKnown: number == nil, end: end, changes: [], hasMore: false)
    }
    let changes = Array(state.feed[Int(number)...].prefix(countMax))
    return StoredFeed(
      epoch: epoch, isKnown: true, end: changes.last?.number ?? number, changes: changes,
      hasMore: number + UInt64(changes.count) < end)
  }
}
