import SnapshotJSON

/// What a shard has of one client: its collections, those who wait for them, and writes under way.
final class ClientState {
  let name: ResourceName
  /// Those that are in memory.
  var collections: [ResourceName: HostedCollection] = [:]
  /// Those that only the store has.
  var stored: [ResourceName: CollectionSummary] = [:]
  /// Whether it is known which collections there are.
  var isKnown = false
  /// What waits for the store to give something back.
  var arrivals: [Arrival: [(StoreError?) -> Void]] = [:]
  /// Requests that are on their way through the store to what they are about.
  var arriving = 0
  /// By the name of the collection, which need not exist.
  var waiters: [ResourceName: [UInt64: Waiter]] = [:]
  /// Requests with keys, by collection, also one that is gone; under nil those of batches.
  var ledgers = IdempotencyLedgers()
  /// The bytes of `ledgers` that its shard has counted.
  var countedLedgerBytes = 0
  /// Collections with a transaction at the store.
  var busy: Set<ResourceName> = []
  /// Writes that have not begun, in order of arrival.
  var pending: [WriteJob] = []

  /// How many times over pending jobs are being started: some are then in nobody's list.
  var startDepth = 0

  init(name: ResourceName) { self.name = name }

  /// Something that the store is asked for.
  enum Arrival: Hashable {
    /// Which collections there are.
    case summaries
    /// A collection.
    case collection(ResourceName)
    /// The requests that carried keys.
    case ledger(ResourceName?)

    /// The collection that it is about, if it is one.
    var collection: ResourceName? {
      switch self {
      case .summaries: nil
      case .collection(let name): name
      case .ledger(let name): name
      }
    }
  }

  /// Whether nothing would be lost by forgetting it.
  ///
  /// - Parameter isStored: Whether the store gives back what it is asked for.
  /// - Returns: Whether it is not needed in memory.
  func isIdle(isStored: Bool) -> Bool {
    collections.isEmpty && waiters.isEmpty && busy.isEmpty && pending.isEmpty && startDepth == 0
      && arriving == 0
      && (isStored ? !ledgers.areInFlight : ledgers.isEmpty)
  }

  /// The collections that can be served, in memory or not, in any order.
  var readableNames: [ResourceName] {
    collections.keys + stored.values.lazy.filter { $0.damage == nil }.map(\.name)
  }

  /// The number of collections, in memory or not.
  var collectionCount: Int { collections.count + stored.count }

  /// The head of a collection, in memory or not.
  func head(_ name: ResourceName) -> VersionToken? {
    collections[name]?.token ?? stored[name]?.version
  }

  /// Whether there is such a collection, in memory or not.
  func has(_ name: ResourceName) -> Bool { collections[name] != nil || stored[name] != nil }

  /// Whether collections must stay in memory: somebody is about to read or write some.
  ///
  /// Readers that wait need none: most hold the newest version, whose token is known. For the
  /// others what they need is loaded again.
  var isPinned: Bool { !busy.isEmpty || !pending.isEmpty || startDepth > 0 || arriving > 0 }

  /// How a reader's version stands to a collection, as far as that is known without loading it;
  /// nil when there is no such collection.
  func standing(of since: VersionToken?, to name: ResourceName) -> Standing? {
    if let collection = collections[name] { return collection.standing(of: since) }
    guard let head = stored[name]?.version else { return nil }
    guard let since else { return .initial }
    if since == head { return .current }
    guard since.lineage == head.lineage else { return .otherLineage(since) }
    return since.seq > head.seq ? .ahead(since) : .compacted(since)
  }

  /// The collections that must be loaded to tell a reader what is new.
  func unloaded(_ entries: [SyncRequest.Entry]) -> [ResourceName] {
    if stored.isEmpty { return [] }
    return entries.compactMap { entry in
      stored[entry.name].flatMap { $0.version == entry.since ? nil : entry.name }
    }
  }
}

/// Writes to collections of one client that happen together.
final class WriteJob {
  /// One collection's part, its body read.
  struct Write: Sendable {
    /// Reads the body in full, by a collection's settings; nil when there is none.
    typealias Reading =
      @Sendable (
        JSONReader, ServiceLimits, CollectionSettings?
      ) -> ParsedChange

    var name: ResourceName
    var change: ParsedChange
    var precondition: Precondition
    var answer: WriteRequest.Answer
    /// The settings that the body was read by.
    var readBy: CollectionSettings?
    /// Reads the body again: the collection may have other settings when the write's turn comes.
    var read: Reading?

    /// Whether the writer says nothing of the state that it builds on, though it could.
    var needsPrecondition: Bool { precondition.isEmpty && !isOfClient }
    /// Whether it is a part of forgetting the whole client.
    var isOfClient = false

    /// The change as it is by the settings and beside the head that the collection has now.
    func change(
      of collection: HostedCollection?, _ reader: JSONReader, _ limits: ServiceLimits
    ) -> ParsedChange {
      guard let read else { return change }
      if collection?.settings == readBy, change.fits(collection) { return change }
      return read(reader, limits, collection?.settings)
    }
  }

  /// What it changes.
  enum Scope {
    /// Some collections.
    case writes([Write])
    /// All that exist when its turn comes: they are deleted.
    case deleteAll
  }

  let scope: Scope
  /// Whether one failure is that of all.
  let isAtomic: Bool
  /// Whether it came as a batch, even of one.
  let isBatch: Bool
  /// What tells it from a new request when it comes again.
  let key: IdempotencyKey?
  /// What the log calls the request.
  let requestID: RequestID?
  private let reply: ([Result<WriteReceipt, ServiceFailure>]) -> Void

  init(
    _ scope: Scope, isAtomic: Bool = true, isBatch: Bool = false,
    key: IdempotencyKey? = nil, requestID: RequestID? = nil,
    reply: @escaping ([Result<WriteReceipt, ServiceFailure>]) -> Void
  ) {
    self.scope = scope
    self.isAtomic = isAtomic
    self.isBatch = isBatch
    self.key = key
    self.requestID = requestID
    self.reply = reply
  }

  /// The collection whose ledger knows its key; nil for that of batches.
  var ledgerName: ResourceName? {
    guard case .writes(let writes) = scope, writes.count == 1, !isBatch else { return nil }
    return writes[0].name
  }

  /// Answers it, and takes its key out of those under way.
  func finish(
    _ results: [Result<WriteReceipt, ServiceFailure>], _ client: ClientState,
    record: IdempotencyRecord? = nil
  ) {
    if let key { client.ledgers.update(ledgerName) { $0.end(key, record: record) } }
    reply(results)
  }

  /// Answers it without having begun.
  func refuse(_ error: ServiceError, _ client: ClientState) {
    let names = names ?? []
    reply(names.map { .failure(ServiceFailure(error, current: client.head($0))) })
  }

  /// Answers it with why the store did not give back what it needs.
  func fail(_ error: ServiceError, _ client: ClientState) {
    if case .deleteAll = scope { return reply([.failure(ServiceFailure(error, current: nil))]) }
    refuse(error, client)
  }

  /// Answers it with what it was answered with before.
  func replay(_ receipts: [WriteReceipt]) {
    reply(
      receipts.map { receipt in
        var receipt = receipt
        receipt.isReplayed = true
        return .success(receipt)
      })
  }

  /// The collections that must be free for it; nil for all.
  var names: [ResourceName]? {
    if case .writes(let writes) = scope { writes.map(\.name) } else { nil }
  }

  /// The writes, when its turn has come.
  func writes(_ client: ClientState) -> [Write] {
    switch scope {
    case .writes(let writes): writes
    case .deleteAll:
      (Array(client.collections.keys) + client.stored.keys).map { name in
        Write(
          name: name, change: .delete, precondition: Precondition(), answer: .receipt,
          isOfClient: true)
      }
    }
  }
}

/// A change whose body was read, for better or worse.
enum ParsedChange: Sendable {
  case put(Result<ParsedSnapshot, ServiceError>)
  case edit(Result<EditList, ServiceError>)
  case patch(Result<JSONPatch, ServiceError>)
  case settings(Result<SettingsChange, ServiceError>)
  case delete

  /// Whether it can be taken as it was read.
  func fits(_ collection: HostedCollection?) -> Bool {
    guard case .put(.success(let parsed)) = self, parsed.known != nil else { return true }
    return collection?.takes(parsed) ?? false
  }

  /// What is wrong with the body.
  var error: ServiceError? {
    switch self {
    case .put(.failure(let error)), .edit(.failure(let error)), .patch(.failure(let error)),
      .settings(.failure(let error)):
      error
    case .put(.success), .edit(.success), .patch(.success), .settings(.success), .delete: nil
    }
  }
}
