import VersionedCollections

/// The state of one client on its shard: collections, waiting readers and pending writes.
final class ClientState {
  let name: ResourceName
  /// Tells it from a client of the same name that was in memory before.
  let number: Int
  /// Collections in memory.
  var collections: [ResourceName: HostedCollection] = [:]
  /// Summaries of collections that are only in the store.
  var stored: [ResourceName: CollectionSummary] = [:]
  /// Whether the list of collections has been read from the store.
  var isKnown = false
  /// Requests that wait for something to be read from the store.
  var loads = Loads()
  /// The IDs of readers that wait for changes, by collection, which need not exist; maintained by
  /// `Waiters`.
  var waiters: [ResourceName: Set<UInt64>] = [:]
  /// Requests with idempotency keys.
  var idempotency = IdempotencyIndex()
  /// Whether its shard finds it by its name; false once it is released.
  var isInMemory = false
  /// The size included in the shard's count, in bytes.
  var countedBytes = 0
  /// Collections that a list of a shared store has changed in memory since their write started, or
  /// does not have while they are being created.
  var overtaken: Set<ResourceName> = []
  /// Unanswered writes, in order of arrival.
  var line = WriteQueue<WriteJob>()

  init(name: ResourceName, number: Int) {
    self.name = name
    self.number = number
  }

  /// The approximate size in bytes, without the collections in memory.
  var byteCount: Int {
    HeapCost.client + HeapCost.name(name) + stored.count * HeapCost.summary
      + idempotency.byteCount
  }

  /// Returns whether the client can be removed from memory without losing anything; only what is stored can
  /// be loaded again.
  func isIdle(isStored: Bool) -> Bool {
    collections.isEmpty && waiters.isEmpty && line.isEmpty && loads.isEmpty
      && (isStored ? !idempotency.hasRequestsUnderWay : idempotency.isEmpty)
  }

  /// The names of undamaged collections, in memory or not, in any order.
  var readableNames: [ResourceName] {
    collections.keys + stored.values.lazy.filter { $0.damage == nil }.map(\.name)
  }

  /// The number of collections, in memory or not.
  var collectionCount: Int { collections.count + stored.count }

  /// The head of a collection, in memory or not.
  func head(_ name: ResourceName) -> VersionToken? {
    collections[name]?.token ?? stored[name]?.version
  }

  /// The secret of a collection's lineage, in memory or not; nil if it is not known.
  func secret(_ name: ResourceName) -> Lineage.Secret? {
    collections[name]?.state.lineage.secret ?? stored[name]?.secret
  }

  /// The head of a collection as a reader may be told it; nil where that is not known.
  func head(_ entry: SyncRequest.Entry) -> VersionToken? {
    guard let state = collections[entry.name]?.state else {
      return entry.access == .everything ? head(entry.name) : nil
    }
    // An error means that the reader is refused, and told no version.
    return try? VisibleCollection(state, entry.access).token
  }

  /// Whether there is such a collection, in memory or not.
  func has(_ name: ResourceName) -> Bool { collections[name] != nil || stored[name] != nil }

  /// Whether anybody may read a collection; nil if that is known only once it is loaded.
  func isPublic(_ name: ResourceName) -> Bool? {
    if let collection = collections[name] { return collection.state.settings.isPublic }
    guard let summary = stored[name] else { return false }
    return summary.isPublic
  }

  /// What is in memory of a collection.
  func mark(of name: ResourceName) -> CollectionMark? {
    collections[name].map { CollectionMark($0.state) } ?? stored[name].map { CollectionMark($0) }
  }

  /// What is in memory of all collections.
  var marks: [ResourceName: CollectionMark] {
    var marks = stored.mapValues { CollectionMark($0) }
    for (name, collection) in collections { marks[name] = CollectionMark(collection.state) }
    return marks
  }

  /// Whether collections must stay in memory because a request is about to use them.
  ///
  /// Waiting readers do not pin collections: most have the head, whose token is known. What the
  /// others need is loaded again.
  var isPinned: Bool { !line.isEmpty || !loads.isEmpty }

  /// Relates the newest version that a reader has to a collection, as it sees that, as precisely as possible without
  /// loading it; nil if the collection does not exist.
  func relation(of entry: SyncRequest.Entry) -> VersionRelation? {
    guard let state = collections[entry.name]?.state else {
      return relation(of: entry.newest, to: entry.name)
    }
    do throws(ServiceError) {
      return try VisibleCollection(state, entry.access).relation(of: entry.newest)
    } catch {
      // The reader is told that it may not read.
      return .initial
    }
  }

  /// Relates a version, under whatever restriction its token was given, to a collection as precisely as possible without
  /// loading it; nil if the collection does not exist.
  func relation(of since: VersionToken?, to name: ResourceName) -> VersionRelation? {
    if let collection = collections[name] { return collection.state.relation(of: since) }
    guard let head = stored[name]?.version else { return nil }
    guard let since else { return .initial }
    if since.unrenewed == head { return .current }
    guard since.lineage == head.lineage else { return .otherLineage(since) }
    return since.seq > head.seq ? .ahead(since) : .compacted(since)
  }

  /// Those collections that must be loaded.
  func unloaded(_ needed: [NeededCollection]) -> [NeededCollection] {
    if stored.isEmpty { return [] }
    return needed.filter { collection in
      stored[collection.name].map { $0.version != collection.sufficient } ?? false
    }
  }

  /// Whether a reader has a version that a collection has not reached yet.
  func isBehind(_ entries: [SyncRequest.Entry]) -> Bool {
    entries.contains { entry in
      var held = entry
      held.same = nil
      return if case .ahead? = relation(of: held) { true } else { false }
    }
  }

  /// Traps unless a collection is in one place, and the parts agree with themselves.
  func checkInvariants() {
    loads.checkInvariants()
    for name in stored.keys {
      precondition(collections[name] == nil, "\(name) is in memory and left there")
    }
    for (name, collection) in collections {
      precondition(collection.name == name, "\(collection.name) is found as \(name)")
    }
    precondition(waiters.values.allSatisfy { !$0.isEmpty }, "nobody waits for a collection")
  }
}

/// A collection's version and settings.
struct CollectionMark: Hashable, Sendable {
  var version: VersionToken
  var revision: Int

  init(_ summary: CollectionSummary) { (version, revision) = (summary.version, summary.revision) }

  init(_ state: CollectionState) { (version, revision) = (state.token, state.revision) }

  init(_ stored: StoredCollection) { (version, revision) = (stored.version, stored.revision) }

  /// Whether this is later than another mark of the same lineage.
  func follows(_ other: CollectionMark?) -> Bool {
    other.map { version.lineage == $0.version.lineage && revision > $0.revision } ?? false
  }
}
