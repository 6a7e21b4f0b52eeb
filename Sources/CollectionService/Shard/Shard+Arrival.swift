/// What a request needs to be in memory before it begins.
struct Needs {
  /// The collections that it is about; those that do not exist do no harm.
  var collections: [ResourceName] = []
  /// Whose requests with keys; nil for none, an inner nil for those of batches.
  var ledger: ResourceName??
  /// What the log calls the request.
  var requestID: RequestID?
}

extension Shard {
  /// Does something when what it needs is in memory: at once if it is, and always when the store
  /// keeps nothing; else when the store has given it back.
  ///
  /// - Parameters:
  ///   - name: The client.
  ///   - needs: What is needed beside the knowledge of which collections there are.
  ///   - work: Done on the shard's queue; gets why the store gave nothing back, if so.
  func whenHere(
    _ name: ResourceName, _ needs: Needs = Needs(),
    _ work: @escaping (Shard, LoadFailure?) -> Void
  ) {
    guard context.store.keepsContents else { return work(self, nil) }
    if let client = clients[name], client.isKnown, client.isHere(needs) {
      for name in needs.collections {
        if let collection = client.collections[name] { use(collection) }
      }
      return work(self, nil)
    }
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
    then(nil)
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
    let collection = HostedCollection(name: name, stored, context.limits)
    client.collections[name] = collection
    context.counters.loads.add(1)
    use(collection)
  }

  // MARK: Readers

  /// As `whenHere`, for a reader who may go away meanwhile.
  ///
  /// Collections of which the reader has the newest version already are not loaded.
  func whenHere(
    _ name: ResourceName, _ entries: [SyncRequest.Entry], reader id: UInt64,
    requestID: RequestID?, _ work: @escaping (Shard, LoadFailure?) -> Void
  ) {
    guard context.store.keepsContents else { return work(self, nil) }
    arrivingReaders.insert(id)
    whenHere(name, Needs(requestID: requestID)) { shard, error in
      if let error { return shard.begin(id, error, work) }
      let names = shard.clients[name]?.unloaded(entries) ?? []
      shard.whenHere(name, Needs(collections: names, requestID: requestID)) { shard, error in
        shard.begin(id, error, work)
      }
    }
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
    names.reduce(0) { $0 + (collections[$1]?.contents.byteCount ?? 0) }
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
