/// Writes to collections of one client that happen together: one value from its arrival to its
/// answer.
struct WriteJob: Sendable {
  /// What it changes.
  enum Scope: Sendable {
    /// Some collections, each once.
    case writes([Write])
    /// All that exist when its turn comes: they are deleted.
    case deleteAll
  }

  /// What came of each write; an error when none was even looked at.
  typealias Results = Result<[Result<WriteReceipt, ServiceFailure>], ServiceError>

  let client: ResourceName
  private(set) var scope: Scope
  /// Whether one failure is that of all.
  var isAtomic = true
  /// Whether it came as a batch, even of one.
  var isBatch = false
  /// What tells it from a new request when it comes again.
  var key: IdempotencyKey?
  /// What the log calls the request.
  var requestID: RequestID?
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

  /// The collections that must be free for it; nil for all.
  var names: [ResourceName]? {
    if case .writes(let writes) = scope { writes.map(\.name) } else { nil }
  }

  /// The collection whose idempotency records have its key; nil for those of batches.
  var recordsName: ResourceName? {
    guard case .writes(let writes) = scope, writes.count == 1, !isBatch else { return nil }
    return writes[0].name
  }

  /// What must be in memory for it; what is deleted need not be.
  var requirements: Requirements {
    var requirements = Requirements(requestID: requestID)
    if case .writes(let writes) = scope {
      requirements.collections = writes.lazy.filter { !$0.isDelete }.map {
        SyncRequest.Entry(name: $0.name, since: nil)
      }
    }
    if key != nil { requirements.records = .some(recordsName) }
    return requirements
  }

  /// What it leads back to, as long as that was not looked for, and of which collection.
  var revert: (name: ResourceName, body: WriteBody)? {
    guard case .writes(let writes) = scope, let write = writes.first,
      case .revert(.body(let body)) = write.change
    else { return nil }
    return (write.name, body)
  }

  /// The same job once it is known what it leads back to.
  ///
  /// - Parameters:
  ///   - target: The version, or why it cannot be had.
  ///   - end: Called when the job is done.
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

  /// The writes, when its turn has come.
  func writes(_ client: ClientState) -> [Write] {
    switch scope {
    case .writes(let writes): writes
    case .deleteAll:
      (Array(client.collections.keys) + client.stored.keys).map {
        Write(name: $0, change: .delete, isOfClient: true)
      }
    }
  }

  /// Answers it without having begun.
  func refuse(_ error: ServiceError, _ client: ClientState) {
    reply(
      .success(
        (names ?? []).map { .failure(ServiceFailure(error, current: client.head($0))) }))
  }

  /// Answers it with what it was answered with before.
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
