/// An event for a reader of the feed of changes.
public enum ChangeEvent: Sendable {
  /// Collections that changed, each once however often it did.
  case changes([(mark: ChangeMark, change: CollectionChange)])
  /// The reader's place; there are no changes to send.
  case bookmark(ChangeMark)
  /// Some changes before this are no longer known: the reader must read the collections.
  case incomplete(ChangeMark)
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
final class ChangeFollower {
  private unowned let shard: Shard
  private let filter: ChangeFilter
  private let sink: ChangeSink
  private let interval: Duration
  private let end: Duration
  private var nextPing: Duration
  private var mark: ChangeMark
  private var isWritable = true
  private var hasNews = true
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
    while hasNews && isWritable { tellNews() }
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
      // The changes that are still known follow: the reader may not have been sent them.
      let known = news.changes.first?.mark ?? news.mark
      mark = ChangeMark(
        epoch: known.epoch, number: news.changes.isEmpty ? known.number : known.number - 1)
      hasNews = !news.changes.isEmpty
      isWritable = sink(.incomplete(mark))
      return
    }
    mark = news.mark
    let changes = news.changes.filter { filter.passes($0.change.key) }
    if changes.isEmpty { return }
    isWritable = sink(.changes(changes))
    nextPing = shard.context.time.uptime() + interval
  }

  private func finish(_ reason: EndReason) -> Waiter.Outcome {
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
