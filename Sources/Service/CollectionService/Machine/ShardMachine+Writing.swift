import VersionedCollections

/// Writes: from their arrival to the store.
extension ShardMachine {
  /// Loads what a write requires.
  mutating func submit(_ job: WriteJob) {
    // Before anything is found in memory: clients that are idle without their keys are released.
    expireIdempotencyRecords()
    load(job.requirements, for: .write(job), client(job.client))
  }

  /// Goes on with a write whose requirements are loaded, or could not be.
  mutating func loaded(_ job: WriteJob, _ client: ClientState, _ failure: LoadFailure?) {
    if let failure { return fail(job, failure, client) }
    if let (name, body) = job.revert {
      return actions.append(.findTarget(job, body, client.collections[name]?.state))
    }
    if let key = job.key, !admit(key, job, client) { return }
    client.line.append(job, names: job.names)
    startWrites(client)
  }

  private mutating func fail(_ job: WriteJob, _ failure: LoadFailure, _ client: ClientState) {
    let name = job.names.flatMap { $0.count == 1 ? $0[0] : nil }
    let failure = ServiceFailure(
      ServiceError(failure), current: name.flatMap { client.head($0) })
    actions.append(.tell(job.message(.failure(failure))))
  }

  /// Checks an idempotency key; answers the request and returns false if the key is already known.
  private mutating func admit(
    _ key: IdempotencyKey, _ job: WriteJob, _ client: ClientState
  ) -> Bool {
    let status = client.idempotency.update(job.recordsName) {
      $0.status(of: key, now: moment.date, limits: limits)
    }
    switch status {
    case .unknown:
      client.idempotency.update(job.recordsName) { $0.begin(key) }
      return true
    case .inFlight: refuse(job, .idempotencyInFlight, client)
    case .reused: refuse(job, .idempotencyKeyReuse, client)
    case .done(let receipts): actions.append(.tell(job.replay(receipts)))
    }
    return false
  }

  /// Answers every write of a job with an error, before the job has started.
  private mutating func refuse(_ job: WriteJob, _ error: ServiceError, _ client: ClientState) {
    let results = (job.names ?? []).map { name -> Result<WriteReceipt, ServiceFailure> in
      .failure(ServiceFailure(error, current: client.head(name)))
    }
    actions.append(.tell(job.message(.success(results))))
  }

  /// Removes expired idempotency keys of all clients, at most once an hour.
  private mutating func expireIdempotencyRecords() {
    guard moment.date >= nextExpiry else { return }
    nextExpiry = moment.date + 3600
    for client in clients.values {
      client.idempotency.expire(now: moment.date, limits: limits)
      releaseIfIdle(client)
    }
  }

  // MARK: Starting

  /// The number of writes started before other work gets its turn, about a millisecond's work.
  private static let startsPerTurn = 32

  /// Starts the writes of a client whose turn has come.
  mutating func startWrites(of name: ResourceName) {
    guard let client = clients[name] else { return }
    startWrites(client)
    releaseIfIdle(client)
  }

  private mutating func startWrites(_ client: ClientState) {
    for _ in 0..<Self.startsPerTurn {
      guard let (job, number) = client.line.begin() else { return }
      start(job, number, client)
    }
    actions.append(.later(.startWrites(of: client.name)))
  }

  /// Has a write prepared and committed.
  ///
  /// Until the store has committed, the collections can be read unchanged, and only writes to them
  /// wait.
  private mutating func start(_ job: WriteJob, _ number: Int, _ client: ClientState) {
    // What another service has written since the job arrived was removed from memory.
    if shared.isShared, !client.unloaded(job.requirements.collections).isEmpty {
      return restart(job, number, client)
    }
    actions.append(.commit(work(job, client), number: number))
  }

  private mutating func work(_ job: WriteJob, _ client: ClientState) -> WriteWork {
    let writes = writes(of: job, client)
    let own = Set(writes.map(\.name))
    client.overtaken.subtract(own)
    // Collections that pending writes may create count towards the limit.
    let coming = client.line.namesUnderWay.count { !own.contains($0) && !client.has($0) }
    let room = limits.collectionsPerClientMax - client.collectionCount - coming
    var bases: [WritePreparation.Base] = []
    for write in writes {
      let state = write.needsState ? client.collections[write.name]?.state : nil
      bases.append(
        WritePreparation.Base(
          head: state?.token ?? client.head(write.name), state: state,
          lineage: state == nil && !write.isDelete ? .random(using: &generator) : nil,
          room: room))
    }
    return WriteWork(job: job, writes: writes, bases: bases, date: moment.date)
  }

  /// The writes of a job whose turn has come, each to another collection.
  private func writes(of job: WriteJob, _ client: ClientState) -> [Write] {
    switch job.scope {
    case .writes(let writes): writes
    case .deleteAll:
      (Array(client.collections.keys) + client.stored.keys).sorted().map {
        Write(name: $0, change: .delete, isOfClient: true)
      }
    case .deleteUnused(let name):
      client.has(name) && !isUsed(name, of: client)
        ? [Write(name: name, change: .delete, isOfClient: true)] : []
    }
  }

  // MARK: Starting again

  /// Starts a write again from what another service has written.
  mutating func restart(_ job: WriteJob, _ number: Int, _ client: ClientState) {
    if job.key != nil, job.conflictCount > 0 { client.idempotency.outdate(job.recordsName) }
    load(job.requirements, for: .restart(job, number), client)
  }

  /// Goes on with a write that starts again.
  mutating func restarted(
    _ job: WriteJob, _ number: Int, _ client: ClientState, _ failure: LoadFailure?
  ) {
    if let failure {
      endKey(of: job, client, record: nil)
      fail(job, failure, client)
    } else if isAnswered(job, client) {
      endKey(of: job, client, record: nil)
    } else {
      return start(job, number, client)
    }
    conclude(number, client)
  }

  /// Answers a request whose key another service has recorded meanwhile.
  private mutating func isAnswered(_ job: WriteJob, _ client: ClientState) -> Bool {
    guard let key = job.key else { return false }
    switch client.idempotency.update(job.recordsName, { $0.outcome(of: key) }) {
    case .done(let receipts)?: actions.append(.tell(job.replay(receipts)))
    case .reused?: refuse(job, .idempotencyKeyReuse, client)
    case .unknown?, .inFlight?, nil: return false
    }
    return true
  }

  /// Removes a request's key from those in flight; `record` is nil if the request may be retried.
  mutating func endKey(of job: WriteJob, _ client: ClientState, record: IdempotencyRecord?) {
    guard let key = job.key else { return }
    client.idempotency.update(job.recordsName) { $0.end(key, record: record) }
  }

  /// Lets the writes start that waited for one that was answered.
  mutating func conclude(_ number: Int, _ client: ClientState) {
    client.line.finish(number)
    if !client.line.isEmpty { actions.append(.next(.startWrites(of: client.name))) }
    releaseIfIdle(client)
    evict()
  }
}
