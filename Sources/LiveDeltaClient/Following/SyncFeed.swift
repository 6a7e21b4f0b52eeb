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
public actor SyncFeed {
  /// What a feed reports: the changes, by the names of their collections.
  public typealias Event = FeedEvent<[String: ReplicaChange]>
  /// How a feed follows collections.
  public typealias Options = FeedOptions
  /// Shows an event, on the main actor.
  public typealias Handler = @MainActor @Sendable (Event) async -> Void

  /// The collections.
  public nonisolated let collections: [CollectionAddress]
  private var contents: FeedReplicas
  private let client: DeltaClient
  private let options: FeedOptions
  private let sinceStart: @Sendable () -> Duration
  private var savedVersions: [String: String]
  private var savedAt = Duration.zero
  /// Whether an answer has come since the last attempt began.
  private var wasReached = false

  /// Creates a feed with the content of its file, if there is one.
  ///
  /// - Parameters:
  ///   - client: Requests what changed.
  ///   - collections: At least one, all of one client, each once.
  ///   - options: How to follow them; they share the file.
  public init(
    _ client: DeltaClient, _ collections: [CollectionAddress], options: Options = Options()
  ) {
    self.init(client, collections, single: nil, options)
  }

  /// Creates a feed that asks about several collections as of one moment, or about a single one.
  init(
    _ client: DeltaClient, _ collections: [CollectionAddress], single: CollectionAddress?,
    _ options: Options
  ) {
    (self.client, self.collections, self.options) = (client, collections, options)
    contents = FeedReplicas(
      client, collections, single: single,
      holding: options.file?.load(client.owner(of: collections)) ?? [:])
    savedVersions = contents.versions
    sinceStart = options.clock.stopwatch()
  }

  /// The contents of one moment, by the names of their collections.
  public var replicas: [String: CollectionReplica] { contents.replicas }

  /// Asks once for the newest contents, without waiting for a change, and keeps them: for background
  /// refresh.
  ///
  /// - Returns: The changes, by the names of their collections.
  /// - Throws: `ClientError`; the contents are then unchanged.
  @discardableResult
  public func poll() async throws(ClientError) -> [String: ReplicaChange] {
    let changes = try await ask(wait: nil)
    save()
    return changes ?? [:]
  }

  /// Shows the contents and then each change, until the task is cancelled.
  ///
  /// Run a feed once at a time.
  ///
  /// - Parameter show: Called on the main actor with one event at a time; the next one waits for it.
  /// - Throws: `ClientError.cancelled`, or an error that trying again does not mend.
  public func run(_ show: @escaping Handler) async throws(ClientError) {
    defer { save() }
    if let content = contents.content { await show(.change(content)) }
    var (streams, backoff) = (options.usesStream, options.backoff)
    while true {
      wasReached = false
      let path = streams ? contents.streamPath(ping: pingSeconds) : nil
      do throws(ClientError) {
        if let path {
          try await followStream(path, show)
        } else {
          try await followPoll(show)
        }
        backoff.reset()
      } catch {
        let isTooLong = path != nil && error.isTooLong
        guard error.isTemporary || isTooLong, !Task.isCancelled else {
          throw Task.isCancelled ? .cancelled : error
        }
        if wasReached { backoff.reset() }
        streams = self.streams(after: error, path != nil)
        // The service may be there: the next request is another one, and made at once.
        if path != nil && !streams { continue }
        let pause = max(backoff.next(options.random), error.retryAfter ?? .zero)
        await show(.interrupted(error, retryAfter: pause))
        try await options.clock.pause(pause)
      }
    }
  }

  /// Whether to follow by a stream after a failure: not if a stream was silent, as behind a proxy that
  /// holds events back, or its path too long, until a long poll has no answer either.
  private func streams(after error: ClientError, _ streamed: Bool) -> Bool {
    switch error {
    case _ where streamed && error.isTooLong: false
    case .timedOut where streamed: wasReached
    default: options.usesStream && (streamed || error.isWithoutAnswer)
    }
  }

  private var pingSeconds: Int { min(15, max(5, options.stallSeconds / 2)) }

  private func followPoll(_ show: Handler) async throws(ClientError) {
    let changes = try await ask(wait: 25)
    wasReached = true
    if let changes { await pass(on: changes, show) }
  }

  /// Follows a stream to its end, and asks for everything if it ends with an event that does not fit.
  private func followStream(_ path: String, _ show: Handler) async throws(ClientError) {
    guard try await readStream(path, show) else { return }
    var copy = contents
    let changes = try await copy.startOver()
    contents = copy
    if let changes { await pass(on: changes, show) }
  }

  /// Follows a stream to its end, after which the service can be asked again.
  ///
  /// - Returns: Whether the last event did not fit and was dropped.
  private func readStream(
    _ path: String, _ show: Handler
  ) async throws(ClientError) -> Bool {
    let events = client.stream(
      path, patchesItems: contents.asksForPatches, firstEventLimit: options.firstEventLimit,
      stallSeconds: options.stallSeconds)
    do {
      for try await event in events {
        wasReached = true
        guard event.name != "end" else {
          try await options.clock.pause(.milliseconds(event.retryMilliseconds ?? 1000))
          return false
        }
        switch try contents.take(event) {
        case .none: continue
        case .changed(let changes):
          await pass(on: changes, show)
          // Its digest is another: without patches nothing has to be dropped.
          if event.patchesItems && !contents.asksForPatches { return false }
        case .dropped: return true
        }
      }
    } catch {
      throw error as? ClientError ?? .transport(code: 0, reason: "\(error)")
    }
    throw .transport(code: 0, reason: "the stream ended")
  }

  private func ask(wait: Int?) async throws(ClientError) -> [String: ReplicaChange]? {
    let versions = contents.versions
    var copy = contents
    let changes = try await copy.ask(wait: wait)
    // Another task may have got further meanwhile.
    guard contents.versions == versions else { return nil }
    contents = copy
    return changes
  }

  private func pass(on changes: [String: ReplicaChange], _ show: Handler) async {
    if sinceStart() - savedAt >= options.savePause { save() }
    await show(.change(changes))
  }

  /// Writes the file, unless it has these versions.
  private func save() {
    guard let file = options.file, contents.versions != savedVersions else { return }
    savedAt = sinceStart()
    savedVersions = contents.versions
    // An error costs an initial load at the next start.
    try? file.save(contents.replicas, client.owner(of: collections))
  }
}

extension ClientError {
  /// Whether a proxy takes no path so long; a long poll of several collections names them in its body.
  fileprivate var isTooLong: Bool {
    if case .problem(let problem) = self { [414, 431].contains(problem.status) } else { false }
  }

  /// Whether the service has not answered at all.
  fileprivate var isWithoutAnswer: Bool {
    switch self {
    case .transport, .timedOut: true
    default: false
    }
  }
}

extension DeltaClient {
  /// Whose content a file has: the service, the collections, and where their items have ids.
  fileprivate func owner(of collections: [CollectionAddress]) -> String {
    "\(address) " + collections.map { "\($0) \($0.idPath)" }.sorted().joined(separator: " ")
  }
}
