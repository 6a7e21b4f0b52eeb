public import SnapshotJSON

/// Why a request was refused; one case a cause.
public enum ServiceError: Error, Sendable {
  /// The body is not JSON, or nested too deeply.
  case badJSON(JSONError)
  /// The body is JSON of another shape, or over a limit.
  case badSnapshot(SnapshotError)
  /// The result would pass a limit.
  case limitPassed(PassedLimit)
  /// A setting is unknown, or its value is not allowed.
  case badSettings(SettingsError)
  /// A collection's name is not allowed.
  case badIdentifier(pointer: String)
  /// A version is not given as a token.
  case badToken(pointer: String)
  /// The collection is not at the version that the writer expects.
  case versionConflict
  /// The writer must name the version that it expects, and did not.
  case preconditionRequired
  /// Asked to create only, and the collection exists.
  case collectionExists
  /// There is no such collection.
  case collectionNotFound
  /// An edit names something that does not exist, or adds something that does; nothing was applied.
  case editConflict(EditConflict)
  /// The idempotency key was used for another request.
  case idempotencyKeyReuse
  /// A request with the idempotency key is under way.
  case idempotencyInFlight
  /// Nothing is wrong with it, but another write of the same atomic batch failed.
  case notApplied
  /// The client has the most collections that are allowed.
  case tooManyCollections(limit: Int)
  /// The version is older than what is kept.
  case versionGone(oldest: VersionToken)
  /// The version is retained, but not all contents that are asked for.
  case contentGone(oldest: VersionToken)
  /// The collection never had this version, or another life of it had.
  case unknownVersion(VersionToken)
  /// A reader who insists on a delta cannot have one.
  case reset(Reset)
  /// The most readers that are allowed wait already.
  case tooManyParked(limit: Int)
  /// What is new in the collections of one sync is too large for one answer.
  case syncTooLarge(limit: Int)
  /// The large writes under way have the most bytes of contents that are allowed.
  case tooMuchWritten(limit: Int)
  /// The store cannot be reached.
  case storeUnavailable
  /// The store could not sync the write, so it was not carried out.
  case storeUnsynced
  /// What is stored of the collection is not what was written.
  case collectionDamaged
  /// The store has no room left.
  case storageFull
  /// The service keeps all in memory, and its memory limit is reached.
  case memoryFull(limit: Int)
  /// The writer may not write one of the collections.
  case notPermitted
  /// The service is being shut down.
  case draining
  /// A bug of the service, with the cause for its log; the service goes on.
  case internalFault(String)
}

/// A refusal, with the state of the collection that it speaks of.
public struct ServiceFailure: Error, Sendable {
  /// Why.
  public var error: ServiceError
  /// The collection's version at that moment; nil when there is none.
  public var current: VersionToken?

  /// Puts the two together.
  public init(_ error: ServiceError, current: VersionToken?) {
    self.error = error
    self.current = current
  }
}

/// Why a reader gets a snapshot where a delta was asked for.
public struct Reset: Hashable, Sendable {
  /// The causes; the raw value is the word of the protocol.
  public enum Reason: String, Sendable {
    /// Over a threshold; what the reader holds is still valid.
    case deltaTooLarge = "delta-too-large"
    /// The version is older than what is kept.
    case historyCompacted = "history-compacted"
    /// The version is not one that this collection ever had.
    case diverged
    /// The version belongs to another life of the collection.
    case lineageChanged = "lineage-changed"
  }

  /// The cause.
  public var reason: Reason
  /// The version asked about.
  public var since: VersionToken
  /// The oldest version that is kept.
  public var oldest: VersionToken
}
