import DeltaEngine
import Dispatch
import SnapshotJSON
import VersionedCollections

/// The state shared by all shards of a service.
struct ServiceContext: Sendable {
  let store: any CollectionStore
  let liveLimits: LiveLimits
  let time: TimeSource
  let encoders: AnswerEncoders
  let counters: ServiceCounters
  /// Validates each delta before it is sent.
  let judge: DeltaJudge
  /// The feed of changes to all collections.
  let changes: ChangeLog
  let memory: MemoryBudget
  let tenants: TenantBudgets
  /// Whether collections that nobody uses are removed.
  let removesUnused: Bool
  /// The queue of requests that load several collections.
  let loadQueue: LoadQueue
  /// The queue of requests that load an older version.
  let versionQueue: LoadQueue
  /// The queue of questions to a shared store about what others have written.
  let confirmationQueue: LoadQueue
  /// The queues for expensive work.
  let workers: ParseWorkers
  /// The cache of answers to readers.
  let answers: AnswerCache
  /// Called with each internal fault.
  let faults: FaultSink

  /// The limits in force; several of them that belong together are taken from one copy.
  var limits: ServiceLimits { liveLimits.current }
}

/// The owner of some clients and their collections, with one serial queue.
///
/// All collections of a client are on one shard. Batches are therefore atomic, reads of several
/// collections consistent, and indexes exact, without a lock.
///
/// `@unchecked Sendable`: all mutable state is accessed on `queue` only. `perform` ensures this,
/// and `client(_:)` checks it.
final class Shard: @unchecked Sendable {
  let context: ServiceContext
  let queue: DispatchQueue
  let index: Int
  let reader: JSONReader
  var clients: [ResourceName: ClientState] = [:]
  var generator: any RandomNumberGenerator
  /// A pseudo-client under which readers of the feed of changes wait.
  let changesReaders: ClientState
  /// Notifies the readers of the feed of changes.
  var onChange: @Sendable () -> Void = {}
  /// Whether the feed of a shared store is being read, and whether again afterwards.
  var feedReading = (isUnderWay: false, isDue: false)
  /// Called when it was read.
  var feedReaders: [(StoreError?) -> Void] = []
  /// The approximate size of the collections in memory, in bytes.
  var residentBytes = 0
  /// Asks all shards to evict collections.
  var askOthersToEvict: () -> Void = {}
  /// The number of uses so far; orders collections by last use.
  var useCount = 0
  /// The collections used since the store last recorded uses; empty unless unused ones are removed.
  var uses: Set<CollectionKey> = []
  /// Uses that the store is recording already.
  var usesInRecord: Set<CollectionKey> = []
  /// Whether unused collections are being searched for.
  var isSearching = false
  /// Readers waiting for loads, and whether they have ended their wait for changes meanwhile.
  var loadingReaders: [UInt64: Bool] = [:]
  /// The number of lists of collections asked for so far.
  var listsAsked = 0
  /// The clients whose lists are to be asked for because somebody waits.
  var confirmations = ConfirmationQueue()
  /// The next time to remove expired idempotency keys, in seconds since 1970.
  var nextExpiry: Int64 = 0
  /// All waiting readers.
  var waiters = Waiters()
  /// Whether waiting is no longer allowed because the service is shutting down.
  var isReleasing = false
  /// The uptime that the timer is set to, and its task; there is at most one.
  var timer: (deadline: Duration, task: Task<Void, Never>)?
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init(index: Int, context: ServiceContext, generator: any RandomNumberGenerator) {
    self.index = index
    self.context = context
    self.generator = generator
    changesReaders = ClientState(name: .changes)
    queue = DispatchQueue(label: "livedelta.shard.\(index)")
    reader = JSONReader(depthMax: context.limits.depthMax)
    queue.setSpecific(key: Self.key, value: ObjectIdentifier(self))
  }

  /// Runs work on the shard's queue, synchronously if already on it.
  func perform(_ work: @escaping @Sendable (Shard) -> Void) {
    if DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) { return work(self) }
    queue.async { work(self) }
  }

  /// Returns the state of a client, creating it if needed.
  func client(_ name: ResourceName) -> ClientState {
    dispatchPrecondition(condition: .onQueue(queue))
    if let state = clients[name] { return state }
    let state = ClientState(name: name)
    state.isKnown = !context.store.keepsContents
    clients[name] = state
    return state
  }

  /// Creates answers on this queue.
  var maker: AnswerMaker { AnswerMaker(context: context, reader: reader) }

  /// The head under which an event loop may repeat an answer; nil if others may write meanwhile.
  func published(_ head: PublishedHead?) -> PublishedHead? { context.store.isShared ? nil : head }

  /// Calls `work` with an answer maker: here if the contents are small, otherwise on a worker.
  func withMaker(of byteCount: Int, _ work: @escaping @Sendable (AnswerMaker) -> Void) {
    guard byteCount > context.limits.inlineBodyBytesMax else { return work(maker) }
    context.workers.answer(ofShard: index) { [context] reader in
      work(AnswerMaker(context: context, reader: reader))
    }
  }

  /// Removes a client that is idle.
  func releaseIfIdle(_ client: ClientState) {
    if client.isIdle(isStored: context.store.keepsContents), clients[client.name] === client {
      clients[client.name] = nil
      client.idempotency = IdempotencyIndex()
    }
    countIdempotencyRecords(of: client)
  }

  /// A failure with the collection's current version.
  func failure(_ error: ServiceError, _ key: CollectionKey) -> ServiceFailure {
    ServiceFailure(error, current: clients[key.client]?.head(key.name))
  }
}
