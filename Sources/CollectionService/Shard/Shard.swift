package import DeltaEngine
import Dispatch
import SnapshotJSON

/// Says which law a delta between two versions breaks; nil for one that breaks none.
package typealias DeltaJudge =
  @Sendable (
    _ delta: Delta, _ source: [StructureSection], _ target: [StructureSection]
  ) -> LawViolation?

/// What all shards of a service share.
struct ServiceContext: Sendable {
  let store: any CollectionStore
  let limits: ServiceLimits
  let time: TimeSource
  let encoders: AnswerEncoders
  let counters: ServiceCounters
  /// Checks each delta before readers get it.
  let judge: DeltaJudge
  /// Which collections changed, for those who follow them all.
  let changes: ChangeLog
  let memory: MemoryBudget
  /// Where requests wait that need several collections from the store.
  let loadLine: LoadLine
  /// Where requests wait that need an older version from the store.
  let versionLine: LoadLine
  /// Where what takes long is done.
  let workers: ParseWorkers
  /// What was computed for readers lately.
  let answers: AnswerCache
  /// Gets what goes wrong.
  let faults: FaultSink
}

/// The owner of some clients with all that they have: one serial queue.
///
/// All collections of a client live in one shard, so that a batch is atomic, a read of several
/// collections consistent, and an index exact, without a lock.
///
/// `@unchecked Sendable`: everything mutable is touched on `queue` only, which `perform` sees to
/// and every entry checks in debug builds.
final class Shard: @unchecked Sendable {
  let context: ServiceContext
  let queue: DispatchQueue
  let index: Int
  let reader: JSONReader
  var clients: [ResourceName: ClientState] = [:]
  var generator: any RandomNumberGenerator
  /// Under whom those wait who follow all changes; no client of anything.
  let changesReaders: ClientState
  /// Notifies the readers of the feed of changes.
  var onChange: @Sendable () -> Void = {}
  /// About how much memory the collections take.
  var residentBytes = 0
  /// Asks the other shards to evict collections.
  var askOthersToEvict: () -> Void = {}
  /// Uses of collections so far, to tell which were used lately.
  var useCount = 0
  /// Readers whose collections are being loaded.
  var loadingReaders: Set<UInt64> = []
  /// When to look for old idempotency keys again, in seconds since 1970.
  var nextExpiry: Int64 = 0
  /// All who wait here.
  var waiters = Waiters()
  /// Whether nobody is to wait any more, since the service is being shut down.
  var isReleasing = false
  /// The uptime for which the timer is set, and what sleeps until then; there is one at a time.
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

  /// Runs work on the shard's queue: at once if that is where we are.
  func perform(_ work: @escaping @Sendable (Shard) -> Void) {
    if DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) { return work(self) }
    queue.async { work(self) }
  }

  /// The state of a client, made if it is not there.
  func client(_ name: ResourceName) -> ClientState {
    dispatchPrecondition(condition: .onQueue(queue))
    if let state = clients[name] { return state }
    let state = ClientState(name: name)
    state.isKnown = !context.store.keepsContents
    clients[name] = state
    return state
  }

  /// Makes what readers are told, here.
  var maker: AnswerMaker { AnswerMaker(context: context, reader: reader) }

  /// Does something with what makes answers: here if it is about few bytes, else on a worker.
  func withMaker(of byteCount: Int, _ work: @escaping @Sendable (AnswerMaker) -> Void) {
    guard byteCount > context.limits.inlineBodyBytesMax else { return work(maker) }
    context.workers.answer(ofShard: index) { [context] reader in
      work(AnswerMaker(context: context, reader: reader))
    }
  }

  /// Forgets a client that has nothing.
  func releaseIfIdle(_ client: ClientState) {
    if client.isIdle(isStored: context.store.keepsContents), clients[client.name] === client {
      clients[client.name] = nil
      client.idempotency = IdempotencyIndex()
    }
    countIdempotencyRecords(of: client)
  }

  /// A refusal, with the state of the collection that it speaks of.
  func failure(_ error: ServiceError, _ key: CollectionKey) -> ServiceFailure {
    ServiceFailure(error, current: clients[key.client]?.head(key.name))
  }
}
