/// A reader who follows collections over one long answer; owned by its shard.
///
/// It costs what it holds: the version last sent of each collection, and whether there is news.
/// Nothing is queued for it: while its connection takes nothing it is left alone, and gets one
/// delta from there to the head when it takes something again.
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
    self.sink = sink
    self.isWritable = isWritable
    let now = shard.context.time.uptime()
    nextPing = now + request.ping
    end = now + request.lifetime
    catchUpUntil = now + .seconds(1)
    hold(first)
  }

  /// Does what an event asks for.
  func look(_ event: Waiter.Event) -> Waiter.Outcome {
    switch event {
    case .changed, .deleted, .loaded: hasNews = true
    case .writable: isWritable = true
    case .deadline: break
    case .failed: return finish(.overload)
    }
    let now = shard.context.time.uptime()
    if shard.isReleasing, case .deadline = event { return finish(.drain) }
    if now >= end { return finish(.rotate) }
    if now >= catchUpUntil { hasNews = hasNews || isAhead }
    if hasNews && isWritable {
      let needs = shard.needs(
        of: request.sync.entries, request.sync.each, client, making: !event.isLoaded)
      guard needs.isEmpty else { return .load(needs) }
      guard tellNews() else { return finish(.overload) }
    }
    if isGone { return finish(.deleted) }
    if now >= nextPing {
      nextPing = now + request.ping
      if isWritable { isWritable = sink(.ping) }
    }
    // Later than that, a reader that is ahead is told as soon as its connection takes something.
    return .park(until: min(nextPing, end, now < catchUpUntil && isAhead ? catchUpUntil : end))
  }

  /// Tells what is new.
  ///
  /// - Returns: false when that is more than may be told at once.
  private func tellNews() -> Bool {
    guard let cut = shard.cut(client, request.sync, catchUpUntil: catchUpUntil) else {
      return false
    }
    hasNews = false
    if cut.answer.news.isEmpty { return true }
    hold(cut.answer)
    isWritable = sink(.news(cut.answer))
    nextPing = shard.context.time.uptime() + request.ping
    return true
  }

  private func finish(_ reason: EndReason) -> Waiter.Outcome {
    _ = sink(.end(reason))
    return .done
  }

  /// Notes what the reader has once it has applied an answer.
  private func hold(_ answer: SyncAnswer) {
    for news in answer.news {
      guard let index = request.sync.entries.firstIndex(where: { $0.name == news.name }) else {
        continue
      }
      request.sync.entries[index].since = news.answer.heldVersion
    }
  }

  /// Whether nothing that was followed is left.
  private var isGone: Bool {
    !request.waitsForCollection && isWritable
      && request.sync.entries.allSatisfy { !client.has($0.name) }
  }

  /// Whether the reader has a version that the collection does not have yet.
  private var isAhead: Bool {
    request.sync.entries.contains { entry in
      if case .ahead? = client.standing(of: entry.since, to: entry.name) { true } else { false }
    }
  }
}

extension Shard {
  /// Begins to follow: the first answer at once, then events.
  ///
  /// - Parameters:
  ///   - name: Whose collections they are.
  ///   - request: What to follow.
  ///   - id: The follower's number.
  ///   - begin: Gets the first answer, and gives where events go and whether more can be taken;
  ///     nil when that was all.
  func follow(
    _ name: ResourceName, _ request: FollowRequest, id: UInt64,
    begin: @escaping (Result<SyncAnswer, ServiceFailure>) -> (sink: FollowSink, isWritable: Bool)?
  ) {
    let client = client(name)
    defer { releaseIfIdle(client) }
    let now = context.time.uptime()
    guard let first = cut(client, request.sync, catchUpUntil: now + .seconds(1)) else {
      let error = ServiceError.syncTooLarge(limit: context.limits.syncBytesMax)
      _ = begin(.failure(ServiceFailure(error, current: nil)))
      return
    }
    let exists = request.sync.entries.contains { client.has($0.name) }
    guard exists || request.waitsForCollection else {
      _ = begin(.failure(ServiceFailure(.collectionNotFound, current: nil)))
      return
    }
    guard !isReleasing, context.counters.parked.value < context.limits.parkedMax else {
      let error: ServiceError =
        isReleasing ? .draining : .tooManyParked(limit: context.limits.parkedMax)
      _ = begin(.failure(ServiceFailure(error, current: nil)))
      return
    }
    guard let (sink, isWritable) = begin(.success(first.answer)) else { return }
    let follower = Follower(
      self, client, request, sink: sink, first: first.answer, isWritable: isWritable)
    let waiter = Waiter(
      id: id, names: request.sync.entries.map(\.name), requestID: request.sync.requestID
    ) { follower.look($0) }
    if !self.begin(waiter, client: client) { _ = sink(.end(.overload)) }
  }

  /// Tells a follower that it can be told something again.
  func resume(_ id: UInt64) {
    guard let (waiter, client) = parked[id] else { return }
    look(waiter, client, .writable)
    releaseIfIdle(client)
  }
}
