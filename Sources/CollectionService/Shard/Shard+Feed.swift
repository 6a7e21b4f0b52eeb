import VersionedCollections

/// The feed of changes; only the first shard has readers of it.
///
/// That of a shared store is read from there, in the order of the store, when something was written
/// here or elsewhere and once a second, because what a replica commits may be late.
extension Shard {
  /// Starts to follow the feed of changes; see `DeltaService.followChanges`.
  func followChanges(
    _ request: ChangesRequest, id: UInt64,
    begin: @escaping (ServiceError?) -> ChangeSink?
  ) {
    if let error = waitRefusal {
      _ = begin(error)
      return
    }
    guard context.store.isShared, context.changes.lastTaken == nil else {
      return startFollower(request, id, begin)
    }
    loadingReaders[id] = false
    feedReaders.append { [unowned self] error in
      guard loadingReaders.removeValue(forKey: id) != nil else { return }
      guard let error else { return startFollower(request, id, begin) }
      _ = begin(ServiceError(error))
    }
    readFeed()
  }

  private func startFollower(
    _ request: ChangesRequest, _ id: UInt64, _ begin: (ServiceError?) -> ChangeSink?
  ) {
    let now = context.changes.begin(date: context.time.date())
    guard let sink = begin(nil) else { return }
    let follower = ChangeFollower(self, request, mark: request.since ?? now, sink: sink)
    follower.begin()
    let waiter = Waiter(id: id, changesReaders, names: [changesReaders.name]) {
      follower.evaluate($0)
    }
    if self.begin(waiter) != nil { _ = sink(.end(.overload)) }
    if context.store.isShared { readFeed() }
  }

  /// Notifies the readers of the feed; must be called on their shard.
  func notifyChangesReaders() {
    context.changes.taken()
    if context.store.isShared { return readFeed() }
    notify(changesReaders, changesReaders.name, .changed)
  }

  /// The number of changes read at a time.
  private static let changesPerRead = 1000

  /// Reads what is new in the feed of a shared store, once more if it is being read.
  func readFeed() {
    guard !feedReading.isUnderWay else {
      feedReading.isDue = true
      return
    }
    feedReading = (true, false)
    context.store.feed(after: context.changes.lastTaken, countMax: Self.changesPerRead) { result in
      self.perform { $0.take(result) }
    }
  }

  private func take(_ result: Result<StoredFeed, StoreError>) {
    var failure: StoreError?
    switch result {
    case .success(let feed):
      context.changes.take(feed)
      feedReading = (false, feedReading.isDue || feed.hasMore)
    case .failure(let error):
      feedReading = (false, false)
      failure = error
    }
    let readers = feedReaders
    feedReaders = []
    for reader in readers { reader(failure) }
    if failure == nil { notify(changesReaders, changesReaders.name, .changed) }
    if feedReading.isDue { readFeed() }
  }
}
