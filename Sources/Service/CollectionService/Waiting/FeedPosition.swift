import VersionedCollections

/// The position of a reader of the feed of changes.
struct FeedPosition {
  /// Up to which the reader has received everything.
  var mark: ChangeMark
  let filter: ChangeFilter
  /// Whether the store is being asked for changes that are not in memory.
  var isAsking = false
  /// The generation of the changes of a shared store for which the store has the position.
  var knownGeneration: Int?

  /// The number of changes sent at a time.
  private static let changesPerEvent = 64

  init(_ mark: ChangeMark, _ filter: ChangeFilter, _ log: ChangeLog) {
    self.mark = mark
    self.filter = filter
    if log.has(mark) { knownGeneration = log.generation }
  }

  /// The changes in memory that the reader has not received.
  func news(_ log: ChangeLog) -> ChangeLog.News {
    log.news(since: mark, limit: Self.changesPerEvent)
  }

  /// Moves to the end of what was read for this reader from a shared store.
  ///
  /// - Parameters:
  ///   - feed: What was read.
  ///   - log: The changes in memory.
  ///   - date: Seconds since 1970.
  /// - Returns: What to send; nil if there is only more to read.
  mutating func advance(past feed: StoredFeed, _ log: ChangeLog, date: Int64) -> ChangeEvent? {
    guard feed.epoch == mark.epoch, feed.isKnown else {
      knownGeneration = log.generation
      mark = log.begin(date: date)
      return .incomplete(mark, changed: nil)
    }
    mark = ChangeMark(epoch: feed.epoch, number: feed.end)
    var last: [CollectionKey: UInt64] = [:]
    for (number, change) in feed.changes { last[change.key] = number }
    let changes = feed.changes.filter { last[$0.change.key] == $0.number }
      .filter { filter.passes($0.change.key) }
      .map { (mark: ChangeMark(epoch: feed.epoch, number: $0.number), change: $0.change) }
    if changes.isEmpty, feed.hasMore { return nil }
    return changes.isEmpty ? .bookmark(mark) : .changes(changes)
  }

  /// Moves past changes that are no longer in memory, to the first one that is.
  ///
  /// - Returns: Whether some are in memory, which are sent because the reader may not have them.
  mutating func skipLost(_ news: ChangeLog.News, _ log: ChangeLog) -> Bool {
    let known = news.changes.first?.mark ?? news.mark
    mark = ChangeMark(
      epoch: known.epoch, number: news.changes.isEmpty ? known.number : known.number - 1)
    knownGeneration = log.generation
    return !news.changes.isEmpty
  }
}
