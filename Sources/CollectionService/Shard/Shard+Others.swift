import VersionedCollections

/// What other services write to a shared store.
///
/// Memory is then a cache. A write says which state it rests on, and the store refuses it if that is
/// not the newest. A reader is answered once the client's list of collections, with their versions,
/// is not older than `readStaleness`, or was asked for after a reader came who shows a version that
/// is not known. A collection that differs in the list leaves memory, as if it had been evicted;
/// whoever waits for it loads it again.
///
/// What is in memory of a client is as of one moment of the store, besides this service's own later
/// writes: a list is taken as a whole, and a collection is read in one view with a list that it
/// must agree with. A batch of another service is therefore never seen half.
extension Shard {
  /// The number of the oldest list of a client's collections with which a request can be answered.
  ///
  /// Lists are numbered in the order asked for.
  ///
  /// - Parameters:
  ///   - requirements: The requirements.
  ///   - client: The client.
  /// - Returns: The number; nil if the list in memory will do.
  func neededList(_ requirements: Requirements, _ client: ClientState) -> Int? {
    guard context.store.isShared, client.isKnown else { return nil }
    switch requirements.confirmation {
    case .always: return listsAsked + 1
    case .ifNew where namesUnknown(requirements, client): return listsAsked + 1
    case .ifNew, .ifOld:
      let oldest = context.time.uptime() - context.limits.readStaleness
      return client.listDate.map { $0 >= oldest } ?? false ? nil : client.listTaken + 1
    }
  }

  /// Whether a caller names a collection that is not known, or shows a version that is not.
  func namesUnknown(_ requirements: Requirements, _ client: ClientState) -> Bool {
    guard requirements.confirmation == .ifNew else { return false }
    return requirements.collections.contains { entry in
      ([entry.since] + requirements.versions).contains { version in
        switch client.relation(of: version, to: entry.name) {
        case nil, .ahead, .otherLineage, .diverged: true
        case .initial, .current, .behind, .compacted: false
        }
      }
    }
  }

  /// What to ask a shared store before a reader is told that its version is not known.
  ///
  /// - Parameters:
  ///   - entries: The collections, and the versions that the reader has.
  ///   - request: The request.
  ///   - client: The client.
  ///   - event: Why the reader is about to be told.
  /// - Returns: The requirements; nil if the store was asked, or knows no more than is in memory.
  func doubt(
    _ entries: [SyncRequest.Entry], _ request: ReadRequest, _ client: ClientState,
    _ event: Waiter.Event
  ) -> Requirements? {
    guard context.store.isShared, !event.isLoaded else { return nil }
    let isAhead = entries.contains { entry in
      if case .ahead? = client.relation(of: entry.since, to: entry.name) { true } else { false }
    }
    guard isAhead else { return nil }
    var requirements = Requirements(requestID: request.requestID, stages: request.stages)
    requirements.confirmation = .always
    return requirements
  }

  /// Numbers a list that is about to be asked for, and notes what is in memory at this time.
  func askForList(_ client: ClientState) -> AskedList {
    guard context.store.isShared else { return AskedList() }
    listsAsked += 1
    return AskedList(number: listsAsked, date: context.time.uptime(), marks: client.marks)
  }

  /// Applies a list of collections to what is in memory, then notifies the readers of all of them.
  ///
  /// What has changed in memory since the list was asked for is left as it is, unless the list has a
  /// later revision of it: the next list tells.
  func take(_ list: [CollectionSummary], _ asked: AskedList, _ client: ClientState) {
    client.isKnown = true
    client.confirm(asked)
    var listed: [ResourceName: CollectionSummary] = [:]
    for summary in list { listed[summary.name] = summary }
    var changes: [(name: ResourceName, summary: CollectionSummary?, last: VersionToken)] = []
    for name in Set(asked.marks.keys).union(listed.keys) {
      let (held, summary) = (client.mark(of: name), listed[name])
      let mark = summary.map { CollectionMark($0) }
      guard mark != held, held == asked.marks[name] || mark?.follows(held) == true,
        let last = (held ?? mark)?.version
      else { continue }
      if let collection = client.collections.removeValue(forKey: name) { forget(collection) }
      client.stored[name] = summary
      changes.append((name, summary, last))
    }
    for change in changes { tell(change.name, change.summary, last: change.last, client) }
  }

  /// Notifies the readers of a collection that another service has written or deleted.
  private func tell(
    _ name: ResourceName, _ summary: CollectionSummary?, last: VersionToken, _ client: ClientState
  ) {
    notify(client, name, summary == nil ? .deleted(last) : .changed)
    let change = CollectionChange(
      key: CollectionKey(client: client.name, name: name), version: summary?.version ?? last,
      isDeleted: summary == nil)
    if context.changes.note(change, date: context.time.date()) { onChange() }
  }

  /// The most clients in one query.
  private static let clientsPerQuery = 500

  /// Asks for the lists of clients that somebody waits for.
  ///
  /// - Parameter names: The clients that others may have written; nil for all.
  func confirm(_ names: [ResourceName]?) {
    if !changesReaders.waiters.isEmpty { readFeed() }
    if let names {
      let written = names.compactMap { clients[$0] }
      for client in written where client.waiters.isEmpty { client.listDate = nil }
      confirmations.add(written.filter { !$0.waiters.isEmpty }.map(\.name))
    } else {
      confirmations.beginRound { clients.values.filter { !$0.waiters.isEmpty }.map(\.name) }
    }
    askNext()
  }

  /// Asks the next question, when no other shard is asking: reads of requests come between.
  private func askNext() {
    guard let names = confirmations.next(countMax: Self.clientsPerQuery) else { return }
    context.confirmationQueue.enter { self.perform { $0.ask(names) } }
  }

  private func ask(_ names: [ResourceName]) {
    let questions = names.compactMap { clients[$0] }.filter { !$0.waiters.isEmpty }
      .map { ListQuestion($0, askForList($0)) }
    guard !questions.isEmpty else { return take(.success([:]), questions) }
    context.store.summaries(of: questions.map(\.client.name)) { result in
      self.perform { $0.take(result, questions) }
    }
  }

  private func take(
    _ result: Result<[ResourceName: [CollectionSummary]], StoreError>, _ questions: [ListQuestion]
  ) {
    context.confirmationQueue.leave()
    switch result {
    case .success(let lists):
      confirmations.succeed()
      // Of a client that left memory meanwhile, and may have been read anew, nothing is taken.
      for question in questions where clients[question.client.name] === question.client {
        take(lists[question.client.name] ?? [], question.asked, question.client)
        releaseIfIdle(question.client)
      }
      askNext()
    case .failure(let error):
      // That the store is away is known; what is left comes with the next round.
      if confirmations.fail(), context.store.secondsAway == nil { context.faults(Fault(error)) }
    }
  }
}

/// A client whose list was asked for.
///
/// `@unchecked Sendable`: it passes through the completion of the store, and is used on the shard's
/// queue only.
private final class ListQuestion: @unchecked Sendable {
  let client: ClientState
  let asked: AskedList

  init(_ client: ClientState, _ asked: AskedList) { (self.client, self.asked) = (client, asked) }
}

/// A collection's version and settings.
struct CollectionMark: Hashable, Sendable {
  var version: VersionToken
  var revision: Int

  init(_ summary: CollectionSummary) { (version, revision) = (summary.version, summary.revision) }

  init(_ state: CollectionState) { (version, revision) = (state.token, state.revision) }

  init(_ stored: StoredCollection) { (version, revision) = (stored.version, stored.revision) }

  /// Whether this is later than another mark of the same lineage.
  fileprivate func follows(_ other: CollectionMark?) -> Bool {
    other.map { version.lineage == $0.version.lineage && revision > $0.revision } ?? false
  }
}

/// A list of collections that was asked for, and what was in memory then.
struct AskedList: Sendable {
  var number = 0
  var date = Duration.zero
  var marks: [ResourceName: CollectionMark] = [:]
}

extension ClientState {
  /// What is in memory of a collection.
  func mark(of name: ResourceName) -> CollectionMark? {
    collections[name].map { CollectionMark($0.state) } ?? stored[name].map { CollectionMark($0) }
  }

  fileprivate var marks: [ResourceName: CollectionMark] {
    var marks = stored.mapValues { CollectionMark($0) }
    for (name, collection) in collections { marks[name] = CollectionMark(collection.state) }
    return marks
  }

  /// Notes that what is in memory is not older than a list.
  func confirm(_ asked: AskedList) {
    guard asked.number > listTaken else { return }
    listTaken = asked.number
    listDate = asked.date
  }
}
