import DeltaEngine
import SnapshotJSON

/// Changes to a client's collections that are committed together or not at all.
public struct StoreTransaction: Sendable {
  /// A change to one collection.
  public enum Change: Sendable {
    /// Stores a new version.
    case put(StoredVersion)
    /// Creates a collection of another store with all its versions.
    case restore(StoredHistory)
    /// Stores new settings without a new version.
    case configure(StoredSettings)
    /// Deletes the collection with all its versions.
    case delete
    /// Changes nothing: the outcome of the write rests on the expected version.
    case check
  }

  /// The change to one of the collections.
  public struct Entry: Sendable {
    /// The collection's name.
    public var name: ResourceName
    /// The version the change is based on; nil if the collection must not exist.
    public var expected: VersionToken?
    /// The expected revision, as in ``StoredCollection/revision``; nil if it does not matter.
    public var expectedRevision: Int?
    /// The change.
    public var change: Change
  }

  /// The owner of the collections.
  public var client: ResourceName
  /// The changes, at most one per collection; empty if only the idempotency record is stored.
  public var entries: [Entry]
  /// The idempotency record of the request, if it has a key.
  public var idempotency: IdempotencyRecord?
  /// The collection and the key of a refused request, which must not have been kept; a shared store
  /// fails with `conflict` if it was, because the first attempt was then accepted.
  public var absentKey: (collection: ResourceName?, text: String)?

  package init(
    client: ResourceName, entries: [Entry], idempotency: IdempotencyRecord? = nil,
    absentKey: (collection: ResourceName?, text: String)? = nil
  ) {
    self.client = client
    self.entries = entries
    self.idempotency = idempotency
    self.absentKey = absentKey
  }
}
