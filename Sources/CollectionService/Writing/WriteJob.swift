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
  let scope: Scope
  /// Whether one failure is that of all.
  var isAtomic = true
  /// Whether it came as a batch, even of one.
  var isBatch = false
  /// What tells it from a new request when it comes again.
  var key: IdempotencyKey?
  /// What the log calls the request.
  var requestID: RequestID?
  let reply: @Sendable (Results) -> Void

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
