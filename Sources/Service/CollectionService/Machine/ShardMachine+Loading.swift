import VersionedCollections

extension ShardMachine {
  /// Loads what a request requires, then goes on with it: at once if nothing is missing.
  ///
  /// - Parameters:
  ///   - requirements: The requirements in addition to the client's list of collections.
  ///   - purpose: What goes on.
  ///   - client: The client.
  mutating func load(
    _ requirements: Requirements, for purpose: Loads.Purpose, _ client: ClientState
  ) {
    addUses(of: requirements.collections.lazy.map(\.name), client.name)
    if isLoaded(requirements, client) {
      use(requirements.collections.lazy.map(\.name), client)
      resume(purpose, client, nil)
      return releaseIfIdle(client)
    }
    beginLoad(requirements, for: purpose, client)
  }

  /// Whether nothing is missing.
  func isLoaded(_ requirements: Requirements, _ client: ClientState) -> Bool {
    guard shared.keepsContents else { return true }
    return demand(of: requirements, client) == nil
      && client.missingParts(requirements, needsList: false).isEmpty
  }

  /// Begins a load; the request is pinned in memory until it has gone on.
  mutating func beginLoad(
    _ requirements: Requirements, for purpose: Loads.Purpose, _ client: ClientState
  ) {
    // Only the client's list of collections tells how many must be loaded.
    let phase = requirements.collections.count > 1 ? Loads.Phase.list : .contents
    let number = client.loads.begin(
      Loads.Load(requirements, for: purpose, phase, demand: demand(of: requirements, client)))
    advance(number, client)
  }

  /// Reads what is missing next, one collection at a time, or goes on with the request.
  private mutating func advance(_ number: Int, _ client: ClientState) {
    guard let load = client.loads[number] else { return }
    let needsList = load.demand.map { !freshness.meets($0, client.name) } ?? false
    let parts = client.missingParts(load.current, needsList: needsList)
    if parts.isEmpty { return endPhase(number, load, client) }
    let limit = limits.batchBytesMax
    guard client.contentByteCount(of: load.current.collections) <= limit else {
      return end(number, client, .tooLarge(limit: limit))
    }
    client.loads[number]?.readCount += 1
    if shared.isShared, load.readCount > load.current.collections.count {
      return readAtOnce(number, load, client)
    }
    let missing = client.loads.wait(number, for: parts)
    if missing.isEmpty { return }
    // Collections of a shared store are read with the client's list.
    let hasList = !shared.isShared || missing.contains(.summaries)
    actions.append(
      .read(hasList ? missing : [.summaries] + missing, question(client), load: nil))
  }

  private mutating func endPhase(_ number: Int, _ load: Loads.Load, _ client: ClientState) {
    switch load.phase {
    case .contents, .contentsInTurn, .turn: end(number, client, nil)
    case .list where client.unloaded(load.requirements.collections).count > 1:
      client.loads[number]?.phase = .turn
      actions.append(.awaitLoadTurn(number, of: client.name))
    case .list: begin(.contents, number, client)
    }
  }

  private mutating func begin(_ phase: Loads.Phase, _ number: Int, _ client: ClientState) {
    client.loads[number]?.phase = phase
    client.loads[number]?.readCount = 0
    advance(number, client)
  }

  /// Reads several collections when it is their turn: what they need stays in memory until the
  /// request is done, and many at once would exceed any memory limit.
  mutating func loadTurnCame(_ number: Int, _ name: ResourceName) {
    guard let client = clients[name], client.loads[number]?.phase == .turn else {
      return actions.append(.endLoadTurn)
    }
    begin(.contentsInTurn, number, client)
  }

  /// The most times that collections are read again because others write them meanwhile.
  private static let readsMax = 1000

  /// Reads all that is required in one view of a shared store.
  ///
  /// One after the other, collections that others write all the time might never agree.
  private mutating func readAtOnce(_ number: Int, _ load: Loads.Load, _ client: ClientState) {
    guard load.readCount + 1 < Self.readsMax else {
      return fail(
        number, .summaries, .unavailable("others wrote faster than could be read"), client)
    }
    actions.append(.read(client.allParts(load.current), question(client), load: number))
  }

  private mutating func fail(
    _ number: Int, _ part: StoredPart, _ error: StoreError, _ client: ClientState
  ) {
    actions.append(
      .report(
        Fault(
          error, client: client.name, collection: part.collection,
          requestID: client.loads[number]?.requirements.requestID)))
    end(number, client, .store(error))
  }

  private mutating func end(_ number: Int, _ client: ClientState, _ failure: LoadFailure?) {
    guard let load = client.loads[number] else { return }
    evict()
    resume(load.purpose, client, failure)
    client.loads.end(number)
    releaseIfIdle(client)
    if load.phase == .contentsInTurn { actions.append(.endLoadTurn) }
  }

  /// Goes on with a request whose requirements are loaded, or could not be.
  private mutating func resume(
    _ purpose: Loads.Purpose, _ client: ClientState, _ failure: LoadFailure?
  ) {
    switch purpose {
    case .reader(let id):
      guard let reader = waiters[id] else { return }
      reader.isLoading = false
      evaluate(reader, failure.map { .failed($0) } ?? .loaded)
    case .write(let job): loaded(job, client, failure)
    case .restart(let job, let number): restarted(job, number, client, failure)
    case .query(let query): answer(query, client, failure)
    }
  }

  // MARK: What was read

  /// Numbers a question that is about to be asked, and records what is in memory at this time.
  mutating func question(_ client: ClientState) -> StoreQuestion {
    StoreQuestion(
      client: client.name, clientNumber: client.number,
      number: shared.isShared ? freshness.ask(client.name) : 0, date: now,
      marks: shared.isShared ? client.marks : [:])
  }

  /// The client that a question was about; nil if it has left memory since.
  func subject(of question: StoreQuestion) -> ClientState? {
    clients[question.client].flatMap { $0.number == question.clientNumber ? $0 : nil }
  }

  /// Puts into memory what was read, and goes on with what waited for it.
  mutating func partsRead(
    _ parts: [StoredPart], _ results: [Result<StoredValue, StoreError>], _ question: StoreQuestion,
    forLoad number: Int?
  ) {
    guard let client = subject(of: question) else { return }
    // The list may have taken its last collection, when nobody waits any more.
    defer { releaseIfIdle(client) }
    var finished: [(number: Int, failure: PartFailure?)] = []
    var failure: PartFailure?
    for (part, result) in zip(parts, results) {
      let error = acceptPart(part, result, question, client)
      if failure == nil, let error { failure = (part, error) }
      finished += client.loads.finish(part, error)
    }
    for (number, failure) in finished { goOn(number, failure, client) }
    guard let number, client.loads[number] != nil else { return }
    if let failure { return fail(number, failure.part, failure.error, client) }
    advance(number, client)
  }

  private mutating func goOn(_ number: Int, _ failure: PartFailure?, _ client: ClientState) {
    guard let load = client.loads[number] else { return }
    guard let (part, error) = failure else { return advance(number, client) }
    // While the store is away, what is in memory is served.
    if part == .summaries, client.isKnown, load.requirements.confirmation != .always,
      !isNew(load.requirements, client)
    {
      client.loads[number]?.demand = nil
      return advance(number, client)
    }
    fail(number, part, error, client)
  }

  /// Puts a part into memory; returns the error if it could not be read.
  private mutating func acceptPart(
    _ part: StoredPart, _ result: Result<StoredValue, StoreError>, _ question: StoreQuestion,
    _ client: ClientState
  ) -> StoreError? {
    switch (result, part) {
    case (.success(.summaries(let list)), _):
      if shared.isShared && client.isKnown {
        acceptList(list, question, client)
      } else {
        acceptFirstList(list, client)
        freshness.confirm(client.name, question.number, askedAt: question.date)
      }
    case (.success(.collection(let stored)), .collection(let name, _)):
      acceptCollection(stored, name, client)
    case (.success(.records(let records)), .records(let name)):
      client.idempotency.put(IdempotencyRecords(records), name)
    // The reader already has this version.
    case (.success, _): break
    case (.failure(let error), _):
      if case .damaged = error { shared.counters.damagedLoads.add(1) }
      return error
    }
    return nil
  }

  /// Only requests for a damaged collection fail; the client's other collections remain available.
  private mutating func acceptFirstList(
    _ summaries: [CollectionSummary], _ client: ClientState
  ) {
    client.isKnown = true
    for summary in summaries {
      client.stored[summary.name] = summary
      guard let damage = summary.damage else { continue }
      shared.counters.damagedLoads.add(1)
      actions.append(
        .report(
          Fault(.collectionDamaged, damage, client: client.name, collection: summary.name)))
    }
  }

  private mutating func acceptCollection(
    _ stored: StoredCollection?, _ name: ResourceName, _ client: ClientState
  ) {
    // A deletion that the store has committed and that is not in effect in memory yet: the
    // collection is read again until it is, so that all that a batch deletes goes at once.
    if stored == nil, client.line.isWriting(name) { return }
    // What does not agree with the list in memory is read again.
    if shared.isShared, let summary = client.stored[name],
      CollectionMark(summary) != stored.map({ CollectionMark($0) })
    {
      return
    }
    // The collection may have been deleted and recreated while the store was reading.
    guard client.stored.removeValue(forKey: name) != nil else { return }
    guard var stored else { return }
    stored.clampSettings(to: limits.settingsLimits)
    stored.trim(limits.retention, now: moment.date)
    let collection = HostedCollection(CollectionState(name: name, stored))
    client.collections[name] = collection
    shared.counters.loads.add(1)
    residency.use(collection)
  }
}

extension ClientState {
  /// The parts to read next for a request, with at most one collection.
  ///
  /// - Parameters:
  ///   - requirements: The requirements.
  ///   - needsList: Whether the list of collections must be read again.
  /// - Returns: The parts.
  func missingParts(_ requirements: Requirements, needsList: Bool) -> [StoredPart] {
    var parts: [StoredPart] = []
    if !isKnown || needsList { parts.append(.summaries) }
    let missing = isKnown ? unloaded(requirements.collections) : requirements.collections
    if let entry = missing.first {
      parts.append(.collection(entry.name, unlessAt: entry.sufficient))
    }
    if let name = requirements.records, !idempotency.has(name) { parts.append(.records(name)) }
    return parts
  }

  /// All parts that a request needs of a shared store, but for versions that are in memory.
  fileprivate func allParts(_ requirements: Requirements) -> [StoredPart] {
    var parts: [StoredPart] = [.summaries]
    for entry in requirements.collections {
      let known = collections[entry.name]?.token ?? entry.sufficient
      parts.append(.collection(entry.name, unlessAt: known))
    }
    if let name = requirements.records, !idempotency.has(name) { parts.append(.records(name)) }
    return parts
  }

  /// The bytes of contents of those collections that are in memory or must be loaded, as far as they
  /// are known.
  fileprivate func contentByteCount(of needed: [NeededCollection]) -> Int {
    let loaded = needed.reduce(0) { $0 + (collections[$1.name]?.state.contents.byteCount ?? 0) }
    return unloaded(needed).reduce(loaded) { $0 + (stored[$1.name]?.contentByteCount ?? 0) }
  }
}
