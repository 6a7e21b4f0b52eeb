/// Keeps a collection up to date for as long as an app shows it.
///
/// It shows what a file has, follows the collection by a stream or by long polls, applies each change to its
/// replica, and reconnects with full jitter after a failure. Changes are shown one at a time, in order.
///
/// ```swift
/// let feed = CollectionFeed(client, inbox, options: .init(file: ReplicaFile(at: url)))
/// try await feed.run { event in
///   if case .change(let change) = event { await presenter.show(change, in: view) }
/// }
/// ```
///
/// Cancel the task to stop, such as when the app goes to the background, and run the feed again to go on
/// from what it has. ``SyncFeed`` follows several collections.
public final class CollectionFeed: Sendable {
  /// What a feed reports.
  public typealias Event = FeedEvent<ReplicaChange>
  /// How a feed follows a collection.
  public typealias Options = FeedOptions
  /// Shows an event, on the main actor.
  public typealias Handler = @MainActor @Sendable (Event) async -> Void

  /// The collection.
  public let collection: CollectionAddress
  private let feed: SyncFeed

  /// Creates a feed, which starts from the content of its file, if there is one.
  public init(
    _ client: DeltaClient, _ collection: CollectionAddress, options: Options = Options()
  ) {
    self.collection = collection
    feed = SyncFeed(client, [collection], options: options)
  }

  /// The content.
  public var replica: CollectionReplica {
    get async { await feed.replicas[collection.name] ?? CollectionReplica() }
  }

  /// As ``SyncFeed/poll()``.
  @discardableResult
  public func poll() async throws(ClientError) -> ReplicaChange {
    try await feed.poll()[collection.name] ?? .unchanged
  }

  /// As ``SyncFeed/refresh()``.
  public func refresh() async throws(ClientError) { try await feed.refresh() }

  /// As ``SyncFeed/wake()``.
  public func wake() async { await feed.wake() }

  /// As ``SyncFeed/run(_:)``.
  public func run(_ show: @escaping Handler) async throws(ClientError) {
    try await feed.run { event in
      switch event {
      case .change(let changes): for change in changes.values { await show(.change(change)) }
      case .interrupted(let error, let pause): await show(.interrupted(error, retryAfter: pause))
      }
    }
  }
}
