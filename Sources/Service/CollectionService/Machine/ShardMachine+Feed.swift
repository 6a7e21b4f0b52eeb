import VersionedCollections

/// The feed of changes; only the first shard has readers of it.
///
/// That of a shared store is read from there, in the order of the store, when something was written
/// here or elsewhere and once a second, because what a replica commits may be late.
extension ShardMachine {
  /// Starts to follow the feed, once that of a shared store was read.
  mutating func arriveAtFeed(_ reader: Reader) {
    guard shared.isShared, shared.changes.lastAccepted == nil else {
      return evaluate(reader, .loaded)
    }
    waiters.insert(reader)
    feedArrivals.append(reader.id)
    readFeed()
  }

  /// Begins the stream of a reader, or refuses it.
  mutating func startFeed(_ reader: Reader) -> Reader.Outcome {
    guard case .feed(let request, let begin) = reader.kind, admit(reader) else { return .done }
    let current = shared.changes.begin(date: moment.date)
    reader.position = FeedPosition(request.since ?? current, request.filter, shared.changes)
    actions.append(.begin(reader.id, .changes(begin)))
    return .answering
  }

  /// Sends the reader's position immediately, so that it can resume from there.
  mutating func beginFeed(_ reader: Reader) {
    guard let position = reader.position, !isUnknown(position) else { return }
    let news = position.news(shared.changes)
    guard !news.isIncomplete && news.changes.isEmpty else { return }
    reader.position?.mark = news.mark
    sendChanges(.bookmark(news.mark), to: reader)
  }

  /// Notifies the readers of the feed.
  mutating func feedChanged() {
    shared.changes.beginReading()
    if shared.isShared { return readFeed() }
    notify(feedReaders, feedReaders.name, .changed)
  }

  /// The number of changes read at a time.
  private static let changesPerRead = 1000

  /// Reads what is new in the feed of a shared store, once more if it is being read.
  mutating func readFeed() {
    guard !feedReading.isUnderWay else { return feedReading.isDue = true }
    feedReading = (true, false)
    actions.append(.readFeed(after: shared.changes.lastAccepted, countMax: Self.changesPerRead))
  }

  /// Adds what was read to the changes in memory, and goes on with those who waited for it.
  mutating func feedRead(_ result: Result<StoredFeed, StoreError>) {
    var event = ReaderEvent.loaded
    switch result {
    case .success(let feed):
      shared.changes.accept(feed)
      feedReading = (false, feedReading.isDue || feed.hasMore)
    case .failure(let error):
      feedReading = (false, false)
      event = .failed(.store(error))
    }
    let arrivals = feedArrivals
    feedArrivals = []
    for reader in arrivals.compactMap({ waiters[$0] }) { evaluate(reader, event) }
    if event.isLoaded { notify(feedReaders, feedReaders.name, .changed) }
    if feedReading.isDue { readFeed() }
  }

  // MARK: One reader

  /// Whether the store must be asked if it has the position, which may be one of a store that was
  /// restored since.
  private func isUnknown(_ position: FeedPosition) -> Bool {
    shared.isShared && position.knownGeneration != shared.changes.generation
  }

  mutating func feedOutcome(of reader: Reader, _ event: ReaderEvent) -> Reader.Outcome {
    if let reason = reader.stream?.receive(event, at: now, isReleasing: isReleasing) {
      return endStream(of: reader, reason)
    }
    while reader.stream?.hasNews == true, reader.stream?.canSend == true,
      reader.position?.isAsking == false
    {
      sendNews(to: reader)
    }
    if reader.stream?.pings(at: now) == true, let sink = reader.stream?.sink {
      actions.append(.send(reader.id, .ping(sink)))
    }
    return .wait(until: reader.stream?.deadline ?? now)
  }

  /// Sends the next changes, or has those read that are not in memory.
  private mutating func sendNews(to reader: Reader) {
    guard let position = reader.position else { return }
    let news = position.news(shared.changes)
    reader.stream?.hasNews = news.hasMore
    if position.mark.epoch == news.mark.epoch, isUnknown(position) || news.isIncomplete,
      shared.isShared
    {
      return readOlderFeed(reader, position.mark)
    }
    if news.isIncomplete { return sendIncomplete(news, position.mark, to: reader) }
    reader.position?.mark = news.mark
    let changes = news.changes.filter { position.filter.passes($0.change.key) }
    if !changes.isEmpty { sendChanges(.changes(changes), to: reader) }
  }

  private mutating func sendIncomplete(
    _ news: ChangeLog.News, _ before: ChangeMark, to reader: Reader
  ) {
    let isOfEarlierRun = before.epoch != news.mark.epoch && before.date > 0 && !shared.isShared
    reader.stream?.hasNews = reader.position?.skipLost(news, shared.changes) ?? false
    guard isOfEarlierRun else { return sendReset(nil, to: reader) }
    reader.position?.isAsking = true
    actions.append(
      .readOlderChanges(
        reader.id, since: before.date - Self.marginSeconds, countMax: limits.changesMax))
  }

  /// How long before its entry in the feed a version may have been dated, in seconds; covers slow
  /// disks and clocks that were set back.
  private static let marginSeconds: Int64 = 60

  private mutating func sendReset(_ changed: [CollectionChange]?, to reader: Reader) {
    guard let mark = reader.position?.mark else { return }
    sendChanges(.incomplete(mark, changed: changed), to: reader)
  }

  private mutating func sendChanges(_ event: ChangeEvent, to reader: Reader) {
    guard case .changes(let sink)? = reader.stream?.sink else { return }
    reader.stream?.postponePing(now)
    send(.changes(sink, event), to: reader)
  }

  /// Sends the changes since a position of an earlier run of the service, nil if they are unknown.
  ///
  /// Changes that happened meanwhile are also sent as changes.
  mutating func olderChangesRead(_ id: UInt64, _ changed: [CollectionChange]?) {
    guard let reader = waiters[id], let filter = reader.position?.filter else { return }
    reader.position?.isAsking = false
    sendReset(changed?.filter { filter.passes($0.key) }, to: reader)
  }

  /// The number of changes read for one reader at a time.
  private static let olderChangesPerRead = 256

  /// Reads changes of a shared store that are older than those in memory.
  private mutating func readOlderFeed(_ reader: Reader, _ mark: ChangeMark) {
    reader.position?.isAsking = true
    actions.append(
      .readOlderFeed(
        reader.id, generation: shared.changes.generation, after: mark.number,
        countMax: Self.olderChangesPerRead))
  }

  /// Sends changes that were read for one reader.
  mutating func olderFeedRead(
    _ id: UInt64, _ generation: Int, _ result: Result<StoredFeed, StoreError>
  ) {
    guard let reader = waiters[id] else { return }
    reader.position?.isAsking = false
    switch result {
    case .success(let feed):
      reader.position?.knownGeneration = generation
      reader.stream?.hasNews = true
      let event = reader.position?.advance(past: feed, shared.changes, date: moment.date)
      if let event { sendChanges(event, to: reader) }
    // The next reading of the feed, within a second, has it read again.
    case .failure: reader.stream?.hasNews = false
    }
    evaluate(reader, .sent)
  }
}
