import VersionedCollections

/// Writes: after the store has answered.
extension ShardMachine {
  /// The most times that a write is prepared again.
  ///
  /// Of the services that write a collection at the same time, one succeeds each time.
  private static let conflictsMax = 100

  /// Puts what was committed into memory, answers the writer and notifies readers.
  mutating func committed(
    _ prepared: PreparedWriteJob, _ number: Int, _ result: Result<Void, StoreError>
  ) {
    let client = client(prepared.job.client)
    switch result {
    case .success: succeed(prepared, client)
    case .failure(.conflict)
    where shared.isShared && prepared.job.conflictCount < Self.conflictsMax:
      prepared.reservation.release()
      var job = prepared.job
      job.conflictCount += 1
      return restart(job, number, client)
    case .failure(let error): fail(prepared, error, client)
    }
    conclude(number, client)
    // A new client is counted by now.
    prepared.reservation.release()
  }

  private mutating func succeed(_ prepared: PreparedWriteJob, _ client: ClientState) {
    // A deletion takes its collection from memory.
    let secrets = prepared.writes.map { client.secret($0.name) }
    if prepared.writes.contains(where: { isInDoubt($0, client) }) {
      freshness.outdate(client.name)
      othersWrote([client.name])
    } else {
      for write in prepared.writes { apply(write, client) }
    }
    endKey(of: prepared.job, client, record: prepared.record)
    actions.append(.answerWriter(WriterAnswer(prepared, client)))
    // The writer is answered first, so that it does not wait for ten thousand readers.
    for write in prepared.writes {
      guard let (version, isDeleted) = write.change else {
        // Who reads only what is public may not any more.
        if case .configure = write.effect { notify(client, write.name, .changed) }
        continue
      }
      // Another service may have created it again, and a list have told.
      let isGone = isDeleted && !client.has(write.name)
      notify(client, write.name, isGone ? .deleted(version) : .changed)
    }
    addChanges(prepared, secrets, client)
  }

  /// Whether memory may lack what was written, because a list since its start has something else.
  ///
  /// That list is from before the commit, or from after what others did then; the next one tells. Until then nothing of
  /// the job is in memory, so that no reader sees half of a batch, and whoever asks waits for that list.
  private func isInDoubt(_ write: PreparedWrite, _ client: ClientState) -> Bool {
    guard isOvertaken(write, client), let version = write.receipt?.version else { return false }
    let mark = client.mark(of: write.name)
    let known = mark.flatMap { $0.version.lineage == version.lineage ? $0 : nil }
    return switch write.effect {
    case .none: false
    case .create: known == nil
    case .update: known.map { $0.version.seq < version.seq } ?? false
    case .configure: known.map { $0.revision <= write.base.revision ?? 0 } ?? false
    case .delete: known != nil
    }
  }

  private mutating func addChanges(
    _ prepared: PreparedWriteJob, _ secrets: [Lineage.Secret?], _ client: ClientState
  ) {
    var isNews = false
    for (write, secret) in zip(prepared.writes, secrets) {
      guard let (version, isDeleted) = write.change else { continue }
      let change = CollectionChange(
        key: CollectionKey(client: client.name, name: write.name), version: version,
        secret: client.secret(write.name) ?? secret, isDeleted: isDeleted,
        isPublic: !isDeleted && client.isPublic(write.name) == true)
      let isFirst = shared.changes.record(
        change, date: moment.date, wakesFollowers: prepared.job.wakesFollowers)
      isNews = isFirst || isNews
    }
    if isNews { actions.append(.feedChanged) }
  }

  private mutating func fail(
    _ prepared: PreparedWriteJob, _ cause: StoreError, _ client: ClientState
  ) {
    var error = cause
    let job = prepared.job
    if shared.isShared, error == .conflict {
      error = .unavailable("others wrote the collection \(Self.conflictsMax) times meanwhile")
    }
    let isInDoubt = if case .unknown = error { shared.isShared } else { false }
    if isInDoubt { doubt(job, client) }
    shared.counters.failedCommits.add(1)
    let only = prepared.writes.count == 1 ? prepared.writes[0].name : nil
    actions.append(
      .report(Fault(error, client: client.name, collection: only, requestID: job.requestID)))
    endKey(of: job, client, record: nil)
    let results = prepared.writes.map { write -> Result<WriteReceipt, ServiceFailure> in
      let current = isInDoubt ? nil : client.head(write.name)
      return .failure(ServiceFailure(ServiceError(error), current: current))
    }
    actions.append(.tell(job.message(.success(results))))
  }

  /// Has the client's collections and the keys of a job read again, because the job may have been
  /// committed.
  private mutating func doubt(_ job: WriteJob, _ client: ClientState) {
    // Lists that were asked for before may be from before the commit.
    freshness.distrustLists(of: client.name)
    if job.key != nil { client.idempotency.outdate(job.recordsName) }
    othersWrote([client.name])
  }

  // MARK: Memory

  private mutating func apply(_ write: PreparedWrite, _ client: ClientState) {
    let counters = shared.counters
    let known = client.collections[write.name]
    // A newer list already has it, or what follows.
    if isOvertaken(write, client) { return }
    // It was loaded again meanwhile.
    let isOther = write.base.data.map { known?.state.data !== $0 } ?? false
    switch (write.effect, known) {
    case (.create(let state, _), _):
      if let known { withdraw(known) }
      let collection = HostedCollection(state)
      client.collections[write.name] = collection
      residency.use(collection)
      if known == nil { counters.collections.add(1) }
      addUses(of: [write.name], client.name, areNew: true)
      counters.versions.add(1)
    case (.update, _) where isOther, (.configure, _) where isOther: evict(write, client)
    case (.update(let next), let collection?):
      actions.append(.withdraw(collection.state.head))
      let isNext = collection.commit(
        next, retention: limits.retention, now: moment.date,
        keepsDelta: client.waiters[write.name] != nil, isStored: shared.keepsContents)
      guard isNext else { return evict(write, client) }
      residency.use(collection)
      counters.versions.add(1)
    case (.configure(let prepared), let collection?):
      actions.append(.withdraw(collection.state.head))
      collection.apply(prepared)
    case (.delete, _):
      if let known { withdraw(known) }
      client.collections[write.name] = nil
      client.stored[write.name] = nil
      freshness.passOverLists(of: client.name)
      counters.collections.add(-1)
    case (.none, _), (.update, nil), (.configure, nil): break
    }
  }

  /// Leaves what was written in the store, because it does not follow what is in memory.
  private mutating func evict(_ write: PreparedWrite, _ client: ClientState) {
    let itemCount: Int
    switch write.effect {
    case .update(let next): itemCount = next.contents.itemCount
    case .configure: itemCount = write.base.itemCount
    case .none, .create, .delete: return
    }
    guard let version = write.receipt?.version else { return }
    let secret = client.secret(write.name)
    if let known = client.collections.removeValue(forKey: write.name) { withdraw(known) }
    client.stored[write.name] = CollectionSummary(
      name: write.name, version: version, itemCount: itemCount,
      contentByteCount: write.contentBytes, revision: (write.base.revision ?? 0) + 1,
      secret: secret)
  }

  /// Whether what a write rests on is no longer in memory of a shared store.
  private func isOvertaken(_ write: PreparedWrite, _ client: ClientState) -> Bool {
    if !shared.isShared { return false }
    if client.overtaken.contains(write.name) { return true }
    guard let mark = client.mark(of: write.name) else { return write.base.head != nil }
    return mark.version != write.base.head
      || write.base.revision.map { $0 != mark.revision } ?? false
  }
}
