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
  typealias Results = Result<[Result<WriteReceipt, ServiceFailure>], ServiceFailure>

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

  /// The collection to restore and the body that names the version; nil once that is resolved.
  var revert: (name: ResourceName, body: [UInt8])? {
    guard case .writes(let writes) = scope, let write = writes.first,
      case .revert(let body) = write.change, write.target == nil
    else { return nil }
    return (write.name, body)
  }

  /// Returns the job with the version it restores resolved; `end` is called after the reply.
  func reverting(
    to target: Result<RetainedVersion, ServiceError>, end: @escaping @Sendable () -> Void = {}
  ) -> WriteJob {
    var job = self
    if case .writes(var writes) = scope {
      writes[0].target = target
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

  /// The message that gives the results.
  func message(_ results: Results) -> Message { Message { [reply] in reply(results) } }

  /// The message that gives the receipts of an earlier attempt.
  func replay(_ receipts: [WriteReceipt]) -> Message {
    message(
      .success(
        receipts.map { receipt in
          var receipt = receipt
          receipt.isReplayed = true
          return .success(receipt)
        }))
  }
}
