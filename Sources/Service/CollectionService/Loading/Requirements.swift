import VersionedCollections

/// What must be loaded before a request can proceed.
struct Requirements: Sendable {
  /// Collections to load if they exist.
  var collections: [NeededCollection] = []
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

/// A collection that a request needs.
struct NeededCollection: Sendable {
  let name: ResourceName
  /// The version that the caller has; nil for none.
  var since: VersionToken?
  /// The version of which nothing needs to be loaded.
  var sufficient: VersionToken?
}

extension SyncRequest.Entry {
  /// What must be loaded to answer: nothing where the reader has the head, but for views, whose numbers are told.
  var needed: NeededCollection {
    NeededCollection(
      name: name, since: since,
      sufficient: isViewed || since?.restrictionMark != nil ? nil : since?.unrenewed)
  }
}
