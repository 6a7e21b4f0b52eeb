import VersionedCollections

/// A reader that follows collections on a stream; owned by its shard.
///
/// It keeps only the version last sent of each collection and whether there are changes. Nothing is
/// queued while its connection is not writable; when it is writable again, one delta leads from
/// that version to the head.
final class Follower {
  private unowned let shard: Shard
  private unowned let client: ClientState
  private var request: FollowRequest
  private let sink: FollowSink
  private var isWritable: Bool
  private var hasNews = false
  private var nextPing: Duration
  private let end: Duration
  private let catchUpUntil: Duration

  init(
    _ shard: Shard, _ client: ClientState, _ request: FollowRequest, sink: @escaping FollowSink,
    first: SyncAnswer, isWritable: Bool
  ) {
    self.shard = shard
    self.client = client
    self.request = request
    self.request.sync.entries = first.held
    self.sink = sink
    self.isWritable = isWritable
    let now = shard.context.time.uptime()
    nextPing = now + request.ping
    end = now + request.lifetime
    catchUpUntil = now + .seconds(1)
  }

  /// Handles an event.
  func evaluate(_ event: Waiter.Event) -> Waiter.Outcome {
    switch event {
    case .changed, .deleted, .loaded: hasNews = true
    case .writable: isWritable = true
    case .deadline, .waitEnded: break
    case .failed: return finish(.overload)
    }
    let now = shard.context.time.uptime()
    if shard.isReleasing, case .deadline = event { return finish(.drain) }
    if now >= end { return finish(.rotate) }
    if now >= catchUpUntil {
      if isWritable,
        let doubt = shard.doubt(request.sync.entries, request.sync.each, client, event)
      {
        return .load(doubt)
      }
      hasNews = hasNews || isAhead
    }
    if hasNews && isWritable {
      let requirements = shard.requirements(
        of: request.sync.entries, request.sync.each, client, making: !event.isLoaded)
      guard requirements.isEmpty else { return .load(requirements) }
      guard tellNews() else { return finish(.overload) }
    }
    if now >= nextPing {
      nextPing = now + request.ping
      if isWritable { isWritable = sink(.ping) }
    }
    // From `catchUpUntil` on, a reader that is ahead is sent a reset as soon as it is writable.
    return .wait(until: min(nextPing, end, now < catchUpUntil && isAhead ? catchUpUntil : end))
  }

  /// Sends the changes.
  ///
  /// - Returns: false if they are larger than one answer may be.
  private func tellNews() -> Bool {
    let read = shard.consistentRead(client, request.sync, catchUpUntil: catchUpUntil)
    guard let answer = read?.answer else { return false }
    hasNews = false
    if answer.news.isEmpty { return true }
    request.sync.entries = answer.held
    isWritable = sink(.news(answer))
    nextPing = shard.context.time.uptime() + request.ping
    return true
  }

  private func finish(_ reason: EndReason) -> Waiter.Outcome {
    _ = sink(.end(reason))
    return .done
  }

  /// Whether the reader has a version that a collection has not reached yet.
  private var isAhead: Bool {
    request.sync.entries.contains { entry in
      if case .ahead? = client.relation(of: entry.since, to: entry.name) { true } else { false }
    }
  }
}
