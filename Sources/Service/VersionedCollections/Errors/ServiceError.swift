public import SnapshotJSON

/// Why a request failed, with one case per cause.
public enum ServiceError: Error, Sendable {
  /// The body is not JSON or is nested too deeply.
  case badJSON(JSONError)
  /// The body is JSON with an invalid structure or exceeds a limit.
  case badSnapshot(SnapshotError)
  /// The result would exceed a limit.
  case limitPassed(PassedLimit)
  /// A setting is unknown or has an invalid value.
  case badSettings(SettingsError)
  /// A collection's name is invalid.
  case badIdentifier(pointer: String)
  /// A version is not a valid token.
  case badToken(pointer: String)
  /// The collection is not at the version that the writer expects.
  case versionConflict
  /// The writer did not name the expected version, which is required.
  case preconditionRequired
  /// The collection already exists, but the request may only create one.
  case collectionExists
  /// The collection does not exist.
  case collectionNotFound
  /// An edit names something that does not exist, or adds something that does; no edit was applied.
  case editConflict(SnapshotError.Entry)
  /// The idempotency key was used for a different request.
  case idempotencyKeyReuse
  /// A request with the same idempotency key is in flight.
  case idempotencyInFlight
  /// Another write of the same atomic batch failed.
  case notApplied
  /// The client has the maximum number of collections.
  case tooManyCollections(limit: Int)
  /// The version is older than the retained ones.
  case versionGone(oldest: VersionToken)
  /// The version is retained, but not all of the requested contents.
  case contentGone(oldest: VersionToken)
  /// The collection never had this version, or a previous lineage of it had.
  case unknownVersion(VersionToken)
  /// The reader requires a delta, but there is none.
  case reset(Reset)
  /// The maximum number of readers are already waiting.
  case tooManyParked(limit: Int)
  /// The views of those who wait take the maximum size in bytes.
  case tooMuchParked(limit: Int)
  /// A view takes more than so many milliseconds of the processor; to be asked for again after some seconds.
  case tooMuchWork(limit: Int, seconds: Int)
  /// The changes of several collections are too large for one answer.
  case syncTooLarge(limit: Int)
  /// The large writes in progress have the maximum size in bytes.
  case tooMuchWritten(limit: Int)
  /// The store cannot be accessed; nothing was written.
  case storeUnavailable
  /// The write may have been committed: a repetition with the same idempotency key finds out.
  case outcomeUnknown
  /// The store could not sync the write, which was undone; a crash may bring it back.
  case storeUnsynced
  /// The stored data of the collection is corrupt.
  case collectionDamaged
  /// The collection has the last version that its lineage can have.
  case versionsExhausted(VersionToken)
  /// The store's disk is full.
  case storageFull
  /// The memory limit is reached, and the service keeps everything in memory.
  case memoryFull(limit: Int)
  /// The writer lacks permission to write one of the collections.
  case notPermitted
  /// The reader may read only what anybody may, and the collection is private, or there is none.
  case notPublic
  /// What is imposed on the reader does not let it read this: history and settings are not part of a view.
  case notInView
  /// What is imposed on the reader cannot be imposed on the collection; why, for the log.
  case viewNotPermitted(String)
  /// The service is shutting down.
  case draining
  /// A bug in the service, with the cause for the log.
  case internalFault(String)
}

/// An error with the state of the collection concerned.
public struct ServiceFailure: Error, Sendable {
  /// The error.
  public var error: ServiceError
  /// The collection's version at that moment; nil if it does not exist.
  public var current: VersionToken?

  /// Creates a failure.
  public init(_ error: ServiceError, current: VersionToken?) {
    self.error = error
    self.current = current
  }
}

/// Why a reader gets a snapshot instead of a delta.
public struct Reset: Hashable, Sendable {
  /// The reasons; the raw value is the word in the protocol.
  public enum Reason: String, Sendable {
    /// A threshold was exceeded; the reader's version is still valid.
    case deltaTooLarge = "delta-too-large"
    /// The version is older than the retained ones.
    case historyCompacted = "history-compacted"
    /// The collection never had the version.
    case diverged
    /// The version belongs to another lineage of the collection.
    case lineageChanged = "lineage-changed"
    /// The version was given under another restriction than the reader has now.
    case viewChanged = "view-changed"
  }

  /// The reason.
  public var reason: Reason
  /// The reader's version.
  public var since: VersionToken
  /// The oldest retained version that the reader may read.
  public var oldest: VersionToken
  /// The mark of the version that the reader is given instead, so that no shared cache has an answer to it; nil for none.
  public var renewal: VersionToken.Mark?

  package init(
    reason: Reason, since: VersionToken, oldest: VersionToken, renewal: VersionToken.Mark? = nil
  ) {
    self.reason = reason
    self.since = since
    self.oldest = oldest
    self.renewal = renewal
  }
}
