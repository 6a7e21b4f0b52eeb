import VersionedCollections

extension Shard {
  /// Notes that collections are read or written, whether or not they exist.
  func noteUses(of entries: [SyncRequest.Entry], _ client: ResourceName) {
    guard context.removesUnused else { return }
    for entry in entries { uses.insert(CollectionKey(client: client, name: entry.name)) }
    if uses.count >= Self.usesMax, usesInRecord.isEmpty, !isSearching { recordUses() }
  }

  /// The number of uses noted in memory from which on they are recorded.
  private static let usesMax = 4096

  /// Records the notes before the next search for unused collections; during one they are needed.
  private func recordUses() {
    swap(&uses, &usesInRecord)
    context.store.record(uses: Array(usesInRecord), date: context.time.date()) { isRecorded in
      self.perform { shard in
        if !isRecorded { shard.uses.formUnion(shard.usesInRecord) }
        shard.usesInRecord = []
      }
    }
  }

  /// Begins a search for unused collections, until `isSearching` is set to false.
  ///
  /// - Returns: The collections that were used since the last call, including those that readers
  ///   wait for.
  func takeUses() async -> [CollectionKey] {
    await withCheckedContinuation { continuation in
      perform { shard in
        shard.noteUses()
        for client in shard.clients.values {
          for name in client.waiters.keys {
            shard.uses.insert(CollectionKey(client: client.name, name: name))
          }
        }
        // What is being recorded might not be before the search reads.
        let uses = shard.uses.union(shard.usesInRecord)
        shard.uses = []
        shard.isSearching = true
        continuation.resume(returning: Array(uses))
      }
    }
  }

  /// Deletes a collection unless it is in use when its turn has come.
  ///
  /// - Returns: Whether it was deleted, or did not exist any more.
  func removeIfUnused(_ key: CollectionKey) async -> Bool {
    await withCheckedContinuation { continuation in
      perform { shard in
        shard.submit(
          WriteJob(client: key.client, scope: .deleteUnused(key.name)) { outcome in
            guard case .success(let results) = outcome else {
              return continuation.resume(returning: false)
            }
            if case .success? = results.first { shard.context.counters.unusedRemovals.add(1) }
            continuation.resume(returning: shard.clients[key.client]?.has(key.name) != true)
          })
      }
    }
  }

  /// Whether a collection was used lately, or readers wait for it.
  func isUsed(_ name: ResourceName, of client: ClientState) -> Bool {
    client.waiters[name] != nil || uses.contains(CollectionKey(client: client.name, name: name))
      || client.collections[name]?.state.head.isUsed == true
  }
}
