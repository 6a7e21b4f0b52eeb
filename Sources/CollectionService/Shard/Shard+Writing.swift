import Dispatch
import SnapshotJSON
import VersionedCollections

extension Shard {
  /// Loads what a write requires, then appends it to the client's line.
  func submit(_ job: WriteJob) {
    withLoaded(job.client, job.requirements) { shard, error in
      if let error { return job.reply(.failure(ServiceError(error))) }
      if let (name, body) = job.revert { return shard.findTarget(of: job, name, body) }
      shard.admit(job)
    }
  }

  private func admit(_ job: WriteJob) {
    expireIdempotencyRecords()
    let client = client(job.client)
    defer { releaseIfIdle(client) }
    if let key = job.key, !admit(key, job, client) { return }
    job.stages?.begin(.line)
    client.line.append(job, names: job.names)
    startReady(client)
  }

  /// Checks an idempotency key; answers the request and returns false if the key is already known.
  private func admit(_ key: IdempotencyKey, _ job: WriteJob, _ client: ClientState) -> Bool {
    let status = client.idempotency.update(job.recordsName) {
      $0.status(of: key, now: context.time.date(), limits: context.limits)
    }
    switch status {
    case .unknown:
      client.idempotency.update(job.recordsName) { $0.begin(key) }
      return true
    case .inFlight: job.refuse(.idempotencyInFlight, client)
    case .reused: job.refuse(.idempotencyKeyReuse, client)
    case .done(let receipts): job.replay(receipts)
    }
    return false
  }

  /// Removes expired idempotency keys of all clients, at most once an hour.
  private func expireIdempotencyRecords() {
    let now = context.time.date()
    guard now >= nextExpiry else { return }
    nextExpiry = now + 3600
    for client in clients.values {
      client.idempotency.expire(now: now, limits: context.limits)
      releaseIfIdle(client)
    }
  }

  /// The number of writes started before other work gets its turn, about a millisecond's work.
  private static let startsPerTurn = 32

  /// Starts the writes whose turn has come; a loop, because a store may complete synchronously.
  private func startReady(_ client: ClientState) {
    if client.isStarting { return }
    client.isStarting = true
    defer { client.isStarting = false }
    for _ in 0..<Self.startsPerTurn {
      guard let (job, number) = client.line.begin() else { return }
      start(job, number, client)
    }
    let name = client.name
    queue.async {
      guard let client = self.clients[name] else { return }
      self.startReady(client)
      self.releaseIfIdle(client)
    }
  }

  /// Prepares a write here if it is small, otherwise on a worker.
  ///
  /// Until the store has committed, the collections can be read unchanged, and only writes to them
  /// wait.
  private func start(_ job: WriteJob, _ number: Int, _ client: ClientState) {
    // What another service has written since the job arrived was removed from memory.
    if context.store.isShared, !client.unloaded(job.requirements.collections).isEmpty {
      return restart(job, number)
    }
    job.stages?.end(.line)
    let work = work(job, client)
    let byteCount = work.byteCount
    if work.isSmall(context.limits), let ticket = context.workers.ticket(byteCount) {
      return commit(work.prepare(reader, context), number, ticket)
    }
    context.workers.perform(byteCount) { reader, _, ticket in
      self.commit(work.prepare(reader, self.context), number, ticket)
    }
  }

  private func work(_ job: WriteJob, _ client: ClientState) -> WriteWork {
    let writes = job.writes(client) { isUsed($0, of: client) }
    let own = Set(writes.map(\.name))
    // Collections that pending writes may create count towards the limit.
    let coming = client.line.namesUnderWay.count { !own.contains($0) && !client.has($0) }
    let room = context.limits.collectionsPerClientMax - client.collectionCount - coming
    let bases = writes.map { write in
      let state = write.isDelete ? nil : client.collections[write.name]?.state
      return WritePreparation.Base(
        head: state?.token ?? client.head(write.name), state: state,
        lineage: state == nil && !write.isDelete ? Lineage.random(using: &generator) : "",
        contentBytes: context.tenants.limits.areThere ? client.contentBytes(of: write.name) : 0,
        room: room)
    }
    return WriteWork(job: job, writes: writes, bases: bases, date: context.time.date())
  }

  /// Passes a prepared write to the store, from any queue: a store encodes on its caller's queue.
  private func commit(_ prepared: PreparedWriteJob, _ number: Int, _ ticket: ParseTicket) {
    @Sendable func finish(_ result: Result<Void, StoreError>) {
      perform { shard in
        withExtendedLifetime(ticket) { shard.finish(prepared, number, result) }
      }
    }
    guard let transaction = prepared.transaction(isShared: context.store.isShared) else {
      return finish(.success(()))
    }
    let start = context.time.uptime()
    context.store.commit(transaction) { [context] result in
      let end = context.time.uptime()
      context.counters.commitTimes.note(end - start)
      prepared.job.stages?.note(.commit, from: start, to: end)
      finish(result)
    }
  }

  private func finish(
    _ prepared: PreparedWriteJob, _ number: Int, _ result: Result<Void, StoreError>
  ) {
    let job = prepared.job
    let client = client(job.client)
    var change = StoredSize()
    if case .success = result {
      for write in prepared.writes { change = change + write.sizeChange }
    }
    // Before the writer is answered, whose next write may be to another shard.
    context.tenants.settle(client.name, reserved: prepared.reservedSize, change: change)
    switch result {
    case .success:
      for write in prepared.writes { apply(write, client) }
      end(job, client, record: prepared.record)
      reply(prepared, client)
      // The writer is answered first, so that it does not wait for ten thousand readers.
      for write in prepared.writes { notifyReaders(of: write, client) }
      note(prepared.writes, of: client, wakesFollowers: job.wakesFollowers)
    case .failure(.conflict)
    where context.store.isShared && job.conflictCount < Self.conflictsMax:
      prepared.reservation.release()
      var job = job
      job.conflictCount += 1
      return restart(job, number)
    case .failure(var error):
      if context.store.isShared, error == .conflict {
        error = .unavailable("others wrote the collection \(Self.conflictsMax) times meanwhile")
      }
      let isInDoubt = if case .unknown = error { context.store.isShared } else { false }
      if isInDoubt { doubt(job, client) }
      context.counters.failedCommits.add(1)
      context.faults(
        Fault(
          error, client: client.name,
          collection: prepared.writes.count == 1 ? prepared.writes[0].name : nil,
          requestID: job.requestID))
      end(job, client, record: nil)
      job.reply(
        .success(
          prepared.writes.map {
            .failure(
              ServiceFailure(
                ServiceError(error), current: isInDoubt ? nil : client.head($0.name)))
          }))
    }
    prepared.reservation.release()
    conclude(number, client)
  }

  /// Has the client's collections and the keys of a job read again, because the job may have been
  /// committed.
  private func doubt(_ job: WriteJob, _ client: ClientState) {
    // Lists that were asked for before may be from before the commit.
    (client.listTaken, client.listDate) = (listsAsked, nil)
    if job.key != nil { client.idempotency.outdate(job.recordsName) }
    confirm([client.name])
  }

  /// Lets the writes start that waited for one that was answered.
  private func conclude(_ number: Int, _ client: ClientState) {
    client.line.finish(number)
    startReady(client)
    releaseIfIdle(client)
    evict()
  }

  /// The most times that a write is prepared again.
  ///
  /// Of the services that write a collection at the same time, one succeeds each time.
  private static let conflictsMax = 100

  /// Starts a write again from what another service has written.
  private func restart(_ job: WriteJob, _ number: Int) {
    if job.key != nil, job.conflictCount > 0 {
      client(job.client).idempotency.outdate(job.recordsName)
    }
    withLoaded(job.client, job.requirements) { shard, error in
      let client = shard.client(job.client)
      if let error {
        shard.end(job, client, record: nil)
        job.reply(.failure(ServiceError(error)))
      } else if shard.isAnswered(job, client) {
        shard.end(job, client, record: nil)
      } else {
        return shard.start(job, number, client)
      }
      shard.conclude(number, client)
    }
  }

  /// Answers a request whose key another service has recorded meanwhile.
  private func isAnswered(_ job: WriteJob, _ client: ClientState) -> Bool {
    guard let key = job.key else { return false }
    switch client.idempotency.update(job.recordsName, { $0.outcome(of: key) }) {
    case .done(let receipts)?: job.replay(receipts)
    case .reused?: job.refuse(.idempotencyKeyReuse, client)
    case .unknown?, .inFlight?, nil: return false
    }
    return true
  }

  /// Removes a request's key from those in flight; `record` is nil if the request may be retried.
  private func end(_ job: WriteJob, _ client: ClientState, record: IdempotencyRecord?) {
    guard let key = job.key else { return }
    client.idempotency.update(job.recordsName) { $0.end(key, record: record) }
  }

  // MARK: After the commit

  private func apply(_ write: PreparedWrite, _ client: ClientState) {
    let counters = context.counters
    let held = client.collections[write.name]
    // A newer list of collections already has this version or one that follows.
    if context.store.isShared, !isBase(of: write, client) { return }
    // It was loaded again meanwhile.
    let isOther = write.base.data.map { held?.state.data !== $0 } ?? false
    switch (write.effect, held) {
    case (.create(let state, _), _):
      if let held { forget(held) }
      let collection = HostedCollection(state)
      client.collections[write.name] = collection
      use(collection)
      if held == nil { counters.collections.add(1) }
      counters.versions.add(1)
    case (.update, _) where isOther, (.configure, _) where isOther: evict(write, client)
    case (.update(let next), let collection?):
      context.answers.remove(collection.state.head)
      let isNext = collection.commit(
        next, retention: context.limits.retention, now: context.time.date(),
        keepsDelta: client.waiters[write.name] != nil)
      guard isNext else { return evict(write, client) }
      use(collection)
      counters.versions.add(1)
    case (.configure(let prepared), let collection?):
      context.answers.remove(collection.state.head)
      collection.apply(prepared)
    case (.delete, _):
      if let held { forget(held) }
      client.collections[write.name] = nil
      client.stored[write.name] = nil
      counters.collections.add(-1)
    case (.none, _), (.update, nil), (.configure, nil): break
    }
  }

  /// Leaves what was written in the store, because it does not follow what is in memory.
  private func evict(_ write: PreparedWrite, _ client: ClientState) {
    let itemCount: Int
    switch write.effect {
    case .update(let next): itemCount = next.contents.itemCount
    case .configure: itemCount = write.base.itemCount
    case .none, .create, .delete: return
    }
    guard let version = write.receipt?.version else { return }
    if let held = client.collections.removeValue(forKey: write.name) { forget(held) }
    client.stored[write.name] = CollectionSummary(
      name: write.name, version: version, itemCount: itemCount,
      contentByteCount: write.contentBytes, revision: (write.base.revision ?? 0) + 1)
  }

  /// Whether what is in memory is what a write rests on.
  private func isBase(of write: PreparedWrite, _ client: ClientState) -> Bool {
    guard let mark = client.mark(of: write.name) else { return write.base.head == nil }
    return mark.version == write.base.head
      && write.base.revision.map { $0 == mark.revision } ?? true
  }

  private func notifyReaders(of write: PreparedWrite, _ client: ClientState) {
    guard let (version, isDeleted) = write.change else { return }
    notify(client, write.name, isDeleted ? .deleted(version) : .changed)
  }

  /// Adds changes to the feed.
  private func note(
    _ writes: [PreparedWrite], of client: ClientState, wakesFollowers: Bool
  ) {
    var isNews = false
    for write in writes {
      guard let (version, isDeleted) = write.change else { continue }
      let key = CollectionKey(client: client.name, name: write.name)
      let change = CollectionChange(key: key, version: version, isDeleted: isDeleted)
      let isFirst = context.changes.note(
        change, date: context.time.date(), wakesFollowers: wakesFollowers)
      isNews = isFirst || isNews
    }
    if isNews { onChange() }
  }

  /// Answers the writer, including the snapshot or delta it requested.
  private func reply(_ prepared: PreparedWriteJob, _ client: ClientState) {
    let collections = zip(prepared.writes, prepared.answers).map {
      write, wanted -> CollectionState? in
      if case .receipt = wanted { return nil }
      // Another service may have written it since.
      let state = client.collections[write.name]?.state
      return state?.token == write.receipt?.version ? state : nil
    }
    let byteCount = collections.reduce(0) { $0 + ($1?.contents.byteCount ?? 0) }
    withMaker(of: byteCount) { maker in
      prepared.job.reply(
        .success(
          prepared.writes.indices.map { index in
            prepared.writes[index].result.map { receipt in
              var receipt = receipt
              receipt.answer = collections[index].flatMap {
                maker.answer(prepared.answers[index], receipt, $0, prepared.job)
              }
              return receipt
            }
          }))
    }
  }
}

extension AnswerMaker {
  /// The answer that the writer requested in addition to the receipt.
  fileprivate func answer(
    _ wanted: WriteRequest.Answer, _ receipt: WriteReceipt, _ collection: CollectionState,
    _ job: WriteJob
  ) -> ReadAnswer? {
    switch wanted {
    case .receipt: return nil
    case .snapshot(let form): return snapshot(of: collection, form, job.stages)
    case .delta(let form):
      var request = ReadRequest(since: receipt.previous, form: form)
      request.requestID = job.requestID
      request.stages = job.stages
      // An error costs the delta: the write is answered with its receipt alone.
      return try? answer(request, collection, of: job.client).get()
    }
  }
}

extension ServiceError {
  init(_ error: StoreError) {
    switch error {
    case .conflict: self = .versionConflict
    case .full: self = .storageFull
    case .unavailable: self = .storeUnavailable
    case .unknown: self = .outcomeUnknown
    case .unsynced: self = .storeUnsynced
    case .damaged: self = .collectionDamaged
    }
  }
}
