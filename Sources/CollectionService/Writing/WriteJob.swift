import VersionedCollections

/// Writes to a client's collections that are committed together.
///
/// It is one value from its arrival to its reply.
struct WriteJob: Sendable {
  /// The collections it writes.
  enum Scope: Sendable {
    /// The given collections, each once.
    case writes([Write])
    /// Deletes all collections that exist when the job starts.
    case deleteAll
    /// Deletes a collection unless it is in use when the job starts; nobody is told before the next
    /// change.
    case deleteUnused(ResourceName)
  }

  /// The result of each write, or an error if none was attempted.
  typealias Results = Result<[Result<WriteReceipt, ServiceFailure>], ServiceError>

  let client: ResourceName
  private(set) var scope: Scope
  /// Whether all writes fail if one does.
  var isAtomic = true
  /// Whether it was sent as a batch, possibly of one write.
  var isBatch = false
  /// The key that identifies a retry of the same request.
  var key: IdempotencyKey?
  /// The request's ID in the log.
  var requestID: RequestID?
  /// Records what the request spends its time on; nil unless it is traced.
  var stages: RequestStages?
  /// How often it was prepared on a state that another service had changed.
  var conflictCount = 0
  private(set) var reply: @Sendable (Results) -> Void

  init(
    client: ResourceName, scope: Scope, isAtomic: Bool = true, isBatch: Bool = false,
    key: IdempotencyKey? = nil, requestID: RequestID? = nil,
    reply: @escaping @Sendable (Results) -> Void
  ) {
    self.client = client
    self.scope = scope
    self.isAtomic = isAtomic
    self.isBatch = isBatch
    self.key = key
    self.requestID = requestID
    self.reply = reply
  }

  /// The collections it writes; nil for all.
  var names: [ResourceName]? {
    switch scope {
    case .writes(let writes): writes.map(\.name)
    case .deleteAll: nil
    case .deleteUnused(let name): [name]
    }
  }

  /// The collection whose idempotency records contain its key; nil for those of batches.
  var recordsName: ResourceName? {
    guard case .writes(let writes) = scope, writes.count == 1, !isBatch else { return nil }
    return writes[0].name
  }

  /// What must be loaded; collections to be deleted need not be.
  var requirements: Requirements {
    var requirements = Requirements(requestID: requestID, stages: stages)
    if case .writes(let writes) = scope {
      requirements.collections = writes.lazy.filter { !$0.isDelete }.map {
        SyncRequest.Entry(name: $0.name, since: nil)
      }
    }
    if key != nil { requirements.records = .some(recordsName) }
    // The store says whether the state that a write rests on is the newest. What a client has must
    // be known before all of it is deleted, and the versions before one is restored.
    let isOld = if case .deleteAll = scope { true } else { revert != nil || conflictCount > 0 }
    requirements.confirmation = isOld ? .always : .ifOld
    return requirements
  }

  /// The collection to restore and the body that names the version; nil once that is resolved.
  var revert: (name: ResourceName, body: WriteBody)? {
    guard case .writes(let writes) = scope, let write = writes.first,
      case .revert(.body(let body)) = write.change
    else { return nil }
    return (write.name, body)
  }

  /// Returns the job with the version it restores resolved.
  ///
  /// - Parameters:
  ///   - target: The version, or the error.
  ///   - end: Called after the reply.
  /// - Returns: The job.
  func reverting(
    to target: Result<RetainedVersion, ServiceError>, end: @escaping @Sendable () -> Void = {}
  ) -> WriteJob {
    var job = self
    if case .writes(var writes) = scope {
      writes[0].change = .revert(.target(target))
      job.scope = .writes(writes)
    }
    job.reply = { [reply] results in
      reply(results)
      end()
    }
    return job
  }

  /// Whether the change wakes readers of the feed of changes.
  var wakesFollowers: Bool {
    if case .deleteUnused = scope { false } else { true }
  }

  /// The writes; call it when the job's turn has come.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - isUsed: Returns whether a collection is in use.
  /// - Returns: The writes, each to another collection.
  func writes(_ client: ClientState, isUsed: (ResourceName) -> Bool) -> [Write] {
    switch scope {
    case .writes(let writes): writes
    case .deleteAll:
      (Array(client.collections.keys) + client.stored.keys).map {
        Write(name: $0, change: .delete, isOfClient: true)
      }
    case .deleteUnused(let name):
      client.has(name) && !isUsed(name)
        ? [Write(name: name, change: .delete, isOfClient: true)] : []
    }
  }

  /// Replies with an error to every write, before the job has started.
  func refuse(_ error: ServiceError, _ client: ClientState) {
    reply(
      .success(
        (names ?? []).map { .failure(ServiceFailure(error, current: client.head($0))) }))
  }

  /// Replies with the receipts of an earlier attempt.
  func replay(_ receipts: [WriteReceipt]) {
    reply(
      .success(
        receipts.map { receipt in
          var receipt = receipt
          receipt.isReplayed = true
          return .success(receipt)
        }))
  }
}
