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
      self.init(
        422, .badParameter, "\(error.pointer): \(error.detail)", limit: error.limit)
      entries = [Entry(pointer: error.pointer, detail: error.detail)]
    case .badIdentifier(let pointer):
      self = .badIdentifier
      entries = [Entry(pointer: pointer, detail: detail)]
    case .badToken(let pointer):
      self = .badToken(pointer)
      entries = [Entry(pointer: pointer, detail: detail)]
    case .versionConflict:
      self.init(412, .versionConflict, "the collection is not at the version that was named")
    case .collectionExists:
      self.init(412, .collectionExists, "the collection exists; If-None-Match: * only creates")
    case .collectionNotFound:
      self.init(404, .collectionNotFound, "there is no such collection; PUT makes one")
    case .editConflict(let conflict):
      self.init(409, .editConflict, conflict.detail)
      entries = [Entry(pointer: conflict.pointer, detail: conflict.detail)]
    case .idempotencyKeyReuse:
      self.init(
        422, .idempotencyKeyReuse, "the Idempotency-Key was used for a request with another body")
    case .idempotencyInFlight:
      self.init(
        409, .idempotencyInFlight, "a request with this Idempotency-Key is under way",
        retryAfter: 1)
    // RFC 4918 §11.4.
    case .notApplied:
      self.init(424, .notApplied, "another write of the batch failed; nothing was written")
    case .tooManyCollections(let limit):
      self.init(
        422, .tooManyItems, "the client has \(limit) collections, as many as one may",
        limit: limit)
    case .versionGone(let oldest):
      self.init(410, .historyCompacted, "the oldest version that is kept is \(oldest)")
    case .contentGone:
      self.init(
        410, .historyCompacted, "contents of that version that the head has not are not kept")
    case .preconditionRequired:
      self.init(
        428, .preconditionRequired,
        "writes need If-Match or Collection-If-Version, or If-None-Match: * to create; in a batch "
          + "ifVersion, or ifNoneMatch")
    case .unknownVersion(let version):
      self.init(404, .unknownVersion, "the collection never had the version \(version)")
    case .reset(let reset): self.init(reset)
    case .tooManyParked(let limit):
      self.init(
        503, .tooManyParked, "\(limit) requests wait already", limit: limit, retryAfter: 5)
    case .syncTooLarge(let limit):
      self.init(
        413, .bodyTooLarge,
        "the answer would have more than \(limit) bytes: sync fewer collections at once, or GET those "
          + "of which nothing is held yet", limit: limit)
    case .tooMuchWritten(let limit):
      self.init(
        503, .overloaded,
        "large writes that are under way have \(limit) bytes of contents, as many as they may; "
          + "nothing was written", limit: limit, retryAfter: 1)
    case .storeUnavailable:
      self.init(
        503, .storeUnavailable,
        "the store cannot be reached, or takes too long; nothing was written", retryAfter: 5)
    case .outcomeUnknown:
      self.init(
        503, .outcomeUnknown,
        "the store did not say whether it committed the write, which may have been written; repeat it "
          + "with the same Idempotency-Key, or read the collection first", retryAfter: 1)
    case .storeUnsynced:
      self.init(
        500, .internalFault,
        "the store could not see to it that the write outlasts a loss of power, and has undone it; a "
          + "crash may bring it back: repeat it with the same Idempotency-Key")
    case .collectionDamaged:
      self.init(
        500, .internalFault,
        "what is stored of the collection is damaged, so it is not served: restore a back-up, or "
          + "DELETE it and PUT it anew")
    case .memoryFull(let limit):
      self.init(
        507, .storageFull,
        "all is kept in memory, and the write would take more than \(limit) bytes of it; nothing "
          + "was written: DELETE what is not needed, or raise limits.memoryBytesMax", limit: limit)
    case .versionsExhausted(let last):
      self.init(
        507, .storageFull,
        "\(last) is the last version that the collection can have; nothing was written: DELETE it and "
          + "PUT it anew")
    case .storageFull:
      self.init(507, .storageFull, "the store has no room left; nothing was written")
    case .notPermitted: self.init(Refusal.insufficientScope)
    case .draining:
      self.init(503, .draining, "the service is being shut down", retryAfter: 5)
    case .internalFault: self = .internalFault
    }
  }

  private init(_ passed: PassedLimit) {
    let (status, code): (Int, Code) =
      switch passed.quantity {
      case .bytes: (413, .bodyTooLarge)
      case .depth: (422, .tooDeep)
      case .work, .collections: (413, .tooManyItems)
      }
    self.init(status, code, passed.detail, limit: passed.limit)
    if !passed.pointer.isEmpty {
      entries = [Entry(pointer: passed.pointer, detail: passed.detail)]
    }
    guard let remaining = passed.remaining else { return }
    // There is room when something is deleted, which may be at any time.
    let name = passed.quantity == .bytes ? "stored-bytes" : "collections"
    self = with("Retry-After", "60").rateLimited(name, passed.limit, remaining: remaining)
  }

  private init(_ error: JSONError) {
    switch error {
    case .syntax:
      self.init(400, .badJSON, "the body is \(error)")
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
    entries = error.entries.map { Entry(pointer: $0.pointer, detail: $0.detail) }
  }

  private init(_ reset: Reset) {
    let (code, reason): (Code, String) =
      switch reset.reason {
      case .deltaTooLarge: (.deltaTooLarge, "the delta is over a threshold")
      case .historyCompacted:
        (.historyCompacted, "the oldest version that is kept is \(reset.oldest)")
      case .diverged: (.diverged, "the collection never had this version")
      case .lineageChanged:
        (.lineageChanged, "the collection was deleted and made anew since")
      }
    self.init(410, code, "no delta from \(reset.since): \(reason)")
    fields = [("Preference-Applied", "handling=strict")]
  }
}
