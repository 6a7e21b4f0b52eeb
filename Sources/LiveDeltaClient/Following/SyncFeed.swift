/// Keeps several collections of a client up to date, on one connection and as of one moment.
///
/// What was written together changes together: the replicas of one event, and those in the file, never have
/// half of a batch. In everything else it is as ``CollectionFeed``.
///
/// ```swift
/// let feed = SyncFeed(client, [inbox, cart])
/// try await feed.run { event in
///   guard case .change(let changes) = event else { return }
///   for (name, change) in changes { await screens[name]?.show(change) }
/// }
/// ```
public final class SyncFeed: Sendable {
  /// What a feed reports: the changes, by the names of their collections.
  public typealias Event = FeedEvent<[String: ReplicaChange]>
  /// How a feed follows collections.
  public typealias Options = FeedOptions
  /// Shows an event, on the main actor.
  public typealias Handler = @MainActor @Sendable (Event) async -> Void

  /// The collections.
  public let collections: [CollectionAddress]
  private let loop: FeedLoop<SyncFollower>

  /// Creates a feed with the content of its file, if there is one.
  ///
  /// - Parameters:
  ///   - client: Requests what changed.
  ///   - collections: At least one, all of one client, each once.
  ///   - options: How to follow them; they share the file.
  public init(
    _ client: DeltaClient, _ collections: [CollectionAddress], options: Options = Options()
  ) {
    self.collections = collections
    let stored = options.content(of: collections, client)
    loop = FeedLoop(client, SyncFollower(client, collections, holding: stored), options)
  }

  /// The contents of one moment, by the names of their collections.
  public var replicas: [String: CollectionReplica] {
    get async { await loop.follower.replicas }
  }

  /// Asks once for the newest contents, without waiting for a change, and keeps them: for background
  /// refresh.
  ///
  /// - Returns: The changes, by the names of their collections.
  /// - Throws: `ClientError`; the contents are then unchanged.
  @discardableResult
  public func poll() async throws(ClientError) -> [String: ReplicaChange] {
    try await loop.poll() ?? [:]
  }

  /// Shows the contents and then each change, until the task is cancelled.
  ///
  /// Run a feed once at a time.
  ///
  /// - Parameter show: Called on the main actor with one event at a time; the next one waits for it.
  /// - Throws: `ClientError.cancelled`, or an error that trying again does not mend.
  public func run(_ show: @escaping Handler) async throws(ClientError) {
    try await loop.run(show)
  }
}
