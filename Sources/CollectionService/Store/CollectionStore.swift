import DeltaEngine
import SnapshotJSON

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

  /// Whether what was committed can be had again. If not, the service keeps all in memory, and
  /// never asks.
  var keepsContents: Bool { get }

  /// Lists what a client has; in any order.
  func summaries(
    of client: ResourceName,
    completion: @escaping @Sendable (Result<[CollectionSummary], StoreError>) -> Void)

  /// Gives a collection back as it was last committed; nil when there is none.
  func load(
    _ key: CollectionKey,
    completion: @escaping @Sendable (Result<StoredCollection?, StoreError>) -> Void)

  /// Gives back the requests that carried keys, oldest first.
  ///
  /// - Parameters:
  ///   - client: Whose requests.
  ///   - collection: The collection that they were about; nil for batches.
  ///   - completion: Gets them.
  func requests(
    of client: ResourceName, about collection: ResourceName?,
    completion: @escaping @Sendable (Result<[IdempotencyRecord], StoreError>) -> Void)

  /// Counts the collections of all clients.
  func countCollections(_ completion: @escaping @Sendable (Int) -> Void)

  /// Whether the store is open and can be written to.
  var isReady: Bool { get }
}

extension CollectionStore {
  /// Does not.
  public var keepsContents: Bool { false }

  /// Nothing.
  public func summaries(
    of client: ResourceName,
    completion: @escaping @Sendable (Result<[CollectionSummary], StoreError>) -> Void
  ) { completion(.success([])) }

  /// Nothing.
  public func load(
    _ key: CollectionKey,
    completion: @escaping @Sendable (Result<StoredCollection?, StoreError>) -> Void
  ) { completion(.success(nil)) }

  /// Nothing.
  public func requests(
    of client: ResourceName, about collection: ResourceName?,
    completion: @escaping @Sendable (Result<[IdempotencyRecord], StoreError>) -> Void
  ) { completion(.success([])) }

  /// None.
  public func countCollections(_ completion: @escaping @Sendable (Int) -> Void) { completion(0) }
}

/// Changes to collections of one client that happen together or not at all.
public struct StoreTransaction: Sendable {
  /// What becomes of one collection.
  public enum Change: Sendable {
    /// It has a new version.
    case put(StoredVersion)
    /// It has other settings, and no new version.
    case configure(StoredSettings)
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
  /// The head that a version follows.
  struct Previous: Sendable {
    var sections: [StructureSection]
    var contents: Contents
    /// What it has in common with the version that follows.
    var comparison: VersionComparison
    /// What leads back to its lists inside items.
    var nested: NestedPatch
  }

  /// The version.
  public var token: VersionToken
  var record: VersionRecord
  /// Its structure.
  public var sections: [StructureSection]
  /// The texts of its ids.
  public var ids: IDTable
  /// Its contents.
  public var contents: Contents
  /// Its lists inside items.
  var nested: NestedLists
  /// What it follows; nil when the collection has no other version.
  var previous: Previous?
  /// Settings that come with it; nil when they stay.
  public var settings: StoredSettings?
  /// Whether it is as old as it was, and only its lists inside items are read otherwise.
  var isReread = false

  /// When it was made, in seconds since 1970.
  public var date: Int64 { record.date }

  /// All of it in one piece: how a first version is stored.
  public func encodedImage() -> [UInt8] { StoredCollection(self).image() }
}

/// What a store keeps of a collection beside its versions; nil where there is nothing to keep.
public struct StoredSettings: Hashable, Sendable {
  /// The settings, as JSON text.
  public var settings: [UInt8]?
  /// Contents that are shown under other hashes than their own.
  public var forced: [UInt8]?

  /// Settings as a store had them.
  public init(settings: [UInt8]?, forced: [UInt8]?) {
    self.settings = settings
    self.forced = forced
  }

  init(_ settings: CollectionSettings, _ forced: ForcedContents, _ ids: IDTable) {
    if settings != CollectionSettings() {
      var writer = JSONWriter()
      writer.write(settings, limits: nil)
      self.settings = writer.bytes
    }
    self.forced = forced.encoded(ids)
  }
}

/// Why a store did not do what it was asked; the texts are for the log.
public enum StoreError: Error, Hashable, Sendable {
  /// A collection is at another version than the change stands on.
  case conflict
  /// There is no room left.
  case full(String)
  /// The store cannot be reached, or cannot be written to.
  case unavailable(String)
  /// It was written, but it is not certain that it would be there after a loss of power.
  case unsynced(String)
  /// What is stored of a collection is not what was written; other collections are not concerned.
  case damaged(String)
}
