// The loop that owns the replicas.

extension SyncFeed {
  /// Runs, and calls a function when it is the feed's turn.
  func run(
    beginning begin: @Sendable () async -> Void, showing show: @escaping Handler
  ) async throws(ClientError) {
    _ = try await wait(isRun: true).get()
    defer { leave() }
    await begin()
    do throws(ClientError) {
      try await follow(show)
    } catch {
      save()
      await tellOfFile(show)
      throw error
    }
  }

  private func follow(_ show: @escaping Handler) async throws(ClientError) {
    if let content = contents.content { await show(.change(content)) }
    await tellOfFile(show)
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
      try await leaveCircle(show)
    } else {
      let changes = try await ask(wait: 25)
      wasReached = true
      if let changes { await pass(on: changes, show) }
      try await leaveCircle(show)
    }
  }

  /// Pauses if the last answers, or streams that ended, have led nowhere or in a circle.
  private func leaveCircle(_ show: Handler) async throws(ClientError) {
    guard let pause = circle.pause(holding: contents.versions, at: sinceStart(), options.random)
    else { return }
    let error = ClientError.transport(
      code: 0, reason: "ten answers in a second brought nothing new; is there a cache between?")
    await show(.interrupted(error, retryAfter: pause))
    try await self.pause(pause)
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
  var movesWindow: Bool { (wish != nil && contents.hasContent) || contents.was != nil }

  private var pingSeconds: Int { min(15, max(5, options.stallSeconds / 2)) }
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
