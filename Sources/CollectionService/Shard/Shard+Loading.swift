import VersionedCollections

/// What must be loaded before a request can proceed.
struct Requirements {
  /// Collections to load if they exist; for those at `since`, the version suffices.
  var collections: [SyncRequest.Entry] = []
  /// Answers to compute from loaded collections because they are not in the cache.
  var answers: [Answer] = []
  /// The collection whose idempotency records are needed; nil for none, an inner nil for batches.
  var records: ResourceName??
  /// The request's ID in the log.
  var requestID: RequestID?
  /// What the request spends its time on; nil unless it is traced.
  var stages: RequestStages?
  /// When to ask a shared store for the list of collections.
  var confirmation = Confirmation.ifNew
  /// Versions that the caller has seen.
  var versions: [VersionToken] = []

  /// When to ask a shared store for the list of collections.
  enum Confirmation {
    /// When the one in memory is older than `readStaleness`.
    case ifOld
    /// Also when the caller names a collection or shows a version that is not known.
    case ifNew
    /// Whatever the age of the list in memory.
    case always
  }

  /// An answer to compute.
  struct Answer: Sendable {
    var request: ReadRequest
    var collection: CollectionState
  }

  /// Whether nothing is required.
  var isEmpty: Bool { collections.isEmpty && answers.isEmpty && records == nil }
}

extension Shard {
  /// Performs work once its requirements are loaded and computed, immediately if they already are.
  ///
  /// - Parameters:
  ///   - name: The client.
  ///   - requirements: The requirements in addition to the client's list of collections.
  ///   - work: Called on the shard's queue, with the error if loading failed.
  func withLoaded(
    _ name: ResourceName, _ requirements: Requirements = Requirements(),
    _ work: @escaping (Shard, LoadFailure?) -> Void
  ) {
    noteUses(of: requirements.collections, name)
    if isLoaded(requirements, name) { return work(self, nil) }
    let client = client(name)
    client.loadingCount += 1
    let load = ClientLoad(client, neededList(requirements, client)) { error in
      self.evict()
      work(self, error)
      client.loadingCount -= 1
      self.releaseIfIdle(client)
    }
    guard requirements.collections.count > 1 else { return fetch(requirements, load) }
    // Only the client's list of collections tells how many must be loaded.
    let known = ClientLoad(client, load.list) { error in
      if error != nil { return load.end(error) }
      guard client.unloaded(requirements.collections).count > 1 else {
        load.list = nil
        return self.fetch(requirements, load)
      }
      self.context.loadQueue.enter {
        self.perform { shard in
          shard.fetch(
            requirements,
            ClientLoad(load.client, nil) { error in
              load.end(error)
              shard.context.loadQueue.leave()
            })
        }
      }
    }
    var list = Requirements(requestID: requirements.requestID, stages: requirements.stages)
    list.confirmation =
      namesUnknown(requirements, client) ? .always : requirements.confirmation
    fetch(list, known)
  }

  private func isLoaded(_ requirements: Requirements, _ name: ResourceName) -> Bool {
    guard requirements.answers.isEmpty else { return false }
    guard context.store.keepsContents else { return true }
    guard let client = clients[name], neededList(requirements, client) == nil,
      client.missingParts(requirements).isEmpty
    else { return false }
    for entry in requirements.collections {
      if let collection = client.collections[entry.name] { use(collection) }
    }
    return true
  }

  /// Reads missing parts, one collection at a time, then computes the answers.
  private func fetch(_ requirements: Requirements, _ load: ClientLoad) {
    let client = load.client
    let parts = client.missingParts(requirements, list: load.list)
    if parts.isEmpty {
      return requirements.answers.isEmpty ? load.end(nil) : make(requirements.answers, load)
    }
    let limit = context.limits.batchBytesMax
    guard client.contentByteCount(of: requirements.collections) <= limit else {
      return load.end(.tooLarge(limit: limit))
    }
    load.readCount += 1
    if context.store.isShared, load.readCount > requirements.collections.count + 1 {
      return fetchAtOnce(requirements, load)
    }
    requirements.stages?.begin(.load)
    read(parts, client) { failure in
      requirements.stages?.end(.load)
      guard let (part, error) = failure else { return self.fetch(requirements, load) }
      // While the store is away, what is in memory is served.
      if part == .summaries, client.isKnown, requirements.confirmation != .always,
        !self.namesUnknown(requirements, client)
      {
        load.list = nil
        return self.fetch(requirements, load)
      }
      self.end(load, part, error, requirements)
    }
  }

  private func end(
    _ load: ClientLoad, _ part: StoredPart, _ error: StoreError, _ requirements: Requirements
  ) {
    context.faults(
      Fault(
        error, client: load.client.name, collection: part.collection,
        requestID: requirements.requestID))
    load.end(.store(error))
  }

  /// The most times that collections are read again because others write them meanwhile.
  private static let readsMax = 1000

  /// Reads all that is required in one view of a shared store.
  ///
  /// One after the other, collections that others write all the time might never agree.
  private func fetchAtOnce(_ requirements: Requirements, _ load: ClientLoad) {
    let parts = load.client.allParts(requirements)
    guard load.readCount < Self.readsMax else {
      return end(
        load, .summaries, .unavailable("others wrote faster than could be read"), requirements)
    }
    let asked = askForList(load.client)
    requirements.stages?.begin(.load)
    context.store.read(parts, of: load.client.name) { results in
      requirements.stages?.end(.load)
      self.perform { shard in
        shard.take(parts, results, load.client, asked)
        for case (let part, .failure(let error)) in zip(parts, results) {
          return shard.end(load, part, error, requirements)
        }
        shard.fetch(requirements, load)
      }
    }
  }

  /// Computes answers on a worker; the answer cache holds them afterwards.
  private func make(_ answers: [Requirements.Answer], _ load: ClientLoad) {
    context.workers.answer(ofShard: index) { [context] reader in
      let maker = AnswerMaker(context: context, reader: reader)
      for answer in answers where context.isCold(answer.request, answer.collection) {
        maker.make(answer.request, answer.collection, of: load.client.name)
      }
      self.perform { _ in load.end(nil) }
    }
  }

  /// Reads parts from the store unless they are already being read.
  ///
  /// Collections of a shared store are read with the client's list.
  private func read(
    _ parts: [StoredPart], _ client: ClientState,
    _ then: @escaping (PartFailure?) -> Void
  ) {
    let missing = client.loads.add(parts, then)
    if missing.isEmpty { return }
    let hasList = !context.store.isShared || missing.contains(.summaries)
    let parts = hasList ? missing : [.summaries] + missing
    let load = ClientLoad(client, nil) { _ in }
    let asked = askForList(client)
    context.store.read(parts, of: client.name) { results in
      self.perform { $0.take(parts, results, load.client, asked) }
    }
  }

  private func take(
    _ parts: [StoredPart], _ results: [Result<StoredValue, StoreError>], _ client: ClientState,
    _ asked: AskedList
  ) {
    var finished: [() -> Void] = []
    for (part, result) in zip(parts, results) {
      var error: StoreError?
      switch result {
      case .success(.summaries(let list)) where context.store.isShared && client.isKnown:
        take(list, asked, client)
      case .success(let value):
        take(value, of: part, client)
        if case .summaries = part { client.confirm(asked) }
      case .failure(let failure):
        if case .damaged = failure { context.counters.damagedLoads.add(1) }
        error = failure
      }
      for (completion, failure) in client.loads.finish(part, error) {
        finished.append { completion(failure) }
      }
    }
    for completion in finished { completion() }
  }

  private func take(_ value: StoredValue, of part: StoredPart, _ client: ClientState) {
    switch (value, part) {
    case (.summaries(let summaries), _): take(summaries, client)
    case (.collection(let stored), .collection(let name, _)): take(stored, name, client)
    case (.records(let records), .records(let name)):
      client.idempotency.put(IdempotencyRecords(records), name)
    // The reader already has this version.
    case (.collection, _), (.records, _), (.unchanged, _), (.version, _), (.history, _): break
    }
  }

  /// Only requests for a damaged collection fail; the client's other collections remain available.
  private func take(_ summaries: [CollectionSummary], _ client: ClientState) {
    client.isKnown = true
    for summary in summaries {
      client.stored[summary.name] = summary
      guard let damage = summary.damage else { continue }
      context.counters.damagedLoads.add(1)
      context.faults(
        Fault(.collectionDamaged, damage, client: client.name, collection: summary.name))
    }
  }

  private func take(_ stored: StoredCollection?, _ name: ResourceName, _ client: ClientState) {
    // A deletion that the store has committed and that is not in effect in memory yet: the
    // collection is read again until it is, so that all that a batch deletes goes at once.
    if stored == nil, client.line.isWriting(name) { return }
    // What does not agree with the list in memory is read again.
    if context.store.isShared, let summary = client.stored[name],
      CollectionMark(summary) != stored.map({ CollectionMark($0) })
    {
      return
    }
    // The collection may have been deleted and recreated while the store was reading.
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

  /// Performs work for a cancellable reader once its requirements are loaded.
  ///
  /// Collections of which the reader has the head are not loaded.
  ///
  /// - Parameters:
  ///   - name: The client.
  ///   - entries: The collections, and the versions that the reader has.
  ///   - request: The request, applied to each collection.
  ///   - making: Whether to compute expensive answers beforehand.
  ///   - id: The reader's ID.
  ///   - work: Called on the shard's queue, with the error if loading failed.
  func withLoaded(
    _ name: ResourceName, _ entries: [SyncRequest.Entry], _ request: ReadRequest, making: Bool,
    reader id: UInt64, _ work: @escaping (Shard, LoadFailure?) -> Void
  ) {
    noteUses(of: entries, name)
    let client = client(name)
    defer { releaseIfIdle(client) }
    var collections = Requirements(
      collections: entries, requestID: request.requestID, stages: request.stages)
    collections.versions = request.versions
    if client.isKnown, neededList(collections, client) == nil,
      requirements(of: entries, request, client, making: making).isEmpty
    {
      return work(self, nil)
    }
    loadingReaders[id] = false
    let begin = { (shard: Shard, error: LoadFailure?) in
      guard let hasWaitEnded = shard.loadingReaders.removeValue(forKey: id) else { return }
      work(shard, error)
      if hasWaitEnded { shard.endWait(id) }
    }
    withLoaded(name, collections) { shard, error in
      if error != nil { return begin(shard, error) }
      let requirements = shard.requirements(of: entries, request, client, making: making)
      shard.withLoaded(name, requirements) { shard, error in
        if error != nil || !making { return begin(shard, error) }
        // What others wrote while answers were computed has left memory.
        let rest = shard.requirements(of: entries, request, client, making: false)
        shard.withLoaded(name, rest, begin)
      }
    }
  }

  /// The requirements for answering a reader of a client's collections.
  ///
  /// - Parameters:
  ///   - entries: The collections, and the versions that the reader has.
  ///   - request: The request, applied to each collection.
  ///   - client: The client.
  ///   - making: Whether to compute expensive answers beforehand. Pass false the second time, even
  ///     if there are newer versions: the reader might otherwise wait forever.
  /// - Returns: The requirements, empty if the reader can be answered immediately.
  func requirements(
    of entries: [SyncRequest.Entry], _ request: ReadRequest, _ client: ClientState,
    making: Bool
  ) -> Requirements {
    var requirements = Requirements(
      collections: client.unloaded(entries), requestID: request.requestID, stages: request.stages)
    requirements.confirmation = .ifOld
    for entry in entries where making {
      guard let collection = client.collections[entry.name]?.state else { continue }
      var request = request
      request.since = entry.since
      if context.isCold(request, collection) {
        requirements.answers.append(.init(request: request, collection: collection))
      }
    }
    return requirements
  }
}

extension ClientState {
  /// The parts to read next for a request, with at most one collection.
  ///
  /// - Parameters:
  ///   - requirements: The requirements.
  ///   - list: The number of the oldest list of collections that will do; nil for any.
  /// - Returns: The parts.
  fileprivate func missingParts(_ requirements: Requirements, list: Int? = nil) -> [StoredPart] {
    var parts: [StoredPart] = []
    if !isKnown || list.map({ listTaken < $0 }) ?? false { parts.append(.summaries) }
    let missing = isKnown ? unloaded(requirements.collections) : requirements.collections
    if let entry = missing.first { parts.append(.collection(entry.name, unlessAt: entry.since)) }
    if let name = requirements.records, !idempotency.has(name) { parts.append(.records(name)) }
    return parts
  }

  /// All parts that a request needs of a shared store, but for versions that are in memory.
  fileprivate func allParts(_ requirements: Requirements) -> [StoredPart] {
    var parts: [StoredPart] = [.summaries]
    for entry in requirements.collections {
      let known = collections[entry.name]?.token ?? entry.since
      parts.append(.collection(entry.name, unlessAt: known))
    }
    if let name = requirements.records, !idempotency.has(name) { parts.append(.records(name)) }
    return parts
  }

  /// The bytes of contents of those collections that are in memory or must be loaded, as far as they
  /// are known.
  fileprivate func contentByteCount(of entries: [SyncRequest.Entry]) -> Int {
    let held = entries.reduce(0) { $0 + (collections[$1.name]?.state.contents.byteCount ?? 0) }
    return unloaded(entries).reduce(held) { $0 + (stored[$1.name]?.contentByteCount ?? 0) }
  }
}

/// A completion for a client's load.
///
/// `@unchecked Sendable`: it passes through the completions of the store and the workers, and is
/// used on the shard's queue only.
private final class ClientLoad: @unchecked Sendable {
  let client: ClientState
  /// The number of the oldest list of collections that will do; nil for any.
  var list: Int?
  /// The number of times that the store was read.
  var readCount = 0
  let end: (LoadFailure?) -> Void

  init(_ client: ClientState, _ list: Int?, _ end: @escaping (LoadFailure?) -> Void) {
    self.client = client
    self.list = list
    self.end = end
  }
}
