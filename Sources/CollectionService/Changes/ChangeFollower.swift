/// An event for a reader of the feed of changes.
public enum ChangeEvent: Sendable {
  /// Collections that changed, each once however often it did.
  case changes([(mark: ChangeMark, change: CollectionChange)])
  /// The reader's place; there are no changes to send.
  case bookmark(ChangeMark)
  /// Some changes before this are no longer known: the reader must read the collections.
  ///
  /// What changed is named, each collection once, where the store knows; nil where it does not.
  case incomplete(ChangeMark, changed: [CollectionChange]?)
  /// A sign of life.
  case ping
  /// The last event.
  case end(EndReason)
}

/// Where events of the feed go; returns whether more can be taken at once, see ``FollowSink``.
public typealias ChangeSink = @Sendable (ChangeEvent) -> Bool

/// Which collections a reader of the feed is told of.
public struct ChangeFilter: Hashable, Sendable {
  /// Only those of this client; nil for all clients'.
  public var client: ResourceName?
  /// What their names begin with; of all clients' collections, `client/name`.
  public var prefix: String

  /// Puts a filter together; without arguments all collections pass.
  public init(client: ResourceName? = nil, prefix: String = "") {
    self.client = client
    self.prefix = prefix
  }

  func passes(_ key: CollectionKey) -> Bool {
    if let client {
      return client == key.client && key.name.text.hasPrefix(prefix)
    }
    return prefix.isEmpty || "\(key.client.text)/\(key.name.text)".hasPrefix(prefix)
  }
}

/// How a reader of the feed wants to be served.
public struct ChangesRequest: Sendable {
  /// Its place; nil for a reader that wants what comes from now on.
  public var since: ChangeMark?
  /// Which collections it is told of.
  public var filter: ChangeFilter
  /// How often to give a sign of life.
  public var ping: Duration
  /// When to end, so that connections do not live for ever.
  public var lifetime: Duration

  /// Puts a request together.
  public init(
    since: ChangeMark?, filter: ChangeFilter = ChangeFilter(), ping: Duration, lifetime: Duration
  ) {
    self.since = since
    self.filter = filter
    self.ping = ping
    self.lifetime = lifetime
  }
}

/// A reader of the feed of changes, owned by the first shard: it costs a number.
///
/// `@unchecked Sendable`: it travels through the completions of the store, and is touched on the
/// shard's queue only.
final class ChangeFollower: @unchecked Sendable {
  private unowned let shard: Shard
  private let filter: ChangeFilter
  private let sink: ChangeSink
  private let interval: Duration
  private let end: Duration
  private var nextPing: Duration
  private var mark: ChangeMark
  private var isWritable = true
  private var hasNews = true
  /// Whether the store is asked what changed before this run of the service.
  private var isAsking = false
  private var isFinished = false
  /// How many changes are written before it is asked whether more can be taken.
  private static let changesPerWrite = 64

  /// A reader at a place in the feed.
  init(_ shard: Shard, _ request: ChangesRequest, mark: ChangeMark, sink: @escaping ChangeSink) {
    self.shard = shard
    self.sink = sink
    self.mark = mark
    filter = request.filter
    let now = shard.context.time.uptime()
    interval = request.ping
    nextPing = now + request.ping
    end = now + request.lifetime
  }

  /// Sends the reader's place at once, so that it can come back there.
  func begin() {
    let log = shard.context.changes
    let news = log.news(since: mark, limit: Self.changesPerWrite)
    if !news.isIncomplete && news.changes.isEmpty {
      mark = news.mark
      isWritable = sink(.bookmark(mark))
    }
  }

  /// Does what an event asks for.
  func evaluate(_ event: Waiter.Event) -> Waiter.Outcome {
    switch event {
    case .changed, .deleted: hasNews = true
    case .writable: isWritable = true
    case .deadline, .loaded, .failed: break
    }
    let now = shard.context.time.uptime()
    if shard.isReleasing, case .deadline = event { return finish(.drain) }
    if now >= end { return finish(.rotate) }
    tellAll()
    if now >= nextPing {
      nextPing = now + interval
      if isWritable { isWritable = sink(.ping) }
    }
    return .wait(until: min(nextPing, end))
  }

  private func tellNews() {
    let news = shard.context.changes.news(since: mark, limit: Self.changesPerWrite)
    hasNews = news.hasMore
    if news.isIncomplete {
      let before = mark
      let isOfEarlierRun = before.epoch != news.mark.epoch && before.date > 0
      // The changes that are still known follow: the reader may not have been sent them.
      let known = news.changes.first?.mark ?? news.mark
      mark = ChangeMark(
        epoch: known.epoch, number: news.changes.isEmpty ? known.number : known.number - 1)
      hasNews = !news.changes.isEmpty
      return isOfEarlierRun ? askStore(since: before) : tellReset(nil)
    }
    mark = news.mark
    let changes = news.changes.filter { filter.passes($0.change.key) }
    if changes.isEmpty { return }
    isWritable = sink(.changes(changes))
    nextPing = shard.context.time.uptime() + interval
  }

  /// How much earlier a version may have been made than it was noted, in seconds: a slow disk, and a
  /// clock that was set back.
  private static let marginSeconds: Int64 = 60

  /// Asks the store what changed since a place in the feed of an earlier run.
  ///
  /// What changes meanwhile is told as a change too.
  private func askStore(since before: ChangeMark) {
    isAsking = true
    let context = shard.context
    context.versionLine.enter { [shard] in
      context.store.changes(
        since: before.date - Self.marginSeconds, countMax: context.limits.changesMax
      ) { changed in
        context.versionLine.leave()
        shard.perform { _ in
          self.isAsking = false
          if self.isFinished { return }
          self.tellReset(changed?.filter { self.filter.passes($0.key) })
          self.tellAll()
        }
      }
    }
  }

  private func tellAll() {
    while hasNews && isWritable && !isAsking { tellNews() }
  }

  private func tellReset(_ changed: [CollectionChange]?) {
    isWritable = sink(.incomplete(mark, changed: changed))
    nextPing = shard.context.time.uptime() + interval
  }

  private func finish(_ reason: EndReason) -> Waiter.Outcome {
    isFinished = true
    _ = sink(.end(reason))
    return .done
  }
}

extension DeltaService {
  /// Makes a ticket for a reader of the feed of changes that is about to begin.
  public func changesTicket() -> FollowTicket {
    FollowTicket(id: nextWaiterID(), shard: changesShard)
  }

  /// Follows the changes of all collections of all clients, those that are deleted too.
  ///
  /// - Parameters:
  ///   - request: From where on, and how.
  ///   - ticket: What the follower is resumed and cancelled with.
  ///   - begin: Gets why there is nothing to follow, or nil; gives where events go.
  public func followChanges(
    _ request: ChangesRequest, _ ticket: FollowTicket,
    begin: @escaping @Sendable (ServiceError?) -> ChangeSink?
  ) {
    ticket.shard.perform { $0.followChanges(request, id: ticket.id, begin: begin) }
  }
}
