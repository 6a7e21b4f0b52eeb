import DeltaEngine

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
/// from what it has.
public actor CollectionFeed {
  /// What a feed reports.
  public enum Event: Sendable {
    /// The content changed, or the feed begins with the content that it has.
    case change(ReplicaChange)
    /// The service cannot be reached, or refuses for now; the feed tries again after a pause.
    case interrupted(ClientError, retryAfter: Duration)
  }

  /// How a feed follows a collection.
  public struct Options: Sendable {
    /// Whether to follow by a stream; otherwise, and if no event gets through, by long polls.
    public var usesStream = true
    /// The seconds without data after which a stream is considered broken; more than 5.
    public var stallSeconds = 20
    /// Where the content is kept for the next start; `nil` for nowhere.
    public var file: ReplicaFile?
    /// The least time between two writes of the file; the last content is written at the end.
    public var savePause = Duration.seconds(2)
    /// The pauses after failures.
    public var backoff = Backoff()
    /// The clock for pauses.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Returns a random number from a range.
    public var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

    /// Creates the default options.
    public init(file: ReplicaFile? = nil) { self.file = file }
  }

  /// Shows an event, on the main actor.
  public typealias Handler = @MainActor @Sendable (Event) async -> Void

  /// The collection.
  public nonisolated let collection: CollectionAddress
  private let client: DeltaClient
  private let options: Options
  private let sinceStart: @Sendable () -> Duration
  private var follower: CollectionFollower
  private var savedVersion: String?
  private var savedAt = Duration.zero
  /// Whether an event has come since the feed was connected.
  private var wasReached = false
  /// Whether the last stream was accepted and then silent.
  private var isHeldBack = false

  /// Creates a feed with the content of its file, if there is one.
  public init(
    _ client: DeltaClient, _ collection: CollectionAddress, options: Options = Options()
  ) {
    (self.client, self.collection, self.options) = (client, collection, options)
    sinceStart = Self.stopwatch(options.clock)
    let stored = options.file?.load(Self.owner(client, collection))
    follower = CollectionFollower(client, collection, holding: stored ?? CollectionReplica())
    savedVersion = stored?.version
  }

  /// The content.
  public var replica: CollectionReplica { follower.replica }

  /// Asks once for the newest content, without waiting for a change, and keeps it: for background refresh.
  ///
  /// - Returns: The change.
  /// - Throws: `ClientError`; the content is then unchanged.
  @discardableResult
  public func poll() async throws(ClientError) -> ReplicaChange {
    let change = try await ask(wait: nil)
    save()
    return change
  }

  /// Shows the content and then each change, until the task is cancelled.
  ///
  /// Run a feed once at a time.
  ///
  /// - Parameter show: Called on the main actor with one event at a time; the next one waits for it.
  /// - Throws: `ClientError.cancelled`, or an error that trying again does not mend.
  public func run(_ show: @escaping Handler) async throws(ClientError) {
    defer { save() }
    if follower.replica.version != nil {
      await show(.change(.replaced(by: follower.replica.sections, reset: nil)))
    }
    var (streams, backoff) = (options.usesStream, options.backoff)
    while true {
      wasReached = false
      do throws(ClientError) {
        try await streams ? followStream(show) : followPoll(show)
        backoff.reset()
      } catch {
        guard error.isTemporary, !Task.isCancelled else {
          throw Task.isCancelled ? .cancelled : error
        }
        if case .timedOut = error, isHeldBack { streams = false }
        if wasReached { backoff.reset() }
        let pause = max(backoff.next(options.random), error.retryAfter ?? .zero)
        await show(.interrupted(error, retryAfter: pause))
        try await self.pause(pause)
      }
    }
  }

  private func followPoll(_ show: Handler) async throws(ClientError) {
    let change = try await ask(wait: 25)
    wasReached = true
    await pass(on: change, show)
  }

  /// Follows a stream to its end, and asks for everything if it ends with an event that does not fit.
  private func followStream(_ show: Handler) async throws(ClientError) {
    guard let dropped = try await readStream(show) else { return }
    var copy = follower
    let news = try await copy.startOver(after: dropped)
    follower = copy
    await pass(on: news.change, show)
  }

  /// Follows a stream to its end, after which the service can be asked again.
  ///
  /// - Returns: Why the last event was dropped, if it was.
  private func readStream(_ show: Handler) async throws(ClientError) -> ReplicaError? {
    let isOpen = Locked(false)
    let events = client.stream(
      follower.streamPath(ping: min(15, max(5, options.stallSeconds / 2))),
      patchesItems: follower.asksForPatches, stallSeconds: options.stallSeconds,
      onOpen: { isOpen.withLock { $0 = true } })
    do {
      for try await event in events {
        wasReached = true
        guard event.name != "end" else {
          try await pause(.milliseconds(event.retryMilliseconds ?? 1000))
          return nil
        }
        let answer = try client.answer(of: event, idPath: collection.idPath)
        guard let answer, !follower.isAware(of: answer.value) else { continue }
        do throws(ReplicaError) {
          await pass(on: try follower.take(answer).change, show)
        } catch {
          return error
        }
      }
    } catch {
      // A proxy that holds events back is silent from the first one on.
      isHeldBack = !wasReached && isOpen.withLock { $0 }
      throw error as? ClientError ?? .transport(code: 0, reason: "\(error)")
    }
    throw .transport(code: 0, reason: "the stream ended")
  }

  private func ask(wait: Int?) async throws(ClientError) -> ReplicaChange {
    let version = follower.replica.version
    var copy = follower
    let news = try await copy.next(wait: wait, awaitsCreation: wait != nil)
    // Another task may have got further meanwhile.
    guard follower.replica.version == version else { return .unchanged }
    follower = copy
    return news.change
  }

  private func pass(on change: ReplicaChange, _ show: Handler) async {
    if case .unchanged = change { return }
    if sinceStart() - savedAt >= options.savePause { save() }
    await show(.change(change))
  }

  private func pause(_ pause: Duration) async throws(ClientError) {
    do {
      try await options.clock.sleep(for: pause)
    } catch {
      throw .cancelled
    }
  }

  /// Writes the file, unless it has this version.
  private func save() {
    guard let file = options.file, follower.replica.version != savedVersion else { return }
    savedAt = sinceStart()
    savedVersion = follower.replica.version
    // A file that cannot be written costs an initial load at the next start.
    try? file.save(follower.replica, Self.owner(client, collection))
  }

  private static func owner(_ client: DeltaClient, _ collection: CollectionAddress) -> String {
    "\(client.address) \(collection) \(collection.idPath)"
  }

  private static func stopwatch<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
