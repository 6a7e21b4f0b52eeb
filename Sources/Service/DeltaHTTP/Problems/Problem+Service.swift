import Authentication
import CollectionService
import SnapshotJSON
import VersionedCollections

// Maps the errors of the service to statuses and codes.

extension Problem {
  init(_ failure: ServiceFailure) {
    self.init(failure.error)
    current = failure.current
    showsCurrent = [409, 410, 412].contains(status)
  }

  init(_ error: ServiceError) {
    switch error {
    case .badJSON(let error): self.init(error)
    case .badSnapshot(let error): self.init(error)
    case .limitPassed(let limit): self.init(limit)
    case .badSettings(let error):
      self = Problem(422, .badParameter, "\(error.pointer): \(error.detail)", limit: error.limit)
        .at(error.pointer, error.detail)
    case .badIdentifier(let pointer):
      self = .badIdentifier.at(pointer, Problem.badIdentifier.detail)
    case .badToken(let pointer):
      let problem = Problem.badToken(pointer)
      self = problem.at(pointer, problem.detail)
    case .editConflict(let conflict):
      self = Problem(409, .editConflict, conflict.detail).at(conflict.pointer, conflict.detail)
    case .notPermitted: self.init(Refusal.insufficientScope)
    case .notInView, .viewNotPermitted: self.init(Refusal.insufficientScope)
    // Whoever is asked for a credential is so by the refusal of the one that it sent.
    case .notPublic: self.init(Refusal.noCredential)
    case .internalFault: self = .internalFault
    case .reset(let reset): self.init(reset)
    case .versionConflict, .collectionExists, .collectionNotFound, .preconditionRequired,
      .unknownVersion, .versionGone, .contentGone, .idempotencyKeyReuse, .idempotencyInFlight,
      .notApplied:
      self.init(ofState: error)
    case .tooManyCollections, .tooManyParked, .tooMuchParked, .tooMuchWork, .syncTooLarge,
      .tooMuchWritten, .memoryFull,
      .versionsExhausted, .storageFull:
      self.init(ofLimit: error)
    case .storeUnavailable, .outcomeUnknown, .storeUnsynced, .collectionDamaged, .draining:
      self.init(ofService: error)
    }
  }

  /// The collection, or the key of the request, is not as the request needs it.
  private init(ofState error: ServiceError) {
    switch error {
    case .versionConflict:
      self.init(
        412, .versionConflict, "the collection is not at the version that the request names")
    case .collectionExists:
      self.init(412, .collectionExists, "the collection exists, and If-None-Match: * only creates")
    case .collectionNotFound:
      self.init(404, .collectionNotFound, "there is no such collection; PUT creates it")
    case .preconditionRequired:
      self.init(
        428, .preconditionRequired,
        "a write needs If-Match or Collection-If-Version, or If-None-Match: * to create; in a batch "
          + "it needs `ifVersion` or `ifNoneMatch`")
    case .unknownVersion(let version):
      self.init(404, .unknownVersion, "the collection has never had the version \(version)")
    case .versionGone(let oldest):
      self.init(410, .historyCompacted, "the oldest version still retained is \(oldest)")
    case .contentGone:
      self.init(410, .historyCompacted, "the contents of that version are no longer retained")
    case .idempotencyKeyReuse:
      self.init(
        422, .idempotencyKeyReuse, "the Idempotency-Key was used for a request with another body")
    case .idempotencyInFlight:
      self.init(
        409, .idempotencyInFlight, "a request with the same Idempotency-Key is in progress",
        retryAfter: 1)
    // RFC 4918 §11.4.
    default: self.init(424, .notApplied, "another write of the batch failed; nothing was written")
    }
  }

  /// The request would pass a limit.
  private init(ofLimit error: ServiceError) {
    switch error {
    case .tooManyCollections(let limit):
      self.init(
        422, .tooManyItems, "the client has \(limit) collections, which is the limit", limit: limit)
    case .tooManyParked(let limit):
      self.init(
        503, .tooManyParked, "\(limit) requests are waiting already, which is the limit",
        limit: limit, retryAfter: 5)
    case .tooMuchParked(let limit):
      self.init(
        503, .tooManyParked,
        "the views of the requests that wait take \(limit) bytes already, which is the limit",
        limit: limit, retryAfter: 5)
    case .tooMuchWork(let limit, let seconds):
      self.init(
        503, .tooMuchWork,
        "the view takes more than \(limit) ms of the processor; ask for fewer terms or criteria, or for a "
          + "smaller collection", limit: limit, retryAfter: seconds)
    case .syncTooLarge(let limit):
      self.init(
        413, .bodyTooLarge,
        "the answer would be larger than \(limit) bytes; sync fewer collections at once, or first GET "
          + "those without a version", limit: limit)
    case .tooMuchWritten(let limit):
      self.init(
        503, .overloaded,
        "the large writes in progress have reached \(limit) bytes, which is the limit; nothing was "
          + "written", limit: limit, retryAfter: 1)
    case .memoryFull(let limit):
      self.init(
        507, .storageFull,
        "the write would exceed the \(limit) bytes of memory that hold all data; nothing was written; "
          + "DELETE something, or raise limits.memoryBytesMax", limit: limit)
    case .versionsExhausted(let last):
      self.init(
        507, .storageFull,
        "\(last) is the last version that the collection can have; nothing was written; DELETE the "
          + "collection and PUT it again")
    default: self.init(507, .storageFull, "the store is full; nothing was written")
    }
  }

  /// The service or its store cannot carry the request out.
  private init(ofService error: ServiceError) {
    switch error {
    case .storeUnavailable:
      self.init(
        503, .storeUnavailable,
        "the store cannot be reached, or is too slow; nothing was written", retryAfter: 5)
    case .outcomeUnknown:
      self.init(
        503, .outcomeUnknown,
        "the write may or may not have been committed, as the store did not answer; repeat it with the "
          + "same Idempotency-Key, or read the collection first", retryAfter: 1)
    case .storeUnsynced:
      self.init(
        500, .internalFault,
        "the write could not be synced to the disk and was undone, but may reappear after a crash; "
          + "repeat it with the same Idempotency-Key")
    case .collectionDamaged:
      self.init(
        500, .internalFault,
        "the stored collection is damaged and cannot be served; restore a backup, or DELETE the "
          + "collection and PUT it again")
    default: self.init(503, .draining, "the service is shutting down", retryAfter: 5)
    }
  }

  private init(_ passed: PassedLimit) {
    let (status, code): (Int, Code) =
      switch passed.quantity {
      case .bytes: (413, .bodyTooLarge)
      case .depth: (422, .tooDeep)
      case .work: (413, .tooManyItems)
      }
    self.init(status, code, passed.detail, limit: passed.limit)
    if !passed.pointer.isEmpty { self = at(passed.pointer, passed.detail) }
  }

  private init(_ error: JSONError) {
    switch error {
    case .syntax:
      self.init(400, .badJSON, "the body is \(error)")
    case .halfCharacter(_, let pointer, _):
      self.init(400, .badJSON, "the body is \(error)")
      if let pointer { self = at(pointer, JSONError.halfCharacterReason) }
    case .tooDeep(_, let limit):
      self.init(422, .tooDeep, "the body is \(error)", limit: limit)
    case .tooLarge(_, let limit):
      self.init(413, .bodyTooLarge, "the body has \(error)", limit: limit)
    }
  }

  private init(_ error: SnapshotError) {
    let (status, code): (Int, Code) =
      switch error.code {
      case .badSnapshot, .idTooLong: (422, .badSnapshot)
      case .duplicateID: (422, .duplicateID)
      case .tooManyItems, .tooManySections: (413, .tooManyItems)
      case .itemTooLarge: (413, .bodyTooLarge)
      }
    self.init(status, code, error.detail, limit: error.limit)
    entries = error.entries
  }

  private init(_ reset: Reset) {
    let (code, reason): (Code, String) =
      switch reset.reason {
      case .deltaTooLarge: (.deltaTooLarge, "it would be larger than the snapshot")
      case .historyCompacted:
        (.historyCompacted, "the oldest version still retained is \(reset.oldest)")
      case .diverged: (.diverged, "the collection has never had this version")
      case .lineageChanged:
        (.lineageChanged, "the collection was deleted and created again since")
      case .viewChanged:
        (.viewChanged, "it was given under another restriction than the credential has now")
      }
    self.init(410, code, "there is no delta from \(reset.since): \(reason)")
    fields = [("Preference-Applied", "handling=strict")]
  }
}
