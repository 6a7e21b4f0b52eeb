public import VersionedCollections

/// An event in the feed of changes.
public enum ChangeEvent: Sendable {
  /// Collections that changed, each listed once.
  case changes([(mark: ChangeMark, change: CollectionChange)])
  /// The reader's position; there are no changes to send.
  case bookmark(ChangeMark)
  /// Some changes before this mark are no longer known, so the reader must read the
  /// collections.
  ///
  /// If the store knows the collections that changed, they are listed, each once; otherwise nil.
  case incomplete(ChangeMark, changed: [CollectionChange]?)
  /// A keep-alive.
  case ping
  /// The last event of the stream.
  case end(EndReason)
}

/// The sink for events of the feed; returns whether it can take more, see ``FollowSink``.
public typealias ChangeSink = @Sendable (ChangeEvent) -> Bool

/// A filter of the feed by collection.
public struct ChangeFilter: Hashable, Sendable {
  /// The client whose collections pass; nil for all clients.
  public var client: ResourceName?
  /// The required prefix of the name, or of `client/name` if `client` is nil.
  public var prefix: String

  /// Creates a filter; by default all collections pass.
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

/// A request to follow the feed of changes.
public struct ChangesRequest: Sendable {
  /// The reader's position; nil to start with future changes.
  public var since: ChangeMark?
  /// The collections to report.
  public var filter: ChangeFilter
  /// The interval between keep-alives.
  public var ping: Duration
  /// The time after which the stream ends, to limit the age of connections.
  public var lifetime: Duration

  /// Creates a request.
  public init(
    since: ChangeMark?, filter: ChangeFilter = ChangeFilter(), ping: Duration, lifetime: Duration
  ) {
    self.since = since
    self.filter = filter
    self.ping = ping
    self.lifetime = lifetime
  }
}

/// A reader of the feed of changes, owned by the first shard; its only state is a position.
///
/// `@unchecked Sendable`: it passes through the completions of the store, and is used on the
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
  /// Whether the store is being asked for changes before this run of the service.
  private var isAsking = false
  private var isFinished = false
  /// The generation of the changes of a shared store for which the store has the position.
  private var knownGeneration: Int?
  /// The number of changes passed to the sink at a time.
  private static let changesPerWrite = 64

  /// Creates a reader at a position in the feed.
  init(_ shard: Shard, _ request: ChangesRequest, mark: ChangeMark, sink: @escaping ChangeSink) {
    self.shard = shard
    self.sink = sink
    self.mark = mark
    filter = request.filter
    let now = shard.context.time.uptime()
    interval = request.ping
    nextPing = now + request.ping
    end = now + request.lifetime
    if shard.context.changes.has(mark) { knownGeneration = shard.context.changes.generation }
  }

  /// Whether the store must be asked if it has the position, which may be one of a store that was
  /// restored since.
  private var isUnknown: Bool {
    shard.context.store.isShared && knownGeneration != shard.context.changes.generation
  }

  /// Sends the reader's position immediately, so that it can resume from there.
  func begin() {
    if isUnknown { return }
    let log = shard.context.changes
    let news = log.news(since: mark, limit: Self.changesPerWrite)
    if !news.isIncomplete && news.changes.isEmpty {
      mark = news.mark
      isWritable = sink(.bookmark(mark))
    }
  }

  /// Handles an event.
  func evaluate(_ event: Waiter.Event) -> Waiter.Outcome {
    switch event {
    case .changed, .deleted: hasNews = true
    case .writable: isWritable = true
    case .deadline, .waitEnded, .loaded, .failed: break
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
    if mark.epoch == news.mark.epoch, isUnknown || news.isIncomplete, shard.context.store.isShared {
      return readFeed()
    }
    if news.isIncomplete {
      let before = mark
      let isOfEarlierRun =
        before.epoch != news.mark.epoch && before.date > 0 && !shard.context.store.isShared
      // Send the changes that are still known, because the reader may not have them.
      let known = news.changes.first?.mark ?? news.mark
      mark = ChangeMark(
        epoch: known.epoch, number: news.changes.isEmpty ? known.number : known.number - 1)
      hasNews = !news.changes.isEmpty
      knownGeneration = shard.context.changes.generation
      return isOfEarlierRun ? askStore(since: before) : tellReset(nil)
    }
    mark = news.mark
    let changes = news.changes.filter { filter.passes($0.change.key) }
    if changes.isEmpty { return }
    isWritable = sink(.changes(changes))
    nextPing = shard.context.time.uptime() + interval
  }

  /// How long before its entry in the feed a version may have been dated, in seconds; covers slow
  /// disks and clocks that were set back.
  private static let marginSeconds: Int64 = 60

  /// Asks the store for the changes since a position from an earlier run.
  ///
  /// Changes that happen meanwhile are also sent as changes.
  private func askStore(since before: ChangeMark) {
    isAsking = true
    let context = shard.context
    context.versionQueue.enter { [shard] in
      context.store.changes(
        since: before.date - Self.marginSeconds, countMax: context.limits.changesMax
      ) { changed in
        context.versionQueue.leave()
        shard.perform { _ in
          self.isAsking = false
          if self.isFinished { return }
          self.tellReset(changed?.filter { self.filter.passes($0.key) })
          self.tellAll()
        }
      }
    }
  }

  /// Reads changes from a shared store that are older than those in memory.
  private func readFeed() {
    isAsking = true
    let generation = shard.context.changes.generation
    shard.context.store.feed(after: mark.number, countMax: Self.changesPerRead) { [shard] result in
      shard.perform { _ in
        self.isAsking = false
        if self.isFinished { return }
        switch result {
        case .success(let feed):
          self.knownGeneration = generation
          self.tell(feed)
        // The next reading of the feed, within a second, has it read again.
        case .failure: self.hasNews = false
        }
        self.tellAll()
      }
    }
  }

  /// The number of changes read from a store at a time.
  private static let changesPerRead = 256

  private func tell(_ feed: StoredFeed) {
    hasNews = true
    guard feed.epoch == mark.epoch, feed.isKnown else {
      knownGeneration = shard.context.changes.generation
      mark = shard.context.changes.begin(date: shard.context.time.date())
      return tellReset(nil)
    }
    mark = ChangeMark(epoch: feed.epoch, number: feed.end)
    var last: [CollectionKey: UInt64] = [:]
    for (number, change) in feed.changes { last[change.key] = number }
    let changes = feed.changes.filter { last[$0.change.key] == $0.number }
      .filter { filter.passes($0.change.key) }
      .map { (mark: ChangeMark(epoch: feed.epoch, number: $0.number), change: $0.change) }
    if changes.isEmpty, feed.hasMore { return }
    isWritable = sink(changes.isEmpty ? .bookmark(mark) : .changes(changes))
    nextPing = shard.context.time.uptime() + interval
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
  /// Creates a ticket for a reader of the feed that is about to start.
  public func changesTicket() -> FollowTicket {
    FollowTicket(id: nextWaiterID(), shard: changesShard)
  }

  /// Follows the changes of all collections of all clients, including deletions.
  ///
  /// - Parameters:
  ///   - request: The position and how to follow.
  ///   - ticket: The ticket that resumes and cancels the reader.
  ///   - begin: Called with an error or nil; returns the sink for events.
  public func followChanges(
    _ request: ChangesRequest, _ ticket: FollowTicket,
    begin: @escaping @Sendable (ServiceError?) -> ChangeSink?
  ) {
    ticket.shard.perform { $0.followChanges(request, id: ticket.id, begin: begin) }
  }
}
