extension Problem {
  /// The machine-readable code of a problem; its meaning never changes.
  enum Code: String, CaseIterable {
    case badJSON = "bad-json"
    case badSnapshot = "bad-snapshot"
    case badToken = "bad-token"
    case badIdentifier = "bad-identifier"
    case badParameter = "bad-parameter"
    case duplicateID = "duplicate-id"
    case editConflict = "edit-conflict"
    case tooManyItems = "too-many-items"
    case tooDeep = "too-deep"
    case bodyTooLarge = "body-too-large"
    case unsupportedMediaType = "unsupported-media-type"
    case notAcceptable = "not-acceptable"
    case preconditionRequired = "precondition-required"
    case versionConflict = "version-conflict"
    case collectionExists = "collection-exists"
    case collectionNotFound = "collection-not-found"
    case notFound = "not-found"
    case methodNotAllowed = "method-not-allowed"
    case methodNotImplemented = "method-not-implemented"
    case versionNotSupported = "version-not-supported"
    case badRequest = "bad-request"
    case misdirected
    case notApplied = "not-applied"
    case unknownVersion = "unknown-version"
    case historyCompacted = "history-compacted"
    case deltaTooLarge = "delta-too-large"
    case diverged
    case lineageChanged = "lineage-changed"
    case viewChanged = "view-changed"
    case idempotencyKeyReuse = "idempotency-key-reuse"
    case idempotencyInFlight = "idempotency-in-flight"
    case originNotAllowed = "origin-not-allowed"
    case unauthenticated
    case tokenExpired = "token-expired"
    case insufficientScope = "insufficient-scope"
    case rateLimited = "rate-limited"
    case tooManyParked = "too-many-parked"
    case overloaded
    case storeUnavailable = "store-unavailable"
    case outcomeUnknown = "outcome-unknown"
    case draining
    case storageFull = "storage-full"
    case tooMuchWork = "too-much-work"
    case internalFault = "internal"
  }
}
