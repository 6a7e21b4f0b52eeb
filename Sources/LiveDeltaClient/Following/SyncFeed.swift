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
  private let sinceStart: @Sendable () -> Duration
  /// Read from the file by the first use, which is never on the main thread.
  private lazy var contents = stored()
  private var savedVersions: [String: String] = [:]
  private var savedAt = Duration.zero
  /// Whether an answer has come since the last attempt began.
  private var wasReached = false
  private var circle = CircleDetector()
  private var line = FeedLine()
  /// Ends the request or the pause at hand.
  private var stop: (@Sendable () -> Void)?
  /// Whether the loop is to go on at once.
  private var isWoken = false
  /// The window to ask for next.
  private var wish: String?
  /// Whether another window is being asked for.
  private var isMoving = false

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
  /// - Throws: `ClientError.cancelled`, or an error that trying again does not mend.
  public func run(_ show: @escaping Handler) async throws(ClientError) {
    try await run(beginning: {}, showing: show)
  }

  /// Runs, and calls a function when it is the feed's turn.
  func run(
    beginning begin: @Sendable () async -> Void, showing show: @escaping Handler
  ) async throws(ClientError) {
    _ = try await wait(isRun: true).get()
    defer { leave() }
    await begin()
    if let content = contents.content { await show(.change(content)) }
    var (streams, backoff) = (options.usesStream, options.backoff)
    while true {
      (wasReached, isWoken) = (false, false)
      let isPoll = line.hasPolls || movesWindow
      if !isPoll { takeWish() }
      let path = streams && !isPoll ? contents.streamPath(ping: pingSeconds) : nil
      do throws(ClientError) {
        try await attempt(isPoll, path, show)
        backoff.reset()
      } catch {
        let isTooLong = path != nil && error.isTooLong
        guard !Task.isCancelled else { throw .cancelled }
        if error == .cancelled && isWoken {
          backoff.reset()
          continue
        }
        guard error.isTemporary || isTooLong else { throw error }
        if wasReached { backoff.reset() }
        if !isPoll { streams = self.streams(after: error, path != nil) }
        // The service may be there: the next request is another one, and made at once.
        if path != nil && !streams { continue }
        let pause = max(backoff.next(options.random), error.retryAfter ?? .zero)
        await show(.interrupted(error, retryAfter: pause))
        try await self.pause(pause)
      }
    }
  }

  /// Answers those who ask, or follows by a stream or a long poll.
  private func attempt(
    _ isPoll: Bool, _ path: String?, _ show: @escaping Handler
  ) async throws(ClientError) {
    if line.hasPolls {
      try await answerPolls(show)
    } else if isPoll {
      try await moveWindow(show)
    } else if let path {
      try await followStream(path, show)
    } else {
      let changes = try await ask(wait: 25)
      wasReached = true
      if let changes { await pass(on: changes, show) }
      guard
        let pause = circle.pause(holding: contents.versions, at: sinceStart(), options.random)
      else { return }
      let error = ClientError.transport(
        code: 0, reason: "ten answers in a second brought nothing new; is there a cache between?")
      await show(.interrupted(error, retryAfter: pause))
      try await self.pause(pause)
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

  /// Whether the loop is to ask for another window than it holds.
  private var movesWindow: Bool { (wish != nil && contents.hasContent) || contents.was != nil }

  private var pingSeconds: Int { min(15, max(5, options.stallSeconds / 2)) }
}

// MARK: - Requests

extension SyncFeed {
  /// Follows a stream to its end, and asks for everything if it ends with an event that does not fit.
  private func followStream(_ path: String, _ show: Handler) async throws(ClientError) {
    guard try await readStream(path, show) else { return }
    let copy = contents
    let (next, changes) = try await interruptible {
      () async throws(ClientError) -> (FeedReplicas, Changes?) in
      var copy = copy
      let changes = try await copy.startOver()
      return (copy, changes)
    }
    contents = next
    if let changes { await pass(on: changes, show) }
  }

  /// Follows a stream to its end, after which the service can be asked again.
  ///
  /// - Returns: Whether the last event did not fit and was dropped.
  private func readStream(
    _ path: String, _ show: Handler
  ) async throws(ClientError) -> Bool {
    let (events, end) = client.stream(
      path, patchesItems: contents.asksForPatches, firstEventLimit: options.firstEventLimit,
      stallSeconds: options.stallSeconds)
    stop = end
    defer { stop = nil }
    do {
      for try await event in events {
        wasReached = true
        guard event.name != "end" else {
          end()
          try await pause(.milliseconds(event.retryMilliseconds ?? 1000))
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

  private func ask(wait: Int?) async throws(ClientError) -> Changes? {
    takeWish()
    let copy = contents
    let (next, changes) = try await interruptible {
      () async throws(ClientError) -> (FeedReplicas, Changes?) in
      var copy = copy
      let changes = try await copy.ask(wait: wait)
      return (copy, changes)
    }
    contents = next
    return changes
  }

  /// Pauses, unless the loop is to go on at once.
  private func pause(_ pause: Duration) async throws(ClientError) {
    guard !isWoken && !line.hasPolls else { return }
    do throws(ClientError) {
      try await interruptible { [clock = options.clock] () async throws(ClientError) -> Void in
        try await clock.pause(pause)
      }
    } catch {
      guard isWoken && !Task.isCancelled else { throw error }
    }
  }

  /// Makes a request or a pause that `stop` ends as if it were cancelled.
  private func interruptible<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(ClientError) -> Value
  ) async throws(ClientError) -> Value {
    let task = Task { () async -> Result<Value, ClientError> in
      do throws(ClientError) { return .success(try await body()) } catch { return .failure(error) }
    }
    stop = { task.cancel() }
    defer { stop = nil }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    return try result.get()
  }
}

// MARK: - Windows

extension SyncFeed {
  /// Asks for another window, of a feed of one view: the newest wish counts, and one is asked for at a time.
  func setWindow(_ window: String) {
    wish = window == contents.window ? nil : window
    if !isMoving && !line.isAnswering && movesWindow { wake() }
  }

  /// Has what is held be that of another window, which shows the same, unless another is wished for; while an
  /// event is shown.
  func hold(_ window: String) {
    guard wish == nil, window != contents.window else { return }
    contents.hold(window)
    if !isMoving && !line.isAnswering { wake() }
  }

  private func takeWish() {
    if let wish { contents.move(to: wish) }
    wish = nil
  }

  /// Asks for the window that is wished for, once the wish stays the same for a moment.
  private func moveWindow(_ show: Handler) async throws(ClientError) {
    isMoving = true
    defer { isMoving = false }
    for _ in 0..<5 {
      let last = wish
      try await pause(options.windowPause)
      if wish == last { break }
    }
    let changes = try await ask(wait: nil)
    wasReached = true
    if let changes { await pass(on: changes, show) }
  }
}

// MARK: - Those who ask

extension SyncFeed {
  /// Waits for a turn to run, or for the answer of the one whose turn it is.
  private func wait(isRun: Bool) async -> Result<Changes, ClientError> {
    let number = line.nextNumber()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
        line.join(number, isRun: isRun, continuation)
        if !isRun && !line.isAnswering { wake() }
        passTurn()
      }
    } onCancel: {
      Task { await self.cancel(number) }
    }
  }

  private func cancel(_ number: Int) {
    line.end([number], with: .failure(.cancelled))
    if line.isAnswering && !line.hasPolls { wake() }
  }

  /// Gives the turn, if nobody has it, to the next run; else to those who ask once.
  private func passTurn() {
    guard !line.isOwned else { return }
    if line.beginRun() || !line.hasPolls { return }
    line.isOwned = true
    Task {
      while line.hasPolls {
        // An error is given to those who ask.
        try? await answerPolls(nil)
      }
      leave()
    }
  }

  private func leave() {
    save()
    line.isOwned = false
    passTurn()
  }

  /// Asks once for all who wait for an answer now.
  private func answerPolls(_ show: Handler?) async throws(ClientError) {
    let numbers = line.polls
    line.isAnswering = true
    defer { line.isAnswering = false }
    do throws(ClientError) {
      let changes = try await ask(wait: nil)
      wasReached = true
      if let changes, let show { await pass(on: changes, show) }
      line.end(numbers, with: .success(changes ?? [:]))
    } catch {
      // If it is only the loop that ended or was woken, the next one asks.
      if error != .cancelled { line.end(numbers, with: .failure(error)) }
      throw error
    }
  }
}

// MARK: - The file

extension SyncFeed {
  private func stored() -> FeedReplicas {
    let contents = FeedReplicas(
      client, collections, holding: options.file?.load(client.owner(of: collections)) ?? [:])
    savedVersions = contents.versions
    return contents
  }

  private func pass(on changes: Changes, _ show: Handler) async {
    if sinceStart() - savedAt >= options.savePause { save() }
    await show(.change(changes))
  }

  /// Writes the file, unless it has these versions.
  private func save() {
    // The file is that of the first windows.
    guard let file = options.file, contents.versions != savedVersions,
      contents.windows == collections.map(\.view?.window)
    else { return }
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
