// What the loop asks the service, and how that is ended before its time.

extension SyncFeed {
  /// Follows a stream to its end, and asks for everything if it ends with an event that does not fit.
  func followStream(_ path: String, _ show: Handler) async throws(ClientError) {
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

  func ask(wait: Int?) async throws(ClientError) -> Changes? {
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
  func pause(_ pause: Duration) async throws(ClientError) {
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
