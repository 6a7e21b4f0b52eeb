import VersionedCollections

/// What must be loaded before a request can proceed.
struct Requirements: Sendable {
  /// Collections to load if they exist; for those at `since`, the version suffices.
  var collections: [SyncRequest.Entry] = []
  /// The collection whose idempotency records are needed; nil for none, an inner nil for batches.
  var records: ResourceName??
  /// The request's ID in the log.
  var requestID: RequestID?
  /// When to ask a shared store for the list of collections.
  var confirmation = Confirmation.ifNew
  /// Versions that the caller has seen.
  var versions: [VersionToken] = []

  /// When to ask a shared store for the list of collections.
  enum Confirmation {
    /// When the one in memory is older than `readStaleness`.
    case ifOld
    /// Also when the caller names a collection or shows a version that is not known.
    case ifNew
    /// Whatever the age of the list in memory.
    case always
  }
}
