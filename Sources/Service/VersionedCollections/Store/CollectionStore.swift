import DeltaEngine
import SnapshotJSON

/// Receives the outcome of what a store was asked for, on any thread.
public typealias StoreCompletion<Value> = @Sendable (Result<Value, StoreError>) -> Void

/// A durable store for collections.
///
/// Readers see a version only after its commit. A service never has two transactions on one
/// collection in progress, but several services may share a store. A store may complete synchronously or later, on any thread, and may
/// combine transactions of several callers into one write.
public protocol CollectionStore: Sendable {
  /// Commits all changes of a transaction, or none.
  ///
  /// - Parameters:
  ///   - transaction: The changes, each with the version it is based on.
  ///   - completion: Called exactly once: with success when the changes are durable, with
  ///     `StoreError.conflict` if a collection is not at the expected version, and with
  ///     `StoreError.unknown` if they may have been committed. After any other error nothing was
  ///     written.
  func commit(
    _ transaction: StoreTransaction,
    completion: @escaping StoreCompletion<Void>)

  /// Whether committed contents can be read back.
  ///
  /// If not, the service keeps everything in memory and never reads.
  var keepsContents: Bool { get }

  /// Reads parts of a client's data, consistent with each other.
  ///
  /// - Parameters:
  ///   - parts: The parts.
  ///   - client: The client.
  ///   - completion: Called with the last committed parts, in the order of `parts`. Each has its
  ///     own result, so that damage to one does not affect the others.
  func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void)

  /// Lists what has idempotency records.
  ///
  /// - Parameters:
  ///   - owner: The last one of the page before; nil for the first page.
  ///   - countMax: The most to list.
  ///   - completion: Called with the owners, ascending by client and collection.
  func recordOwners(
    after owner: RecordOwner?, countMax: Int,
    completion: @escaping StoreCompletion<[RecordOwner]>)

  /// Counts the collections of all clients.
  ///
  /// - Parameter completion: Called with the number; nil if they could not be counted.
  func countCollections(_ completion: @escaping @Sendable (Int?) -> Void)

  /// Lists clients that have collections; the cost depends on the limit, not on how many there are.
  ///
  /// - Parameters:
  ///   - range: The names.
  ///   - name: The name after which the list starts; nil for the start of the range.
  ///   - limit: The most clients.
  ///   - completion: Called with the clients, ascending by name; fewer than the limit if there are
  ///     no more.
  func clients(
    in range: NameRange, after name: ResourceName?, limit: Int,
    completion: @escaping StoreCompletion<[ClientSummary]>)

  /// Finds the collections whose newest version was committed at a date or later, and those deleted
  /// since.
  ///
  /// - Parameters:
  ///   - date: Seconds since 1970.
  ///   - countMax: The most collections to return.
  ///   - completion: Called with the collections, each once; nil if there are more or the store
  ///     does not know.
  func changes(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionChange]?) -> Void)

  /// Records that collections were used; those that do not exist are ignored.
  ///
  /// - Parameters:
  ///   - uses: The collections, each once.
  ///   - date: Seconds since 1970.
  ///   - completion: Called with whether all are recorded.
  func record(
    uses: [CollectionKey], date: Int64, completion: @escaping @Sendable (Bool) -> Void)

  /// Finds collections whose last use was recorded at a date or earlier.
  ///
  /// - Parameters:
  ///   - date: Seconds since 1970.
  ///   - countMax: The most collections to return.
  ///   - completion: Called with the collections, in any order.
  func unused(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionKey]) -> Void)

  /// Returns the bytes that each of a client's collections takes, with its history; those that are not
  /// known are left out.
  func storedBytes(
    of client: ResourceName,
    completion: @escaping StoreCompletion<[ResourceName: Int]>)

  /// Frees what is no longer needed: expired history and requests, and deleted collections. Writers do
  /// not wait for it.
  func compact(_ completion: @escaping StoreCompletion<CompactionReport>)

  /// Why writes cannot be committed; nil if they can.
  var outage: StoreOutage? { get }

  /// What the store counts about itself.
  var statistics: StoreStatistics? { get }

  /// Whether notices of other services arrive; nil if that is not known, or there are none.
  var noticesArrive: Bool? { get }

  /// Whether other services may write to the store, so that what is in memory may be out of date.
  var isShared: Bool { get }

  /// The seconds since the store was last reached; nil if it can be reached.
  var secondsAway: Int? { get }

  /// The seconds for which reads have failed, or had failed when they succeeded again within a duration until now; nil
  /// if none has.
  func secondsStale(within duration: Duration) -> Int?

  /// Reads the lists of collections of several clients of a shared store at once.
  ///
  /// - Parameters:
  ///   - clients: The clients, each once.
  ///   - completion: Called with the lists; a client without collections has none.
  func summaries(
    of clients: [ResourceName],
    completion: @escaping StoreCompletion<[ResourceName: [CollectionSummary]]>)

  /// Reads the feed of changes of a shared store.
  ///
  /// - Parameters:
  ///   - number: Changes after this number are read; nil for none.
  ///   - countMax: The most changes to read.
  ///   - completion: Called with the changes.
  func feed(
    after number: UInt64?, countMax: Int,
    completion: @escaping StoreCompletion<StoredFeed>)

  /// How late the feed of changes of a shared store was when it was last looked at; nil without one.
  var feedState: FeedState? { get }

  /// Takes or keeps the turn to do a job, which one of the services over a shared store has at a time.
  ///
  /// - Parameters:
  ///   - job: The name of the job.
  ///   - holder: Identifies the service.
  ///   - seconds: How long the turn lasts from now on, by the clock of the store; 0 to pass it on.
  ///   - position: How far the job is done; nil if that has not changed. It is kept only for the holder.
  ///   - isNew: Whether to take it if nobody has it; else only its holder keeps it.
  ///   - completion: Called with the turn; nil if it is another's.
  func turn(
    _ job: String, holder: String, seconds: Int, position: String?, isNew: Bool,
    completion: @escaping StoreCompletion<JobTurn?>)

  /// Starts to report clients that others have written; a hint, which may be lost or late.
  ///
  /// - Parameter report: Called with the clients; nil if any may have been written.
  func reportOthers(to report: @escaping @Sendable ([ResourceName]?) -> Void)
}

extension CollectionStore {
  /// A store does not keep contents by default.
  public var keepsContents: Bool { false }

  /// A store takes writes by default.
  public var outage: StoreOutage? { nil }

  /// Whether writes can be committed.
  public var isReady: Bool { outage == nil }

  /// There are no notices by default.
  public var noticesArrive: Bool? { nil }

  /// A store has one service by default.
  public var isShared: Bool { false }

  /// A store can always be reached by default.
  public var secondsAway: Int? { nil }

  /// Reads fail only while a store is away, by default.
  public func secondsStale(within duration: Duration) -> Int? { secondsAway }

  /// Fails.
  public func summaries(
    of clients: [ResourceName],
    completion: @escaping StoreCompletion<[ResourceName: [CollectionSummary]]>
  ) { completion(.failure(.unavailable("the store is not shared"))) }

  /// Fails.
  public func feed(
    after number: UInt64?, countMax: Int, completion: @escaping StoreCompletion<StoredFeed>
  ) { completion(.failure(.unavailable("the store is not shared"))) }

  /// A store has no feed by default.
  public var feedState: FeedState? { nil }

  /// Fails.
  public func turn(
    _ job: String, holder: String, seconds: Int, position: String?, isNew: Bool,
    completion: @escaping StoreCompletion<JobTurn?>
  ) { completion(.failure(.unavailable("the store is not shared"))) }

  /// Reports nothing.
  public func reportOthers(to report: @escaping @Sendable ([ResourceName]?) -> Void) {}

  /// Fails for every part.
  public func read(
    _ parts: [StoredPart], of client: ResourceName,
    completion: @escaping @Sendable ([Result<StoredValue, StoreError>]) -> Void
  ) { completion(parts.map { _ in .failure(.unavailable("the store keeps no contents")) }) }

  /// Completes with nil.
  public func changes(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionChange]?) -> Void
  ) { completion(nil) }

  /// Records nothing.
  public func record(
    uses: [CollectionKey], date: Int64, completion: @escaping @Sendable (Bool) -> Void
  ) { completion(true) }

  /// Completes with no collections.
  public func unused(
    since date: Int64, countMax: Int, completion: @escaping @Sendable ([CollectionKey]) -> Void
  ) { completion([]) }

  /// A store counts nothing by default.
  public var statistics: StoreStatistics? { nil }

  /// Completes with 0.
  public func countCollections(_ completion: @escaping @Sendable (Int?) -> Void) { completion(0) }

  /// Completes without sizes.
  public func storedBytes(
    of client: ResourceName, completion: @escaping StoreCompletion<[ResourceName: Int]>
  ) { completion(.success([:])) }

  /// Completes with nothing freed.
  public func compact(
    _ completion: @escaping StoreCompletion<CompactionReport>
  ) { completion(.success(CompactionReport())) }

  /// Completes with no owners.
  public func recordOwners(
    after owner: RecordOwner?, countMax: Int, completion: @escaping StoreCompletion<[RecordOwner]>
  ) { completion(.success([])) }

  /// Completes with no clients.
  public func clients(
    in range: NameRange, after name: ResourceName?, limit: Int,
    completion: @escaping StoreCompletion<[ClientSummary]>
  ) { completion(.success([])) }
}

/// A part of a client's data.
public enum StoredPart: Hashable, Sendable {
  /// The list of collections.
  case summaries
  /// A collection, unless the reader already has its version.
  case collection(ResourceName, unlessAt: VersionToken?)
  /// A version of a collection with its contents.
  case version(ResourceName, VersionToken)
  /// A collection with the contents of its older versions.
  case history(ResourceName)
  /// The idempotency records of a collection, or those of batches if nil.
  case records(ResourceName?)

  /// The collection that the part belongs to, if any.
  public var collection: ResourceName? {
    switch self {
    case .summaries: nil
    case .collection(let name, _), .version(let name, _), .history(let name): name
    case .records(let name): name
    }
  }
}

/// The value of a ``StoredPart``.
public enum StoredValue: Sendable {
  /// A client's collections, in any order.
  case summaries([CollectionSummary])
  /// The collection; nil if it does not exist.
  case collection(StoredCollection?)
  /// The collection at that version; nil if its contents are not retained.
  case version(StoredCollection?)
  /// The collection; nil if it does not exist.
  case history(StoredHistory?)
  /// The reader already has the collection's version.
  case unchanged
  /// The idempotency records, oldest first.
  case records([IdempotencyRecord])
}

/// Returns what `body` passes to the completion it is given.
package func completion<Value: Sendable>(
  _ body: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  await withCheckedContinuation { continuation in body { continuation.resume(returning: $0) } }
}
