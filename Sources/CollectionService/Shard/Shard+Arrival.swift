/// What a request needs to be in memory before it begins.
struct Needs {
  /// The collections that it is about; those that do not exist do no harm.
  var collections: [ResourceName] = []
  /// Answers that take long to make, of collections that are in memory.
  var answers: [Answer] = []
  /// Whose requests with keys; nil for none, an inner nil for those of batches.
  var ledger: ResourceName??
  /// What the log calls the request.
  var requestID: RequestID?

  /// What a reader is to be told of a collection.
  struct Answer: Sendable {
    var request: ReadRequest
    var collection: CollectionState
  }

  /// Whether it needs nothing.
  var isEmpty: Bool { collections.isEmpty && answers.isEmpty && ledger == nil }
}

extension Shard {
  /// Does something when what it needs is in memory: at once if it is; else when the store has given
  /// it back, and a worker has made it.
  ///
  /// - Parameters:
  ///   - name: The client.
  ///   - needs: What is needed beside the knowledge of which collections there are.
  ///   - work: Done on the shard's queue; gets why the store gave nothing back, if so.
  func whenHere(
    _ name: ResourceName, _ needs: Needs = Needs(),
    _ work: @escaping (Shard, LoadFailure?) -> Void
  ) {
    if isHere(needs, name) { return work(self, nil) }
    let client = client(name)
    client.arriving += 1
    let visit = StoreVisit(client) { error in
      self.shed()
      work(self, error)
      client.arriving -= 1
      self.releaseIfIdle(client)
    }
    guard needs.collections.count > 1 else { return fetch(needs, client, visit.end) }
    context.loadLine.enter {
      self.perform { shard in
        shard.fetch(needs, visit.client) { error in
          visit.end(error)
          shard.context.loadLine.leave()
        }
      }
    }
  }

  private func isHere(_ needs: Needs, _ name: ResourceName) -> Bool {
    guard needs.answers.isEmpty else { return false }
    guard context.store.keepsContents else { return true }
    guard let client = clients[name], client.isKnown, client.isHere(needs) else { return false }
    for name in needs.collections {
      if let collection = client.collections[name] { use(collection) }
    }
    return true
  }

  private func fetch(
    _ needs: Needs, _ client: ClientState, _ then: @escaping (LoadFailure?) -> Void
  ) {
    let goOn = { (error: StoreError?) in
      if let error { return then(.store(error)) }
      self.fetch(needs, client, then)
    }
    guard client.isKnown else { return ask(.summaries, client, needs, goOn) }
    if let name = needs.collections.first(where: { client.stored[$0] != nil }) {
      let limit = context.limits.batchBytesMax
      guard client.contentByteCount(of: needs.collections) <= limit else {
        return then(.tooLarge(limit: limit))
      }
      return ask(.collection(name), client, needs, goOn)
    }
    if let ledger = needs.ledger, !client.ledgers.has(ledger) {
      return ask(.ledger(ledger), client, needs, goOn)
    }
    if needs.answers.isEmpty { return then(nil) }
    make(needs.answers, client, then)
  }

  /// Makes answers on a worker; they are found in the cache then.
  private func make(
    _ answers: [Needs.Answer], _ client: ClientState, _ then: @escaping (LoadFailure?) -> Void
  ) {
    let visit = StoreVisit(client, then)
    context.workers.answer(ofShard: index) { [context] reader in
      let maker = AnswerMaker(context: context, reader: reader)
      let name = visit.client.name
      for answer in answers where context.isCold(answer.request, answer.collection) {
        maker.make(answer.request, answer.collection, of: name)
      }
      self.perform { _ in visit.end(nil) }
    }
  }

  /// Asks the store for something, once for all who want it.
  private func ask(
    _ arrival: ClientState.Arrival, _ client: ClientState, _ needs: Needs,
    _ then: @escaping (StoreError?) -> Void
  ) {
    let isAsked = client.arrivals[arrival] != nil
    client.arrivals[arrival, default: []].append { error in
      if let error {
        self.context.faults(
          Fault(
            error, client: client.name, collection: arrival.collection,
            requestID: needs.requestID))
      }
      then(error)
    }
    if isAsked { return }
    let visit = StoreVisit(client) { _ in }
    switch arrival {
    case .summaries:
      context.store.summaries(of: client.name) { result in
        self.perform { shard in
          shard.arrive(arrival, visit.client, result) { shard.know($0, $1) }
        }
      }
    case .collection(let name):
      let key = CollectionKey(client: client.name, name: name)
      context.store.load(key) { result in
        self.perform { shard in
          shard.arrive(arrival, visit.client, result) { shard.take($0, name, $1) }
        }
      }
    case .ledger(let name):
      context.store.requests(of: client.name, about: name) { result in
        self.perform {
          $0.arrive(arrival, visit.client, result) { $1.ledgers.put(IdempotencyLedger($0), name) }
        }
      }
    }
  }

  private func arrive<T>(
    _ arrival: ClientState.Arrival, _ client: ClientState, _ result: Result<T, StoreError>,
    _ take: (T, ClientState) -> Void
  ) {
    var failure: StoreError?
    switch result {
    case .success(let value): take(value, client)
    case .failure(let error):
      if case .damaged = error { context.counters.damagedLoads.add(1) }
      failure = error
    }
    for then in client.arrivals.removeValue(forKey: arrival) ?? [] { then(failure) }
  }

  /// A collection that is damaged keeps the others from nothing: only requests for it fail.
  private func know(_ summaries: [CollectionSummary], _ client: ClientState) {
    client.know(summaries)
    for summary in summaries {
      guard let damage = summary.damage else { continue }
      context.counters.damagedLoads.add(1)
      context.faults(
        Fault(.collectionDamaged, damage, client: client.name, collection: summary.name))
    }
  }

  private func take(_ stored: StoredCollection?, _ name: ResourceName, _ client: ClientState) {
    // It may have been deleted, and made anew, while the store read what there was.
    guard client.stored.removeValue(forKey: name) != nil else { return }
    guard var stored else { return }
    stored.clampSettings(to: context.limits.settingsLimits)
    stored.trim(context.limits.retention, now: context.time.date())
    let collection = HostedCollection(CollectionState(name: name, stored, context.limits))
    client.collections[name] = collection
    context.counters.loads.add(1)
    use(collection)
  }

  // MARK: Readers

  /// As `whenHere`, for a reader who may go away meanwhile.
  ///
  /// Collections of which the reader has the newest version already are not loaded.
  ///
  /// - Parameters:
  ///   - name: The client.
  ///   - entries: The collections, and what the reader has of them.
  ///   - request: What it wants of each.
  ///   - making: Whether what takes long is made before.
  ///   - id: The reader's number.
  ///   - work: As there.
  func whenHere(
    _ name: ResourceName, _ entries: [SyncRequest.Entry], _ request: ReadRequest, making: Bool,
    reader id: UInt64, _ work: @escaping (Shard, LoadFailure?) -> Void
  ) {
    let client = client(name)
    defer { releaseIfIdle(client) }
    let needs = needs(of: entries, request, client, making: making)
    if client.isKnown, needs.isEmpty { return work(self, nil) }
    arrivingReaders.insert(id)
    load(entries, request, client, making: making) { shard, error in
      shard.begin(id, error, work)
    }
  }

  /// First which collections there are, then those that the reader has not the newest version of,
  /// then what takes long to make of them.
  private func load(
    _ entries: [SyncRequest.Entry], _ request: ReadRequest, _ client: ClientState, making: Bool,
    _ work: @escaping (Shard, LoadFailure?) -> Void
  ) {
    whenHere(client.name, Needs(requestID: request.requestID)) { shard, error in
      if error != nil { return work(shard, error) }
      var needs = Needs(requestID: request.requestID)
      needs.collections = client.unloaded(entries)
      shard.whenHere(client.name, needs) { shard, error in
        if error != nil { return work(shard, error) }
        let needs = shard.needs(of: entries, request, client, making: making)
        shard.whenHere(client.name, needs, work)
      }
    }
  }

  /// What a reader of a client's collections needs before it is told what is new.
  ///
  /// - Parameters:
  ///   - entries: The collections, and what the reader has of them.
  ///   - request: What it wants of each.
  ///   - client: The client.
  ///   - making: Whether what takes long is made before. Once it was, nothing is made again, though
  ///     there may be a newer version: the reader would wait for ever.
  /// - Returns: Nothing when it can be told.
  func needs(
    of entries: [SyncRequest.Entry], _ request: ReadRequest, _ client: ClientState,
    making: Bool
  ) -> Needs {
    var needs = Needs(collections: client.unloaded(entries), requestID: request.requestID)
    for entry in entries where making {
      guard let collection = client.collections[entry.name]?.state else { continue }
      var request = request
      request.since = entry.since
      if context.isCold(request, collection) {
        needs.answers.append(Needs.Answer(request: request, collection: collection))
      }
    }
    return needs
  }

  private func begin(
    _ reader: UInt64, _ error: LoadFailure?, _ work: (Shard, LoadFailure?) -> Void
  ) {
    if arrivingReaders.remove(reader) != nil { work(self, error) }
  }
}

extension ClientState {
  /// Whether all that is needed is in memory.
  fileprivate func isHere(_ needs: Needs) -> Bool {
    if !stored.isEmpty, needs.collections.contains(where: { stored[$0] != nil }) { return false }
    guard let ledger = needs.ledger else { return true }
    return ledgers.has(ledger)
  }

  /// The bytes of contents of some collections, as far as they are in memory.
  fileprivate func contentByteCount(of names: [ResourceName]) -> Int {
    names.reduce(0) { $0 + (collections[$1]?.state.contents.byteCount ?? 0) }
  }

  fileprivate func know(_ summaries: [CollectionSummary]) {
    isKnown = true
    for summary in summaries { stored[summary.name] = summary }
  }
}

/// A client whose shard waits for the store, and what comes then.
///
/// `@unchecked Sendable`: it travels through the store's completion, and is opened on the shard's
/// queue only.
private final class StoreVisit: @unchecked Sendable {
  let client: ClientState
  let end: (LoadFailure?) -> Void

  init(_ client: ClientState, _ end: @escaping (LoadFailure?) -> Void) {
    self.client = client
    self.end = end
  }
}
