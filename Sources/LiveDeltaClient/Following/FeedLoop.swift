import DeltaEngine

/// Keeps up to date what a follower holds, and its file.
///
/// It follows by a stream or by long polls, reports one change at a time, in order, and goes on with full
/// jitter after a failure.
actor FeedLoop<Follower: FeedFollower> {
  typealias Handler = @MainActor @Sendable (FeedEvent<Follower.Change>) async -> Void

  private(set) var follower: Follower
  private let client: DeltaClient
  private let options: FeedOptions
  private let sinceStart: @Sendable () -> Duration
  private var savedVersions: [String: String]
  private var savedAt = Duration.zero
  /// Whether an answer has come since the last attempt began.
  private var wasReached = false

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - client: Requests what changed.
  ///   - follower: What to keep up to date, with the content of the file.
  ///   - options: How to follow.
  init(_ client: DeltaClient, _ follower: Follower, _ options: FeedOptions) {
    (self.client, self.follower, self.options) = (client, follower, options)
    sinceStart = options.clock.stopwatch()
    savedVersions = follower.versions
  }

  /// Asks once, without waiting for a change; `nil` if there is none.
  func poll() async throws(ClientError) -> Follower.Change? {
    let change = try await ask(wait: nil)
    save()
    return change
  }

  /// Reports the content and then each change, until the task is cancelled.
  func run(_ show: @escaping Handler) async throws(ClientError) {
    defer { save() }
    if let content = follower.content { await show(.change(content)) }
    var (streams, backoff) = (options.usesStream, options.backoff)
    while true {
      wasReached = false
      let path = streams ? follower.streamPath(ping: pingSeconds) : nil
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
    let change = try await ask(wait: 25)
    wasReached = true
    if let change { await pass(on: change, show) }
  }

  /// Follows a stream to its end, and asks for everything if it ends with an event that does not fit.
  private func followStream(_ path: String, _ show: Handler) async throws(ClientError) {
    guard let fault = try await readStream(path, show) else { return }
    var copy = follower
    let change = try await copy.startOver(after: fault)
    follower = copy
    if let change { await pass(on: change, show) }
  }

  /// Follows a stream to its end, after which the service can be asked again.
  ///
  /// - Returns: Why the last event was dropped, if it was.
  private func readStream(
    _ path: String, _ show: Handler
  ) async throws(ClientError) -> ReplicaError? {
    let events = client.stream(
      path, patchesItems: follower.asksForPatches, firstEventLimit: options.firstEventLimit,
      stallSeconds: options.stallSeconds)
    do {
      for try await event in events {
        wasReached = true
        guard event.name != "end" else {
          try await options.clock.pause(.milliseconds(event.retryMilliseconds ?? 1000))
          return nil
        }
        switch try follower.take(event) {
        case .none: continue
        case .change(let change):
          await pass(on: change, show)
          // Its digest is another: without patches nothing has to be dropped.
          if event.patchesItems && !follower.asksForPatches { return nil }
        case .dropped(let fault): return fault
        }
      }
    } catch {
      throw error as? ClientError ?? .transport(code: 0, reason: "\(error)")
    }
    throw .transport(code: 0, reason: "the stream ended")
  }

  private func ask(wait: Int?) async throws(ClientError) -> Follower.Change? {
    let versions = follower.versions
    var copy = follower
    let change = try await copy.ask(wait: wait)
    // Another task may have got further meanwhile.
    guard follower.versions == versions else { return nil }
    follower = copy
    return change
  }

  private func pass(on change: Follower.Change, _ show: Handler) async {
    if sinceStart() - savedAt >= options.savePause { save() }
    await show(.change(change))
  }

  /// Writes the file, unless it has these versions.
  private func save() {
    guard let file = options.file, follower.versions != savedVersions else { return }
    savedAt = sinceStart()
    savedVersions = follower.versions
    // An error costs an initial load at the next start.
    try? file.save(follower.replicas, client.owner(of: follower.collections))
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

extension FeedOptions {
  /// Returns the content that the file has for these collections, by name.
  func content(of collections: [CollectionAddress], _ client: DeltaClient)
    -> [String: CollectionReplica]
  {
    file?.load(client.owner(of: collections)) ?? [:]
  }
}

extension DeltaClient {
  /// Whose content a file has: the service, the collections, and where their items have ids.
  fileprivate func owner(of collections: [CollectionAddress]) -> String {
    "\(address) " + collections.map { "\($0) \($0.idPath)" }.sorted().joined(separator: " ")
  }
}
