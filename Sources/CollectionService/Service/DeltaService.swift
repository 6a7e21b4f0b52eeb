import Dispatch
import SnapshotJSON
import Synchronization

/// All collections of all clients: takes snapshots from writers, and tells readers what changed.
///
/// Requests may come from any thread. Answers come on a queue of the service, which must not be
/// kept: pass them on and return.
public final class DeltaService: Sendable {
  /// What the service allows.
  public let limits: ServiceLimits
  /// What the service counted.
  public let counters: ServiceCounters
  let store: any CollectionStore
  private let shards: [Shard]
  let workers: ParseWorkers
  let encoders: AnswerEncoders
  let judge: DeltaJudge
  let faults: FaultSink
  private let waiterIDs = Atomic<UInt64>(0)

  /// A service over a store.
  ///
  /// - Parameters:
  ///   - store: Where versions become durable.
  ///   - encoders: How answers become bytes.
  ///   - limits: What is allowed.
  ///   - time: Where the service gets its time.
  ///   - generator: Makes the source of randomness of each queue; for lineages and jitter.
  ///   - faults: Gets what goes wrong inside the service.
  public convenience init(
    store: any CollectionStore, encoders: AnswerEncoders,
    limits: ServiceLimits = ServiceLimits(), time: TimeSource = .system,
    generator: () -> any RandomNumberGenerator = { SystemRandomNumberGenerator() },
    faults: @escaping FaultSink = { _ in }
  ) {
    self.init(
      store: store, encoders: encoders, limits: limits, time: time, generator: generator,
      faults: faults, judge: { $0.violation(from: $1, to: $2) })
  }

  /// A service whose deltas are judged by something else than the simulator, for tests.
  package init(
    store: any CollectionStore, encoders: AnswerEncoders, limits: ServiceLimits,
    time: TimeSource, generator: () -> any RandomNumberGenerator, faults: @escaping FaultSink,
    judge: @escaping DeltaJudge
  ) {
    self.store = store
    self.faults = faults
    self.limits = limits
    self.encoders = encoders
    self.judge = judge
    let counters = ServiceCounters()
    self.counters = counters
    var epochs = generator()
    let context = ServiceContext(
      store: store, limits: limits, time: time, encoders: encoders, counters: counters,
      judge: judge,
      changes: ChangeLog(epoch: Lineage.random(using: &epochs), changesMax: limits.changesMax),
      memory: MemoryBudget(limits, counters, isHardLimit: !store.keepsContents),
      loadLine: LoadLine(), answers: AnswerCache(bytesMax: limits.cacheBytesMax), faults: faults)
    let shards = (0..<max(1, limits.shardCount)).map { index in
      Shard(index: index, context: context, generator: generator())
    }
    self.shards = shards
    workers = ParseWorkers(limits: limits)
    let home = shards[0]
    for shard in shards {
      // Weak: the shard that it leads to would hold itself.
      shard.onChange = { [weak home] in
        guard let home else { return }
        home.queue.async { home.wakeChangesReaders() }
      }
    }
    for shard in shards {
      shard.askOthersToShed = { [weak self] in
        self?.shards.forEach { other in other.queue.async { other.shed(isAsked: true) } }
      }
    }
    if store.keepsContents { store.countCollections { counters.collections.add($0) } }
  }

  /// Whether versions can be stored.
  public var isReady: Bool { store.isReady }

  /// Lets all who wait go within a window, and lets nobody wait from now on.
  public func releaseWaiters(over window: Duration) {
    for shard in shards { shard.perform { $0.releaseAll(over: window) } }
  }

  // MARK: Writing

  /// Bodies up to this size are compared with the head on the collection's own queue: that takes
  /// less time than to hand them over.
  private static let comparedBytesMax = 2 << 20

  /// Changes a collection; the answer comes when the change is durable.
  public func write(
    _ key: CollectionKey, _ request: WriteRequest,
    reply: @escaping @Sendable (Result<WriteReceipt, ServiceFailure>) -> Void
  ) {
    let shard = shard(of: key.client)
    @Sendable func submit(
      _ change: ParsedChange, _ settings: CollectionSettings?, on shard: Shard,
      _ ticket: ParseTicket? = nil
    ) {
      let write = WriteJob.Write(
        name: key.name, change: change, precondition: request.precondition,
        answer: request.answer, readBy: settings,
        read: { request.change.parsed($0, $1, $2) })
      let job = WriteJob(.writes([write]), key: request.key, requestID: request.requestID) {
        results in
        withExtendedLifetime(ticket) { reply(results[0]) }
      }
      shard.submit(job, client: key.client)
    }
    guard let body = request.change.body else {
      return shard.perform { submit(.delete, nil, on: $0) }
    }
    let limits = limits
    let workers = workers
    let needs = Needs(collections: [key.name], requestID: request.requestID)
    shard.perform {
      $0.whenHere(key.client, needs) { shard, error in
        if let error { return reply(.failure(shard.failure(error, key))) }
        // How a body is read depends on what the collection was told about itself.
        let settings = shard.settings(of: key)
        let head = shard.knownHead(of: key)
        let isCompared = body.count <= Self.comparedBytesMax
        if isCompared, let change = request.change.abridged(shard.reader, limits, head) {
          return submit(change, settings, on: shard)
        }
        if body.count <= limits.inlineBodyBytesMax, let ticket = workers.ticket(for: body) {
          let change = request.change.parsed(shard.reader, limits, settings)
          return submit(change, settings, on: shard, ticket)
        }
        workers.perform(body) { reader, limits, ticket in
          let known = isCompared ? nil : request.change.abridged(reader, limits, head)
          let change = known ?? request.change.parsed(reader, limits, settings)
          shard.perform { submit(change, settings, on: $0, ticket) }
        }
      }
    }
  }

  /// Forgets a client and all it has; those who wait for its collections are told.
  public func deleteClient(
    _ client: ResourceName, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<Void, ServiceFailure>) -> Void
  ) {
    shard(of: client).perform { shard in
      let job = WriteJob(.deleteAll, requestID: requestID) { results in
        for case .failure(let failure) in results { return reply(.failure(failure)) }
        reply(.success(()))
      }
      shard.submit(job, client: client)
    }
  }

  // MARK: Reading

  /// Asks for what changed since a version, now or as soon as something has.
  ///
  /// - Returns: What to cancel the wait with.
  @discardableResult
  public func read(
    _ key: CollectionKey, _ request: ReadRequest,
    reply: @escaping @Sendable (Result<ReadAnswer, ServiceFailure>) -> Void
  ) -> ReadTicket {
    let id = nextWaiterID()
    let shard = shard(of: key.client)
    shard.perform {
      let entry = SyncRequest.Entry(name: key.name, since: request.since)
      $0.whenHere(key.client, [entry], reader: id, requestID: request.requestID) { shard, error in
        if let error { return reply(.failure(shard.failure(error, key))) }
        shard.read(key, request, id: id, reply: reply)
      }
    }
    return ReadTicket(id: id, shard: shard)
  }

  /// Asks for a collection's settings.
  public func settings(
    of key: CollectionKey, requestID: RequestID? = nil,
    reply:
      @escaping @Sendable (Result<(CollectionSettings, VersionToken), ServiceFailure>) -> Void
  ) {
    withCollection(key, requestID, reply) { shard in
      guard let collection = shard.clients[key.client]?.collections[key.name] else {
        return .failure(ServiceFailure(.collectionNotFound, current: nil))
      }
      return .success((collection.settings, collection.token))
    }
  }

  /// Lists a client's collections by name, without those that are damaged in the store.
  ///
  /// - Parameters:
  ///   - client: The owner.
  ///   - after: The name behind which to begin; nil for the first.
  ///   - limit: The most to list.
  ///   - requestID: What the log calls the request.
  ///   - reply: Gets the list, and whether there are more.
  public func index(
    of client: ResourceName, after: ResourceName?, limit: Int, requestID: RequestID? = nil,
    reply:
      @escaping @Sendable (
        Result<(page: [CollectionSummary], hasMore: Bool), ServiceFailure>
      ) -> Void
  ) {
    shard(of: client).perform {
      $0.whenHere(client, Needs(requestID: requestID)) { shard, error in
        if let error {
          return reply(.failure(ServiceFailure(ServiceError(error), current: nil)))
        }
        let state = shard.clients[client]
        let names = state?.readableNames ?? []
        let rest = names.filter { name in after.map { $0 < name } ?? true }.sorted()
        let page = rest.prefix(limit).compactMap {
          state?.collections[$0]?.summary ?? state?.stored[$0]
        }
        reply(.success((page, rest.count > limit)))
      }
    }
  }

  /// Answers something about one collection, once it is in memory.
  func withCollection<T>(
    _ key: CollectionKey, _ requestID: RequestID?,
    _ reply: @escaping @Sendable (Result<T, ServiceFailure>) -> Void,
    _ answer: @escaping @Sendable (Shard) -> Result<T, ServiceFailure>
  ) {
    let needs = Needs(collections: [key.name], requestID: requestID)
    shard(of: key.client).perform {
      $0.whenHere(key.client, needs) { shard, error in
        reply(error.map { .failure(shard.failure($0, key)) } ?? answer(shard))
      }
    }
  }

  /// The shard of those who follow all changes.
  var changesShard: Shard { shards[0] }

  /// The number of deadlines that the shards keep; for tests.
  package var deadlineCount: Int {
    shards.reduce(0) { count, shard in count + shard.queue.sync { shard.deadlineCount } }
  }

  func nextWaiterID() -> UInt64 { waiterIDs.add(1, ordering: .relaxed).newValue }

  func shard(of client: ResourceName) -> Shard {
    shards[Int(truncatingIfNeeded: hash64(Array(client.text.utf8)) % UInt64(shards.count))]
  }
}

/// A read that may still be waiting.
public struct ReadTicket: Sendable {
  let id: UInt64
  let shard: Shard

  /// Stops waiting; nothing is answered any more, unless it was under way.
  public func cancel() {
    let id = id
    shard.queue.async { [shard] in shard.cancel(id) }
  }
}

extension Shard {
  /// Why the store did not give a collection back.
  func failure(_ error: LoadFailure, _ key: CollectionKey) -> ServiceFailure {
    ServiceFailure(ServiceError(error), current: clients[key.client]?.head(key.name))
  }
}

extension HostedCollection {
  /// The collection as its client's index shows it.
  var summary: CollectionSummary {
    CollectionSummary(name: name, version: token, itemCount: contents.itemCount)
  }
}

extension WriteRequest.Change {
  /// The JSON text that comes with it.
  fileprivate var body: [UInt8]? {
    switch self {
    case .put(let body), .edit(let body), .patch(let body), .settings(let body, _): body
    case .delete: nil
    }
  }

  /// A snapshot with what it has beside a head read; nil when it must be read in full.
  fileprivate func abridged(
    _ reader: JSONReader, _ limits: ServiceLimits, _ head: KnownHead?
  ) -> ParsedChange? {
    guard let head, case .put(let body) = self else { return nil }
    return ParsedSnapshot.read(body, reader, limits, beside: head).map { .put(.success($0)) }
  }

  /// The change with its body read.
  ///
  /// - Parameters:
  ///   - reader: Reads it.
  ///   - limits: What it may hold.
  ///   - settings: The collection's; nil when there is none.
  /// - Returns: The change, for better or worse.
  fileprivate func parsed(
    _ reader: JSONReader, _ limits: ServiceLimits, _ settings: CollectionSettings?
  ) -> ParsedChange {
    switch self {
    case .put(let body): .put(ParsedSnapshot.read(body, reader, limits, settings: settings))
    case .edit(let body): .edit(EditList.read(body, reader, limits, settings))
    case .patch(let body): .patch(JSONPatch.read(body, reader, limits))
    case .settings(let body, let isPatch):
      .settings(SettingsChange.read(body, isPatch: isPatch, reader, limits))
    case .delete: .delete
    }
  }
}
