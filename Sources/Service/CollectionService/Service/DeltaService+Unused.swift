import VersionedCollections

// Collections that nobody reads or writes for `limits.unusedSecondsMax` are removed.
//
// Shards note in memory which collections are used, and the store records each once in an interval. Once
// in a shorter one the collections whose recorded use is too old are removed one by one, like any
// deletion. A read thus causes at most one write in an interval, of a day or less. What is recorded may
// be older than the last use by the sum of the two, so that a collection is removed that much later
// than the limit says.
extension ServiceLimits {
  /// The time between two searches for unused collections, in seconds: at most an hour.
  var searchIntervalSeconds: Int64 { min(3600, useIntervalSeconds) }
}

extension DeltaService {
  /// The most collections to look at before others get their turn.
  private static let pageCount = 128

  /// Searches for unused collections periodically while the service exists.
  func startRemovingUnused(_ time: TimeSource) -> Task<Void, Never> {
    let interval = Duration.seconds(limits.searchIntervalSeconds)
    return Task { [weak self] in
      while !Task.isCancelled {
        await time.sleep(time.uptime() + interval)
        if Task.isCancelled { return }
        await self?.removeUnused(date: time.date())
      }
    }
  }

  /// Records what was used, removes the collections that were not used for too long, and records the
  /// use of those that turn out to be in use.
  package func removeUnused(date: Int64) async {
    for shard in shards { await completion { shard.handle(.recordUses(date, Reply($0))) } }
    let last =
      date - limits.unusedSecondsMax - limits.useIntervalSeconds - limits.searchIntervalSeconds
    var isOver = false
    while !isOver {
      let found = await store.unused(since: last, countMax: Self.pageCount)
      var kept: [CollectionKey] = []
      for key in found {
        if Task.isCancelled { return }
        if await !removeIfUnused(key) { kept.append(key) }
      }
      isOver = found.count < Self.pageCount
      guard await store.record(kept, date: date) else { return }
    }
  }

  /// Deletes a collection unless it is in use when its turn has come.
  ///
  /// - Returns: Whether it was deleted.
  private func removeIfUnused(_ key: CollectionKey) async -> Bool {
    let isRemoved = await completion { reply in
      shard(of: key.client).handle(
        .write(
          WriteJob(client: key.client, scope: .deleteUnused(key.name)) { outcome in
            if case .success(let results) = outcome, case .success? = results.first {
              reply(true)
            } else {
              reply(false)
            }
          }))
    }
    if isRemoved { counters.unusedRemovals.add(1) }
    return isRemoved
  }
}

extension CollectionStore {
  fileprivate func record(_ uses: [CollectionKey], date: Int64) async -> Bool {
    if uses.isEmpty { return true }
    return await completion { record(uses: uses, date: date, completion: $0) }
  }

  fileprivate func unused(since date: Int64, countMax: Int) async -> [CollectionKey] {
    await completion { unused(since: date, countMax: countMax, completion: $0) }
  }
}
