import DeltaEngine
import LiveCollections
import SnapshotJSON

extension Shard {
  /// Takes a write; it begins when no earlier one has the same collections under way.
  func submit(_ job: WriteJob, client name: ResourceName) {
    whenHere(name, job.needs) { shard, error in
      if let error { return job.fail(ServiceError(error), shard.client(name)) }
      shard.admit(job, client: name)
    }
  }

  private func admit(_ job: WriteJob, client name: ResourceName) {
    expireLedgers()
    let client = client(name)
    defer { releaseIfIdle(client) }
    if let key = job.key, !admit(key, job, client) { return }
    client.pending.append(job)
    startPending(client)
  }

  /// Sees whether a request with a key is a new one; if not, answers it.
  private func admit(_ key: IdempotencyKey, _ job: WriteJob, _ client: ClientState) -> Bool {
    let standing = client.ledgers.update(job.ledgerName) {
      $0.standing(of: key, now: context.time.date(), limits: context.limits)
    }
    switch standing {
    case .unknown:
      client.ledgers.update(job.ledgerName) { $0.begin(key) }
      return true
    case .inFlight: job.refuse(.idempotencyInFlight, client)
    case .reused: job.refuse(.idempotencyKeyReuse, client)
    case .done(let receipts): job.replay(receipts)
    }
    return false
  }

  /// Forgets old keys everywhere, once in a while: nobody may ask for them again.
  private func expireLedgers() {
    let now = context.time.date()
    guard now >= nextExpiry else { return }
    nextExpiry = now + 3600
    for client in clients.values {
      client.ledgers.expire(now: now, limits: context.limits)
      releaseIfIdle(client)
    }
  }

  private func startPending(_ client: ClientState) {
    if client.pending.isEmpty { return }
    // What those that wait already will change; those that are under way are in `busy`.
    var awaited: Set<ResourceName> = []
    var isAllAwaited = false
    var waiting: [WriteJob] = []
    let jobs = client.pending
    client.pending = []
    // A store may answer at once: the client must not be forgotten while jobs stand only here.
    client.startDepth += 1
    defer { client.startDepth -= 1 }
    for job in jobs {
      let names = job.names
      let isFree =
        names.map { $0.allSatisfy { !client.busy.contains($0) && !awaited.contains($0) } }
        ?? (client.busy.isEmpty && awaited.isEmpty)
      if isFree && !isAllAwaited {
        start(job, client)
      } else {
        waiting.append(job)
        if let names { awaited.formUnion(names) } else { isAllAwaited = true }
      }
    }
    client.pending = waiting + client.pending
  }

  private func start(_ job: WriteJob, _ client: ClientState) {
    let writes = job.writes(client)
    var reservation = MemoryReservation(context.memory)
    var outcomes = outcomes(of: writes, job, client, &reservation)
    if outcomes.contains(where: \.isFailure) {
      context.counters.refusedWrites.add(1)
      if job.isAtomic { outcomes = outcomes.map { $0.notApplied() } }
    }
    let entries = outcomes.compactMap(\.entry)
    let record = record(of: job, outcomes)
    if entries.isEmpty && record == nil {
      reservation.release()
      return job.finish(
        zip(writes, outcomes).map { answer($0, $1, client, job.requestID) }, client)
    }
    client.busy.formUnion(entries.map(\.name))
    let transaction = StoreTransaction(
      client: client.name, entries: entries, idempotency: record)
    let commit = PendingCommit(
      job: job, writes: writes, client: client, outcomes: outcomes, record: record,
      reservation: reservation)
    context.store.commit(transaction) { result in
      self.perform { $0.finish(commit, result) }
    }
  }

  /// What a request's writes come to, as far as their contents together may be as large and there
  /// is room for them.
  private func outcomes(
    of writes: [WriteJob.Write], _ job: WriteJob, _ client: ClientState,
    _ reservation: inout MemoryReservation
  ) -> [WriteOutcome] {
    var room = room(client)
    var bytesLeft = job.isBatch ? context.limits.batchBytesMax : .max
    return writes.map { write in
      // Once it is too much nothing more is prepared: each may take as much again.
      guard bytesLeft >= 0 else { return tooLarge(write, client) }
      let outcome = prepare(write, client, room: room)
      report(outcome, write, job, client)
      bytesLeft -= outcome.contentByteCount
      guard bytesLeft >= 0 else { return tooLarge(write, client) }
      guard reservation.add(contents: outcome) else {
        let error = ServiceError.tooMuchWritten(limit: context.limits.batchBytesMax)
        return .failure(ServiceFailure(error, current: client.head(write.name)))
      }
      guard reservation.add(outcome.addedBytes(job.key)) else {
        let error = ServiceError.memoryFull(limit: context.limits.memoryBytesMax)
        return .failure(ServiceFailure(error, current: client.head(write.name)))
      }
      if case .create = outcome { room -= 1 }
      return outcome
    }
  }

  private func tooLarge(_ write: WriteJob.Write, _ client: ClientState) -> WriteOutcome {
    let limit = context.limits.batchBytesMax
    let passed = PassedLimit(
      .bytes, "", "the collections that the batch writes have more than \(limit) bytes of contents",
      limit: limit)
    return .failure(ServiceFailure(.limitPassed(passed), current: client.head(write.name)))
  }

  /// Tells the log of a write that failed by a fault of the service.
  private func report(
    _ outcome: WriteOutcome, _ write: WriteJob.Write, _ job: WriteJob, _ client: ClientState
  ) {
    guard case .failure(let failure) = outcome, case .internalFault(let cause) = failure.error
    else { return }
    context.faults(
      Fault(
        .other, cause, client: client.name, collection: write.name, requestID: job.requestID))
  }

  /// What is to be known of a request with a key; nil when it may be tried again.
  private func record(of job: WriteJob, _ outcomes: [WriteOutcome]) -> IdempotencyRecord? {
    guard let key = job.key else { return nil }
    let receipts = outcomes.compactMap { try? $0.result.get() }
    guard receipts.count == outcomes.count else { return nil }
    return IdempotencyRecord(
      collection: job.ledgerName, key: key, receipts: receipts, date: context.time.date())
  }

  /// How many collections the client may have beside those it has, or is about to have.
  private func room(_ client: ClientState) -> Int {
    let coming = client.busy.count { !client.has($0) }
    return context.limits.collectionsPerClientMax - client.collectionCount - coming
  }

  private func finish(_ commit: PendingCommit, _ result: Result<Void, StoreError>) {
    let client = commit.client
    defer { commit.reservation.release() }
    client.busy.subtract(commit.outcomes.compactMap { $0.entry?.name })
    switch result {
    case .success:
      for outcome in commit.outcomes { apply(outcome, client) }
      commit.job.finish(
        zip(commit.writes, commit.outcomes).map {
          answer($0, $1, client, commit.job.requestID)
        }, client,
        record: commit.record)
      // The writer first: it should not wait for ten thousand readers to be told.
      for outcome in commit.outcomes { tell(outcome, client) }
      note(commit.outcomes, of: client)
    case .failure(let error):
      context.counters.failedCommits.add(1)
      context.faults(
        Fault(
          error, client: client.name,
          collection: commit.writes.count == 1 ? commit.writes[0].name : nil,
          requestID: commit.job.requestID))
      commit.job.finish(
        commit.writes.map { write in
          .failure(
            ServiceFailure(ServiceError(error), current: client.head(write.name)))
        }, client)
    }
    startPending(client)
    releaseIfIdle(client)
    shed()
  }

  // MARK: After the store's yes

  private func apply(_ outcome: WriteOutcome, _ client: ClientState) {
    let counters = context.counters
    switch outcome {
    case .create(let collection, _, _):
      client.collections[collection.name] = collection
      use(collection)
      counters.collections.add(1)
      counters.versions.add(1)
    case .update(let collection, let next, _, _):
      context.answers.remove(collection.head)
      collection.commit(
        next, retention: context.limits.retention, now: context.time.date(),
        keepsDelta: client.waiters[collection.name] != nil)
      use(collection)
      counters.versions.add(1)
    case .delete(let name, _):
      if let collection = client.collections.removeValue(forKey: name) { forget(collection) }
      client.stored[name] = nil
      counters.collections.add(-1)
    case .configure(let collection, let outcome, _):
      context.answers.remove(collection.head)
      collection.apply(outcome)
    case .unchanged, .failure: break
    }
  }

  private func tell(_ outcome: WriteOutcome, _ client: ClientState) {
    switch outcome {
    case .create(let collection, _, _), .update(let collection, _, _, _):
      wake(client, collection.name, .changed)
    case .delete(let name, let receipt):
      wake(client, name, .deleted(receipt.version))
    case .configure, .unchanged, .failure: break
    }
  }

  /// Puts what happened into the feed of changes.
  private func note(_ outcomes: [WriteOutcome], of client: ClientState) {
    var isNews = false
    for outcome in outcomes {
      guard let (name, version, isDeleted) = outcome.change else { continue }
      let key = CollectionKey(client: client.name, name: name)
      let change = CollectionChange(key: key, version: version, isDeleted: isDeleted)
      isNews = context.changes.note(change) || isNews
    }
    if isNews { onChange() }
  }

  private func answer(
    _ write: WriteJob.Write, _ outcome: WriteOutcome, _ client: ClientState,
    _ requestID: RequestID?
  ) -> Result<WriteReceipt, ServiceFailure> {
    outcome.result.map { receipt in
      guard let collection = client.collections[write.name] else { return receipt }
      var receipt = receipt
      switch write.answer {
      case .receipt: break
      case .snapshot(let form): receipt.answer = snapshot(of: collection, form)
      case .delta(let form):
        var request = ReadRequest(since: receipt.previous, form: form)
        request.requestID = requestID
        receipt.answer = try? answer(request, collection, of: client.name).get()
      }
      return receipt
    }
  }
}

/// A transaction that is at the store, and what to do when it comes back.
///
/// `@unchecked Sendable`: it travels through the store's completion, and is opened on the shard's
/// queue only.
private final class PendingCommit: @unchecked Sendable {
  let job: WriteJob
  let writes: [WriteJob.Write]
  let client: ClientState
  let outcomes: [WriteOutcome]
  let record: IdempotencyRecord?
  var reservation: MemoryReservation

  init(
    job: WriteJob, writes: [WriteJob.Write], client: ClientState, outcomes: [WriteOutcome],
    record: IdempotencyRecord?, reservation: MemoryReservation
  ) {
    self.reservation = reservation
    self.record = record
    self.job = job
    self.writes = writes
    self.client = client
    self.outcomes = outcomes
  }
}

extension ServiceError {
  init(_ error: StoreError) {
    switch error {
    case .conflict: self = .versionConflict
    case .full: self = .storageFull
    case .unavailable: self = .storeUnavailable
    case .unsynced: self = .storeUnsynced
    case .damaged: self = .collectionDamaged
    }
  }
}
