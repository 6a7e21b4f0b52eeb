/// Why a store operation failed; the texts are for the log.
public enum StoreError: Error, Hashable, Sendable {
  /// A collection is not at the expected version.
  case conflict
  /// The disk is full.
  case full(String)
  /// The store cannot be accessed or written to; nothing was written.
  case unavailable(String)
  /// The changes may have been committed, or may yet be. A shared store must be read again to know; any
  /// other has undone them, but a crash before the next commit may bring them back.
  case unknown(String)
  /// The disk did not sync the changes, which were undone; a crash before the next commit may bring
  /// them back.
  case unsynced(String)
  /// The stored data of a collection is corrupt; other collections are not affected.
  case damaged(String)
}

/// Why a store cannot commit writes; the raw value is the code of the problem that a writer gets.
public enum StoreOutage: String, Sendable {
  /// The disk is full.
  case full = "storage-full"
  /// The store cannot be reached or written to.
  case unavailable = "store-unavailable"
}
