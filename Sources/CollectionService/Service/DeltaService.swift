import Dispatch
import SnapshotJSON
import Synchronization
public import VersionedCollections

/// All collections of all clients: accepts writes and serves deltas to readers.
///
/// Methods may be called from any thread. Completions run on one of the service's queues and must
/// return quickly.
public final class DeltaService: Sendable {
  private let liveLimits: LiveLimits
  /// The metrics.
  public let counters: ServiceCounters
  let store: any CollectionStore
  let shards: [Shard]
  let answers: AnswerCache
  let workers: ParseWorkers
  let encoders: AnswerEncoders
  let judge: DeltaJudge
  let faults: FaultSink
  private let waiterIDs = Atomic<UInt64>(0)
  let recount: CollectionRecount
  /// Removes unused collections.
  private let removing = Mutex<Task<Void, Never>?>(nil)
  /// Asks a shared store once a second what others have written, and any what tenants store.
  private let watch: Task<Void, Never>

  /// Creates a service on a store.
  ///
  /// - Parameters:
  ///   - store: The store that makes versions durable.
  ///   - encoders: The encoders of answers.
  ///   - limits: The limits of the service.
  ///   - time: The source of time.
  ///   - generator: Creates a random number generator for each queue, for lineages and jitter.
  ///   - faults: Called with each internal fault.
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

  /// Creates a service that judges deltas with another function than the simulator, for tests.
  package init(
    store: any CollectionStore, encoders: AnswerEncoders, limits: ServiceLimits,
    time: TimeSource, generator: () -> any RandomNumberGenerator, faults: @escaping FaultSink,
    judge: @escaping DeltaJudge
  ) {
    self.store = store
    self.faults = faults
    let liveLimits = LiveLimits(limits)
    self.liveLimits = liveLimits
    self.encoders = encoders
    self.judge = judge
    let counters = ServiceCounters()
    self.counters = counters
    let answers = AnswerCache(bytesMax: limits.cacheBytesMax, counters)
    self.answers = answers
    let workers = ParseWorkers(limits: liveLimits)
    self.workers = workers
    recount = CollectionRecount(time)
    var epochs = generator()
    let context = ServiceContext(
      store: store, liveLimits: liveLimits, time: time, encoders: encoders, counters: counters,
      judge: judge,
      changes: ChangeLog(
        epoch: Lineage.random(using: &epochs), changesMax: limits.changesMax,
        isShared: store.isShared),
      memory: MemoryBudget(limits, counters, isHardLimit: !store.keepsContents),
      tenants: TenantBudgets(limits.tenants), removesUnused: limits.unusedSecondsMax > 0,
      loadQueue: LoadQueue(), versionQueue: LoadQueue(), confirmationQueue: LoadQueue(),
      workers: workers,
      answers: answers,
      faults: faults)
    let shards = (0..<max(1, limits.shardCount)).map { index in
      Shard(index: index, context: context, generator: generator())
    }
    self.shards = shards
    context.tenants.waitForSizes(of: store, time)
    watch = Task {
      while !Task.isCancelled, store.isShared || !context.tenants.isComplete(for: store) {
        await time.sleep(time.uptime() + .seconds(1))
        if store.isShared { for shard in shards { shard.perform { $0.confirm(nil) } } }
        context.tenants.refresh(from: store, time)
      }
    }
    let home = shards[0]
    for shard in shards {
      // Weak, because the first shard would retain itself.
      shard.onChange = { [weak home] in
        guard let home else { return }
        home.queue.async { home.notifyChangesReaders() }
      }
    }
    for shard in shards {
      shard.askOthersToEvict = { [weak self] in
        self?.shards.forEach { other in other.queue.async { other.evict(isAsked: true) } }
      }
    }
    store.reportOthers { [weak self] clients in
      self?.shards.forEach { shard in shard.perform { $0.confirm(clients) } }
    }
    if store.keepsContents { store.countCollections { counters.collections.add($0 ?? 0) } }
    if limits.unusedSecondsMax > 0 {
      let task = startRemovingUnused(time)
      removing.withLock { $0 = task }
    }
  }

  deinit {
    removing.withLock { $0?.cancel() }
    watch.cancel()
  }

  /// The limits in force.
  ///
  /// Those of queues, caches and stored data (`shardCount`, `depthMax`, `idBytesMax`, bytes in
  /// memory, history, idempotency, settings, tenants, unused collections) are fixed when the service
  /// is created; the others apply from the next request on.
  public var limits: ServiceLimits {
    get { liveLimits.current }
    set { liveLimits.current = newValue }
  }

  /// Whether the store accepts writes.
  public var isReady: Bool { store.isReady }

  /// The seconds since the store was last read, if it cannot be and what is in memory is served; nil
  /// otherwise.
  public var secondsStale: Int? { store.secondsStale }

  /// Releases all waiting requests, spread over a window, and refuses new ones.
  public func releaseWaiters(over window: Duration) {
    removing.withLock { $0?.cancel() }
    for shard in shards { shard.perform { $0.releaseAll(over: window) } }
  }

  // MARK: Writing

  /// Writes a collection; replies when the change is durable.
  public func write(
    _ key: CollectionKey, _ request: WriteRequest,
    reply: @escaping @Sendable (Result<WriteReceipt, ServiceFailure>) -> Void
  ) {
    let write = Write(
      name: key.name, change: Write.Change(request.change), precondition: request.precondition,
      answer: request.answer)
    shard(of: key.client).perform { shard in
      var job = WriteJob(
        client: key.client, scope: .writes([write]), key: request.key,
        requestID: request.requestID
      ) { results in
        switch results {
        case .success(let results): reply(results[0])
        case .failure(let error): reply(.failure(shard.failure(error, key)))
        }
      }
      job.stages = request.stages
      shard.submit(job)
    }
  }

  /// Deletes a client and all its collections, and notifies waiting readers.
  public func deleteClient(
    _ client: ResourceName, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Result<Void, ServiceFailure>) -> Void
  ) {
    shard(of: client).perform { shard in
      shard.submit(
        WriteJob(client: client, scope: .deleteAll, requestID: requestID) { results in
          switch results {
          case .success(let results):
            for case .failure(let failure) in results { return reply(.failure(failure)) }
            reply(.success(()))
          case .failure(let error): reply(.failure(ServiceFailure(error, current: nil)))
          }
        })
    }
  }

  // MARK: Reading

  /// Reads the changes since a version, waiting for some if there are none.
  ///
  /// - Returns: A ticket that cancels the wait.
  @discardableResult
  public func read(
    _ key: CollectionKey, _ request: ReadRequest, reply: @escaping ReadReply
  ) -> ReadTicket {
    let id = nextWaiterID()
    let shard = shard(of: key.client)
    shard.perform {
      let entry = SyncRequest.Entry(name: key.name, since: request.since)
      $0.withLoaded(key.client, [entry], request, making: false, reader: id) { shard, error in
        if let error { return reply(.failure(shard.failure(ServiceError(error), key)), nil) }
        shard.read(key, request, id: id, reply: reply)
      }
    }
    return ReadTicket(id: id, shard: shard)
  }

  /// Reads a collection's settings; `versions` are what the caller has seen of it.
  public func settings(
    of key: CollectionKey, requestID: RequestID? = nil, versions: [VersionToken] = [],
    reply:
      @escaping @Sendable (Result<(CollectionSettings, VersionToken), ServiceFailure>) -> Void
  ) {
    withCollection(key, requestID, isLong: false, versions: versions, reply) { _, collection in
      .success((collection.settings, collection.token))
    }
  }

  /// Finds a collection's newest version by its client's list, without loading its contents.
  ///
  /// - Parameters:
  ///   - key: The collection.
  ///   - requestID: The request's ID in the log.
  ///   - reply: Called with the version; nil if there is none, or if the list cannot be read.
  public func version(
    of key: CollectionKey, requestID: RequestID? = nil,
    reply: @escaping @Sendable (VersionToken?) -> Void
  ) {
    shard(of: key.client).perform {
      $0.withLoaded(key.client, Requirements(requestID: requestID)) { shard, error in
        guard error == nil, let state = shard.clients[key.client],
          state.readableNames.contains(key.name)
        else { return reply(nil) }
        reply(state.collections[key.name]?.token ?? state.stored[key.name]?.version)
      }
    }
  }

  /// Lists a client's collections by name, except those that are damaged in the store.
  ///
  /// - Parameters:
  ///   - client: The owner.
  ///   - after: The name after which the page starts; nil for the first page.
  ///   - limit: The maximum number of entries.
  ///   - requestID: The request's ID in the log.
  ///   - versions: Versions that the caller has seen of any of them.
  ///   - reply: Called with the page and whether there are more entries.
  public func index(
    of client: ResourceName, after: ResourceName?, limit: Int, requestID: RequestID? = nil,
    versions: [VersionToken] = [],
    reply:
      @escaping @Sendable (
        Result<(page: [CollectionSummary], hasMore: Bool), ServiceFailure>
      ) -> Void
  ) {
    var requirements = Requirements(requestID: requestID)
    if !versions.isEmpty { requirements.confirmation = .always }
    shard(of: client).perform { [requirements] in
      $0.withLoaded(client, requirements) { shard, error in
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

  /// Answers a request about one collection once it is loaded; on a worker if `isLong` and the
  /// collection is large.
  ///
  /// `versions` are what the caller has seen.
  func withCollection<T>(
    _ key: CollectionKey, _ requestID: RequestID?, isLong: Bool, versions: [VersionToken] = [],
    _ reply: @escaping @Sendable (Result<T, ServiceFailure>) -> Void,
    _ answer: @escaping @Sendable (AnswerMaker, CollectionState) -> Result<T, ServiceFailure>
  ) {
    let entry = SyncRequest.Entry(name: key.name, since: nil)
    var wanted = Requirements(collections: [entry], requestID: requestID)
    wanted.versions = versions
    let requirements = wanted
    shard(of: key.client).perform {
      $0.withLoaded(key.client, requirements) { shard, error in
        if let error { return reply(.failure(shard.failure(ServiceError(error), key))) }
        guard let collection = shard.clients[key.client]?.collections[key.name]?.state else {
          return reply(.failure(ServiceFailure(.collectionNotFound, current: nil)))
        }
        shard.withMaker(of: isLong ? collection.contents.byteCount : 0) {
          reply(answer($0, collection))
        }
      }
    }
  }

  /// The shard that serves the feed of all changes.
  var changesShard: Shard { shards[0] }

  /// The number of deadlines in all shards, for tests.
  package var deadlineCount: Int {
    shards.reduce(0) { count, shard in count + shard.queue.sync { shard.waiters.deadlineCount } }
  }

  func nextWaiterID() -> UInt64 { waiterIDs.add(1, ordering: .relaxed).newValue }

  func shard(of client: ResourceName) -> Shard {
    shards[Int(truncatingIfNeeded: hash64(Array(client.text.utf8)) % UInt64(shards.count))]
  }
}

/// A ticket for a read that may be waiting.
public struct ReadTicket: Sendable {
  let id: UInt64
  let shard: Shard

  /// Cancels the wait; the reply is not called unless it is already in progress.
  public func cancel() {
    let id = id
    shard.queue.async { [shard] in shard.cancel(id) }
  }

  /// Ends the wait: what is known now is the answer.
  public func endWait() {
    let id = id
    shard.queue.async { [shard] in shard.endWait(id) }
  }
}
