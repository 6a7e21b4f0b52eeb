import VersionedCollections

// Collections that nobody reads or writes for `limits.unusedSecondsMax` are removed.
//
// Shards keep in memory which collections are used. Once per interval the uses are recorded in the
// store with the date, and then the collections whose recorded use is too old are removed one by
// one, like any deletion. A read thus causes at most one write per interval. A crash loses the
// uses of at most two intervals, the one that was under way and the one that was being recorded;
// a collection is therefore removed two intervals later than the limit says. Those whose use was
// never recorded count as used when they are first found: nothing is removed at once when the limit
// is switched on.
extension ServiceLimits {
  /// The time between two searches for unused collections, in seconds: at most an hour.
  var unusedIntervalSeconds: Int64 { min(3600, max(1, unusedSecondsMax / 20)) }
}

extension DeltaService {
  /// The most collections to look at before others get their turn.
  private static let pageCount = 256

  /// Searches for unused collections periodically while the service exists.
  func startRemovingUnused(_ time: TimeSource) -> Task<Void, Never> {
    let interval = Duration.seconds(limits.unusedIntervalSeconds)
    return Task { [weak self] in
      while !Task.isCancelled {
        await time.sleep(time.uptime() + interval)
        if Task.isCancelled { return }
        await self?.removeUnused(date: time.date())
      }
    }
  }

  /// Records what was used, and removes the collections that were not used for too long.
  package func removeUnused(date: Int64) async {
    var uses: [CollectionKey] = []
    for shard in shards { uses += await shard.beginSearch() }
    if await store.record(uses, date: date) {
      await search(date)
    } else {
      for key in uses { shard(of: key.client).handle(.restoreUses([key])) }
    }
    for shard in shards { shard.handle(.endSearch) }
  }

  /// Removes the collections whose recorded use is too old, and records the use of all others found.
  private func search(_ date: Int64) async {
    let last = date - limits.unusedSecondsMax - 2 * limits.unusedIntervalSeconds
    var isOver = false
    while !isOver {
      let found = await store.unused(since: last, countMax: Self.pageCount)
      var kept: [CollectionKey] = []
      for collection in found {
        if Task.isCancelled { return }
        let isRemoved =
          collection.lastUse != nil
          ? await removeIfUnused(collection.key) : false
        if !isRemoved { kept.append(collection.key) }
      }
      isOver = found.count < Self.pageCount
      guard await store.record(kept, date: date) else { return }
    }
  }

  /// Deletes a collection unless it is in use when its turn has come.
  ///
  /// - Returns: Whether it was deleted, or did not exist any more.
  private func removeIfUnused(_ key: CollectionKey) async -> Bool {
    let shard = shard(of: key.client)
    return await withCheckedContinuation { continuation in
      shard.handle(
        .write(
          WriteJob(client: key.client, scope: .deleteUnused(key.name)) { [counters] outcome in
            guard case .success(let results) = outcome else {
              return continuation.resume(returning: false)
            }
            if case .success? = results.first { counters.unusedRemovals.add(1) }
            let reply = Reply<Bool> { continuation.resume(returning: !$0) }
            shard.handle(
              .query(
                Query(
                  client: key.client, requirements: Requirements(),
                  kind: .existence(key.name, reply))))
          }))
    }
  }
}

extension Shard {
  /// Begins a search for unused collections; returns the collections that were used since the last search.
  fileprivate func beginSearch() async -> [CollectionKey] {
    await completion { handle(.beginSearch(Reply($0))) }
  }
}

extension CollectionStore {
  fileprivate func record(_ uses: [CollectionKey], date: Int64) async -> Bool {
    if uses.isEmpty { return true }
    return await completion { record(uses: uses, date: date, completion: $0) }
  }

  fileprivate func unused(since date: Int64, countMax: Int) async -> [UnusedCollection] {
    await completion { unused(since: date, countMax: countMax, completion: $0) }
  }
}
