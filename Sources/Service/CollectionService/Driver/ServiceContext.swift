import VersionedCollections

/// What the drivers of all shards of a service use.
struct ServiceContext: Sendable {
  let store: any CollectionStore
  let time: TimeSource
  let queues: WorkQueue.Maker
  let shared: SharedState
  let answering: AnswerContext
  /// The queue of requests that load several collections.
  let loadQueue = LoadQueue()
  /// The queue of requests that load an older version.
  let versionQueue = LoadQueue()
  /// The queue of writes that restore an older version, each until it is committed.
  let restoreQueue = LoadQueue()
  /// The queue of questions to a shared store about what others have written.
  let listQueue = LoadQueue()
  /// The queues for expensive work.
  let workers: ParseWorkers
  /// The queues for answers that take long.
  let answerWorkers: AnswerWorkers

  var limits: ServiceLimits { shared.limits.current }
  /// Called with each internal fault.
  var faults: FaultSink { answering.faults }

  /// The time of an event that happens now.
  var moment: Moment { Moment(uptime: time.uptime(), date: time.date()) }
}
