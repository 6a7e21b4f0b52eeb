/// Keeps collections of a client up to date, on one connection and as of one moment, for as long as an app
/// shows them.
///
/// It shows what a file has, follows the collections by a stream or by long polls, applies each change to the
/// replicas, and reconnects with full jitter after a failure. Changes are shown one at a time, in order. What
/// was written together changes together: the replicas of one event, and those in the file, never have half of
/// a batch.
///
/// ```swift
/// let feed = SyncFeed(client, [inbox, cart])
/// try await feed.run { event in
///   guard case .change(let changes) = event else { return }
///   for (name, change) in changes { await screens[name]?.show(change) }
/// }
/// ```
///
/// One loop owns the replicas: what `poll()` and `refresh()` ask for while the feed runs, the loop asks for.
/// Cancel the task of `run(_:)` to stop, such as when the app goes to the background, and run the feed again to
/// go on from what it has. A second run begins when the first one has ended.
public actor SyncFeed {
  /// The changes, by the names of their collections.
  public typealias Changes = [String: ReplicaChange]
  /// What a feed reports.
  public typealias Event = FeedEvent<Changes>
  /// How a feed follows collections.
  public typealias Options = FeedOptions
  /// Shows an event, on the main actor.
  public typealias Handler = @MainActor @Sendable (Event) async -> Void

  /// The collections.
  public nonisolated let collections: [CollectionAddress]
  let client: DeltaClient
  let options: FeedOptions
  let sinceStart: @Sendable () -> Duration

  // What the loop and those who ask it share, each in a file of its own.

  /// Read from the file by the first use, which is never on the main thread.
  lazy var contents = stored()
  var savedVersions: [String: String] = [:]
  var savedAt = Duration.zero
  /// Why the file could not be written last, and whether that was told.
  var fileFault: ClientError?
  var toldOfFile = false
  /// Whether an answer has come since the last attempt began.
  var wasReached = false
  var circle = CircleDetector()
  var line = FeedLine()
  /// Ends the request or the pause at hand.
  var stop: (@Sendable () -> Void)?
  /// Whether the loop is to go on at once.
  var isWoken = false
  var wish: String?
  var isMoving = false

  /// Creates a feed, which starts from the content of its file, if there is one.
  ///
  /// - Parameters:
  ///   - client: Requests what changed.
  ///   - collections: At least one, all of one client, each once.
  ///   - options: How to follow them; they share the file.
  public init(
    _ client: DeltaClient, _ collections: [CollectionAddress], options: Options = Options()
  ) {
    FeedReplicas.check(collections)
    (self.client, self.collections, self.options) = (client, collections, options)
    sinceStart = options.clock.stopwatch()
  }

  /// The contents of one moment, by the names of their collections.
  public var replicas: [String: CollectionReplica] { contents.replicas }

  /// The content of a feed of one collection.
  public var replica: CollectionReplica {
    contents.replicas[collections[0].name] ?? CollectionReplica()
  }

  /// Asks once for the newest contents, without waiting for a change, and keeps them: for background
  /// refresh.
  ///
  /// While the feed runs, the change is shown as well.
  ///
  /// - Returns: The changes, by the names of their collections.
  /// - Throws: `ClientError`; the contents are then unchanged.
  @discardableResult
  public func poll() async throws(ClientError) -> Changes {
    try await wait(isRun: false).get()
  }

  /// Asks for the newest contents, and returns when they are shown: for pull to refresh.
  ///
  /// - Throws: `ClientError`; the feed itself goes on trying.
  public func refresh() async throws(ClientError) { try await poll() }

  /// Goes on at once: ends a pause, and replaces a connection that may be dead.
  ///
  /// For an app that comes to the foreground, or a network that is back.
  public func wake() {
    isWoken = true
    stop?()
  }

  /// Shows the contents and then each change, until the task is cancelled.
  ///
  /// - Parameter show: Called on the main actor with one event at a time; the next one waits for it.
  /// - Throws: `CancellationError` when the task is cancelled, or a `ClientError` that trying again does not mend.
  public func run(_ show: @escaping Handler) async throws {
    do throws(ClientError) {
      try await run(beginning: {}, showing: show)
    } catch {
      throw error.orCancellation
    }
  }
}
