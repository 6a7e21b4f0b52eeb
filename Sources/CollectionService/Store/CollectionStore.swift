import DeltaEngine
import SnapshotJSON

/// Where versions become durable.
///
/// The service shows nothing before it is committed, and never has two transactions on one
/// collection under way. A store may complete at once or much later, on any thread, and put the
/// transactions of several callers into one write.
public protocol CollectionStore: Sendable {
  /// Makes all changes of a transaction durable, or none.
  ///
  /// - Parameters:
  ///   - transaction: The changes, each with the version that it is based on.
  ///   - completion: Called exactly once: with success when the changes are durable, with
  ///     `StoreError.conflict` when a collection is not at the version expected.
  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

  /// Whether what was committed can be read back. If not, the service keeps all in memory, and
  /// never reads.
  var keepsContents: Bool { get }

  /// Reads parts of what a client has, all as of one moment.
  ///
  /// - Parameters:
  ///   - parts: The parts.
  ///   - client: The client.
  ///   - completion: Gets the parts as they were last committed, in the order of `parts`, each by
  ///     itself: one that is damaged keeps the others from nothing.
  func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void)

  /// Counts the collections of all clients.
  func countCollections(_ completion: @escaping @Sendable (Int) -> Void)

  /// Lists the clients that have collections.
  ///
  /// - Parameters:
  ///   - query: Which of them.
  ///   - completion: Gets as many as the query allows, ascending by name.
  func clients(
    _ query: ClientQuery,
    completion: @escaping @Sendable (Result<[ClientSummary], StoreError>) -> Void)

  /// Finds the collections whose newest version was made at a date or later, and those that were
  /// deleted since.
  ///
  /// - Parameters:
  ///   - date: Seconds since 1970.
  ///   - countMax: The most collections that are wanted.
  ///   - completion: Gets the collections, each once; nil when there are more, or it is not known.
  func changes(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionChange]?) -> Void)

  /// Whether the store is open and can be written to.
  var isReady: Bool { get }
}

extension CollectionStore {
  /// A store that forgets contents.
  public var keepsContents: Bool { false }

  /// A store that forgets contents is never asked for any.
  public func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) { completion(parts.map { _ in .failure(.unavailable("the store keeps no contents")) }) }

  /// Not known.
  public func changes(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionChange]?) -> Void
  ) { completion(nil) }

  /// No collections.
  public func countCollections(_ completion: @escaping @Sendable (Int) -> Void) { completion(0) }

  /// No clients.
  public func clients(
    _ query: ClientQuery,
    completion: @escaping @Sendable (Result<[ClientSummary], StoreError>) -> Void
  ) { completion(.success([])) }
}

/// A part of what a store has of a client.
public enum StoredPart: Hashable, Sendable {
  /// Which collections there are.
  case summaries
  /// A collection, unless it is at a version that the reader has.
  case collection(ResourceName, unlessAt: VersionToken?)
  /// A version of a collection, whole.
  case version(ResourceName, VersionToken)
  /// The requests that carried idempotency keys, about a collection; nil for batches.
  case records(ResourceName?)

  /// The collection that it is about, if it is one.
  public var collection: ResourceName? {
    switch self {
    case .summaries: nil
    case .collection(let name, _), .version(let name, _): name
    case .records(let name): name
    }
  }
}

/// What a store gives for a ``StoredPart``.
public enum StoredValue: Sendable {
  /// What a client has, in any order.
  case summaries([CollectionSummary])
  /// The collection; nil when there is none.
  case collection(StoredCollection?)
  /// The collection as it was at the version; nil when its contents are not kept.
  case version(StoredCollection?)
  /// The collection is at the version that the reader has.
  case unchanged
  /// The requests, oldest first.
  case records([IdempotencyRecord])
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
    /// The version that the change is based on; nil when the collection must not exist.
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
  public var overrides: [UInt8]?

  /// Settings as a store had them.
  public init(settings: [UInt8]?, overrides: [UInt8]?) {
    self.settings = settings
    self.overrides = overrides
  }

  init(_ settings: CollectionSettings, _ overrides: HashOverrides, _ ids: IDTable) {
    if settings != CollectionSettings() {
      var writer = JSONWriter()
      writer.write(settings, limits: nil)
      self.settings = writer.bytes
    }
    self.overrides = overrides.encoded(ids)
  }
}

/// Why a store did not do what it was asked; the texts are for the log.
public enum StoreError: Error, Hashable, Sendable {
  /// A collection is at another version than the change is based on.
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
