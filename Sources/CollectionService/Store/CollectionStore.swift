public import DeltaEngine

/// Where versions become durable.
///
/// The service shows nothing before its store has said yes, and never has two transactions on one
/// collection under way. A store may answer at once or much later, from any thread, and put the
/// transactions of several callers into one write.
public protocol CollectionStore: Sendable {
  /// Makes all changes of a transaction durable, or none.
  ///
  /// - Parameters:
  ///   - transaction: The changes, each with the version that it stands on.
  ///   - completion: Called exactly once: with success when the changes are durable, with
  ///     `StoreError.conflict` when a collection is not at the version expected.
  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

  /// Whether the store is open and can be reached.
  var isReady: Bool { get }
}

/// Changes to collections of one client that happen together or not at all.
public struct StoreTransaction: Sendable {
  /// What becomes of one collection.
  public enum Change: Sendable {
    /// It has a new version.
    case put(StoredVersion)
    /// It has other settings, and no new version.
    case configure(CollectionSettings)
    /// It goes, with all its versions.
    case delete
  }

  /// One collection's part.
  public struct Entry: Sendable {
    /// The collection's name.
    public var name: ResourceName
    /// The version that the change stands on; nil when the collection must not exist.
    public var expected: VersionToken?
    /// What becomes of it.
    public var change: Change
  }

  /// The owner of the collections.
  public var client: ResourceName
  /// The collections, each at most once; none for a request that changed nothing but had a key.
  public var entries: [Entry]
  /// The request itself, if it may come again.
  public var idempotency: IdempotencyRecord?
}

/// A version as a store gets it.
public struct StoredVersion: Sendable {
  /// The version.
  public var token: VersionToken
  /// When it was made, in seconds since 1970.
  public var date: Int64
  /// Its structure.
  public var sections: [StructureSection]
  /// The texts of its ids.
  public var ids: IDTable
  /// Its contents.
  public var contents: Contents
  /// The structures of the lists inside its items.
  public var nested: NestedLists
  /// What differs from the version before: a store need write no more than that.
  public var delta: Delta
  /// Settings that come with it; nil when they stay.
  public var settings: CollectionSettings?
}

/// Why a store did not commit.
public enum StoreError: Error, Hashable, Sendable {
  /// A collection is at another version than the change stands on.
  case conflict
  /// There is no room left.
  case full
  /// The store cannot be reached or does not work; the text is for the log.
  case unavailable(String)
}
