import SnapshotJSON
import Synchronization
public import VersionedCollections

/// Receives the outcome of a request, on one of the service's queues.
public typealias ServiceReply<Value> = @Sendable (Result<Value, ServiceFailure>) -> Void

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
  private let renewals: RenewalMarks
  private let readerIDs = Atomic<UInt64>(0)
  let recount: CollectionRecount
  /// Removes unused collections.
  private let removing = Mutex<Task<Void, Never>?>(nil)
  /// Asks a shared store once a second what others have written.
  private let cancelWatch = Mutex<@Sendable () -> Void>({})

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

  /// Creates a service that judges deltas with another function than the simulator, or has other queues than those of
  /// the system, for tests.
  package init(
    store: any CollectionStore, encoders: AnswerEncoders, limits: ServiceLimits,
    time: TimeSource, queues: @escaping WorkQueue.Maker = WorkQueue.system,
    generator: () -> any RandomNumberGenerator, faults: @escaping FaultSink,
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
    let workers = ParseWorkers(limits: liveLimits, queues: queues)
    self.workers = workers
    recount = CollectionRecount(time)
    var epochs = generator()
    let epoch = Lineage.random(using: &epochs)
    renewals = RenewalMarks(time, seed: epochs.next())
    let shared = SharedState(
      keepsContents: store.keepsContents, isShared: store.isShared,
      removesUnused: limits.unusedSecondsMax > 0, limits: liveLimits, counters: counters,
      changes: ChangeLog(
        epoch: epoch.name, changesMax: limits.changesMax,
        isShared: store.isShared),
      memory: MemoryBudget(limits, counters, isHardLimit: !store.keepsContents))
    let context = ServiceContext(
      store: store, time: time, queues: queues, shared: shared,
      answering: AnswerContext(
        encoders: encoders, judge: judge, cache: answers, counters: counters, time: time,
        faults: faults, liveLimits: liveLimits, renewals: renewals),
      workers: workers,
      answerWorkers: AnswerWorkers(queues: queues, processorTime: time.processorTime))
    let shards = (0..<max(1, limits.shardCount)).map { index in
      Shard(index: index, context: context, generator: generator())
    }
    self.shards = shards
    let home = shards[0]
    for shard in shards {
      // Weak, because the first shard would retain itself.
      shard.feedChanged = { [weak home] in home?.handle(.feedChanged) }
      shard.evictEverywhere = { [weak self] in self?.shards.forEach { $0.handle(.evict) } }
    }
    store.reportOthers { [weak self] clients in
      self?.shards.forEach { $0.handle(.othersWrote(clients)) }
    }
    if store.keepsContents { countCollections() }
    if limits.unusedSecondsMax > 0 {
      let task = startRemovingUnused(time)
      removing.withLock { $0 = task }
    }
    if store.isShared { watch(time) }
  }

  private func watch(_ time: TimeSource) {
    let cancel = time.after(time.uptime() + .seconds(1)) { [weak self] in
      guard let self else { return }
      for shard in shards { shard.handle(.othersWrote(nil)) }
      watch(time)
    }
    cancelWatch.withLock { $0 = cancel }
  }

  deinit {
    removing.withLock { $0?.cancel() }
    cancelWatch.withLock(\.self)()
  }

  /// The limits in force.
  ///
  /// Those of queues, caches and stored data (`shardCount`, `depthMax`, `idBytesMax`, bytes in
  /// memory, history, idempotency, settings, unused collections) are fixed when the service is
  /// created; the others apply from the next request on.
  public var limits: ServiceLimits {
    get { liveLimits.current }
    set { liveLimits.current = newValue }
  }

  /// The mark of versions that readers of public collections are reset to at the moment.
  package var renewalMark: VersionToken.Mark { renewals.current }

  /// Why writes cannot be committed; nil if they can.
  public var outage: StoreOutage? { store.outage }

  /// The seconds for which the store could not be read and what is in memory was served, if that is so or was within a
  /// duration until now; nil otherwise.
  public func secondsStale(within duration: Duration = .zero) -> Int? {
    store.secondsStale(within: duration)
  }

  /// Releases all waiting requests, spread over a window, and refuses new ones.
  public func releaseWaiters(over window: Duration) {
    removing.withLock { $0?.cancel() }
    for shard in shards { shard.handle(.release(over: window)) }
  }

  // MARK: Writing

  /// Writes a collection; replies when the change is durable.
  public func write(
    _ key: CollectionKey, _ request: WriteRequest, reply: @escaping ServiceReply<WriteReceipt>
  ) {
    let write = Write(
      name: key.name, change: request.change, precondition: request.precondition,
      answer: request.answer)
    let job = WriteJob(
      client: key.client, scope: .writes([write]), key: request.key, requestID: request.requestID
    ) { results in
      reply(results.flatMap { $0[0] })
    }
    shard(of: key.client).handle(.write(job))
  }

  /// Deletes a client and all its collections, and notifies waiting readers.
  public func deleteClient(
    _ client: ResourceName, requestID: RequestID? = nil, reply: @escaping ServiceReply<Void>
  ) {
    let job = WriteJob(client: client, scope: .deleteAll, requestID: requestID) { results in
      switch results {
      case .success(let results):
        for case .failure(let failure) in results { return reply(.failure(failure)) }
        reply(.success(()))
      case .failure(let failure): reply(.failure(failure))
      }
    }
    shard(of: client).handle(.write(job))
  }

  // MARK: Reading

  /// Reads the changes since a version, waiting for some if there are none.
  ///
  /// - Returns: A ticket that cancels the wait.
  @discardableResult
  public func read(
    _ key: CollectionKey, _ request: ReadRequest, reply: @escaping ReadReply
  ) -> ReadTicket {
    ReadTicket(
      shard(of: key.client), nextReaderID(), key.client, SyncRequest(key.name, request)
    ) { reply($0.flatMap(\.only), $1) }
  }

  /// Reads a collection's settings; `versions` are what the caller has seen of it.
  ///
  /// `notInView` for a restricted reader.
  package func settings(
    of key: CollectionKey, _ access: ReadAccess, requestID: RequestID? = nil,
    versions: [VersionToken] = [],
    reply: @escaping ServiceReply<(CollectionSettings, VersionToken)>
  ) {
    withVisible(key, access, requestID, versions: versions) { result in
      reply(
        result.flatMap { collection in
          collection.restriction == nil
            ? .success((collection.state.settings, collection.token))
            : .failure(collection.failure(.notInView))
        })
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
    let query = Query(
      client: key.client, requirements: Requirements(requestID: requestID),
      kind: .version(key.name, Reply(reply)))
    shard(of: key.client).handle(.query(query))
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
    reply: @escaping ServiceReply<(page: [CollectionSummary], hasMore: Bool)>
  ) {
    var requirements = Requirements(requestID: requestID)
    if !versions.isEmpty { requirements.confirmation = .always }
    let query = Query(
      client: client, requirements: requirements,
      kind: .index(after: after, limit: limit, Reply(reply)))
    shard(of: client).handle(.query(query))
  }

  /// Passes on the state of a collection once it is loaded, on its shard's queue.
  ///
  /// `versions` are what the caller has seen.
  func withCollection(
    _ key: CollectionKey, _ requestID: RequestID?, versions: [VersionToken] = [],
    _ work: @escaping ServiceReply<CollectionState>
  ) {
    var requirements = Requirements(
      collections: [NeededCollection(name: key.name)], requestID: requestID)
    requirements.versions = versions
    let query = Query(
      client: key.client, requirements: requirements, kind: .collection(key.name, Reply(work)))
    shard(of: key.client).handle(.query(query))
  }

  /// Whether a shard is behind with what it was given; readers who come now would delay those who are here.
  public var isCrowded: Bool { shards.contains(where: \.isCrowded) }

  /// The shard that serves the feed of all changes.
  var changesShard: Shard { shards[0] }

  /// The number of deadlines in all shards, for tests.
  package var deadlineCount: Int {
    shards.reduce(0) { $0 + $1.deadlineCount }
  }

  func nextReaderID() -> UInt64 { readerIDs.add(1, ordering: .relaxed).newValue }

  func shard(of client: ResourceName) -> Shard {
    shards[Int(truncatingIfNeeded: hash64(Array(client.text.utf8)) % UInt64(shards.count))]
  }
}
