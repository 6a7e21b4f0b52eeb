import VersionedCollections

/// What other services write to a shared store.
///
/// Memory is then a cache. A write says which state it rests on, and the store refuses it if that is
/// not the newest. How current a list of collections must be for a reader is said by `Freshness`. A
/// collection that differs in a list leaves memory, as if it had been evicted; whoever waits for it
/// loads it again.
///
/// What is in memory of a client is as of one moment of the store, besides this service's own later
/// writes: a list is taken as a whole, and a collection is read in one view with a list that it
/// must agree with. A batch of another service is therefore never seen half.
extension ShardMachine {
  /// Which lists of collections will do for a request; nil if what is in memory will.
  func demand(of requirements: Requirements, _ client: ClientState) -> Freshness.Demand? {
    guard shared.isShared else { return nil }
    return freshness.demand(
      on: client.name, requirements.confirmation,
      isNew: isNew(requirements, client), since: now - limits.readStaleness)
  }

  /// Whether a caller names a collection that is not known, or shows a version that is not.
  func isNew(_ requirements: Requirements, _ client: ClientState) -> Bool {
    guard requirements.confirmation == .ifNew else { return false }
    return requirements.collections.contains { entry in
      ([entry.since] + requirements.versions).contains { version in
        // The first list, if it is being read, may be from before the version.
        if !client.isKnown { return version != nil }
        return switch client.relation(of: version, to: entry.name) {
        case nil, .ahead, .otherLineage, .diverged: true
        case .initial, .current, .behind, .compacted, .otherView: false
        }
      }
    }
  }

  /// What to ask a shared store before a reader is told that its version is not known; nil if the
  /// store was asked, or knows no more than is in memory.
  func doubt(_ reader: Reader, _ event: ReaderEvent) -> Requirements? {
    guard shared.isShared, !event.isLoaded, reader.client.isBehind(reader.entries) else {
      return nil
    }
    var requirements = Requirements(requestID: reader.each?.requestID)
    requirements.confirmation = .always
    return requirements
  }

  /// Applies a list of collections to what is in memory, then notifies the readers of all of them.
  ///
  /// What has changed in memory since the list was asked for is left as it is, unless the list has a
  /// later revision of it. If it cannot be told which of the two is later, as of two lineages, or of a
  /// collection that was created here since and is not listed, memory does not agree with the list: the
  /// next one tells, and is asked for at once.
  mutating func acceptList(
    _ list: [CollectionSummary], _ question: StoreQuestion, _ client: ClientState
  ) {
    client.isKnown = true
    guard freshness.apply(client.name, question.number) else {
      if freshness.lacksList(of: client.name) { othersWrote([client.name]) }
      return
    }
    var isCertain = true
    var listed: [ResourceName: CollectionSummary] = [:]
    for summary in list { listed[summary.name] = summary }
    var changes:
      [(
        name: ResourceName, summary: CollectionSummary?, last: VersionToken,
        secret: Lineage.Secret?
      )] = []
    let marks = client.marks
    for name in Set(question.marks.keys).union(listed.keys).union(marks.keys).sorted() {
      let (known, summary) = (marks[name], listed[name])
      let mark = summary.map { CollectionMark($0) }
      guard mark != known, let last = (known ?? mark)?.version else { continue }
      guard known == question.marks[name] || mark?.follows(known) == true else {
        isCertain = isCertain && known?.follows(mark) == true
        continue
      }
      let secret = summary?.secret ?? client.secret(name)
      if let collection = client.collections.removeValue(forKey: name) { withdraw(collection) }
      client.stored[name] = summary
      if client.line.isWriting(name) { client.overtaken.insert(name) }
      changes.append((name, summary, last, secret))
    }
    // What is being created here and is not listed may have been deleted elsewhere.
    client.overtaken.formUnion(client.line.namesUnderWay.filter { !client.has($0) })
    if isCertain {
      freshness.confirm(client.name, question.number, askedAt: question.date)
    } else {
      // Otherwise whoever waits would be told with the next round only, up to a second later.
      othersWrote([client.name])
    }
    for change in changes {
      notify(client, change.name, change.summary == nil ? .deleted(change.last) : .changed)
      let news = CollectionChange(
        key: CollectionKey(client: client.name, name: change.name),
        version: change.summary?.version ?? change.last, secret: change.secret,
        isDeleted: change.summary == nil, isPublic: change.summary?.isPublic == true)
      if shared.changes.record(news, date: moment.date) { actions.append(.feedChanged) }
    }
  }

  /// Asks for the lists of clients that somebody waits for.
  ///
  /// - Parameter names: The clients that others may have written; nil for all.
  mutating func othersWrote(_ names: [ResourceName]?) {
    if !feedReaders.waiters.isEmpty { readFeed() }
    if let names {
      let written = names.compactMap { clients[$0] }
      for client in written where client.waiters.isEmpty { freshness.outdate(client.name) }
      freshness.questions.add(written.filter { !$0.waiters.isEmpty }.map(\.name))
    } else {
      freshness.questions.beginRound {
        clients.values.filter { !$0.waiters.isEmpty }.sorted { $0.number < $1.number }.map(\.name)
      }
    }
    askNext()
  }

  /// The most clients in one question.
  private static let clientsPerQuestion = 500

  /// Asks the next question, when no other shard is asking: reads of requests come between.
  private mutating func askNext() {
    if let names = freshness.questions.next(countMax: Self.clientsPerQuestion) {
      actions.append(.awaitListTurn(names))
    }
  }

  /// Asks for the lists of those clients that somebody still waits for.
  mutating func askForLists(of names: [ResourceName]) {
    let waiting = names.compactMap { clients[$0] }.filter { !$0.waiters.isEmpty }
    let questions = waiting.map { question($0) }
    guard !questions.isEmpty else { return listsRead(.success([:]), [], false) }
    actions.append(.readLists(questions))
  }

  /// Applies lists that were read.
  mutating func listsRead(
    _ result: Result<[ResourceName: [CollectionSummary]], StoreError>,
    _ questions: [StoreQuestion], _ isAway: Bool
  ) {
    actions.append(.endListTurn)
    switch result {
    case .success(let lists):
      freshness.questions.succeed()
      for question in questions {
        guard let client = subject(of: question) else { continue }
        acceptList(lists[client.name] ?? [], question, client)
        releaseIfIdle(client)
      }
      askNext()
    case .failure(let error):
      // That the store is away is known; what is left comes with the next round.
      if freshness.questions.fail(), !isAway { actions.append(.report(Fault(error))) }
    }
  }
}
