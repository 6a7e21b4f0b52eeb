import SnapshotJSON

@testable import CollectionService
@testable import VersionedCollections

/// What a replica does about the actions of its machines.
extension Replica {
  func perform(_ action: ShardAction, _ shard: Int) {
    switch action {
    case .read, .readLists, .readFeed, .readOlderFeed, .commit: askStore(action, shard)
    case .readOlderChanges(let id, _, _): later(1000, .olderChangesRead(id, nil), shard)
    case .record: later(1000, .usesRecorded(true), shard)
    case .findTarget(let job, let body, let state): findTarget(of: job, body, state, shard)
    case .answer(let work, _):
      answer(work.missingVersions, of: work.client) { work.answer($0) }
    // A worker may take a while.
    case .compose(let id, let work):
      answer(work.missingVersions, of: work.client) { [self] maker in
        let answer = work.composed(maker)
        later(id % 3 == 0 ? 0 : Int(id % 7) * 100, .composed(id, answer), shard)
      }
    case .answerWriter(let answer):
      answer.answer(AnswerMaker(context: answering, reader: reader))
    case .tell(let message, _): message.deliver()
    case .begin(let id, let start):
      let stream = start.perform()
      handle(.began(id, stream?.sink, isWritable: stream?.isWritable ?? false), shard)
    case .send(let id, let message, _): handle(.sent(id, isWritable: message.send()), shard)
    case .awaitLoadTurn(let load, let client):
      loadQueue.enter { [self] in handle(.loadTurnCame(load, of: client), shard) }
    case .endLoadTurn: loadQueue.leave()
    case .awaitListTurn(let names):
      listQueue.enter { [self] in handle(.listTurnCame(names), shard) }
    case .endListTurn: listQueue.leave()
    case .next(let event): handle(event, shard)
    case .later(let event): later(0, event, shard)
    case .setTimer(let deadline): setTimer(deadline, shard)
    case .withdraw(let head): answering.cache.remove(head)
    case .report(let fault): onFault(fault)
    case .evictEverywhere:
      for shard in machines.indices { handle(.evict, shard) }
    case .feedChanged: handle(.feedChanged, 0)
    }
  }

  /// Makes an answer once the versions are read that it needs and that are not in memory.
  private func answer(
    _ missing: (AnswerMaker) -> [RetainedVersion], of client: ResourceName,
    _ make: @escaping (AnswerMaker) -> Void
  ) {
    var maker = AnswerMaker(context: answering, reader: reader)
    let versions = missing(maker)
    if versions.isEmpty { return make(maker) }
    readForViews(versions[...], of: client) { read in
      maker.read = read
      make(maker)
    }
  }

  /// Reads versions one after the other, and goes on with those that were read.
  private func readForViews(
    _ versions: ArraySlice<RetainedVersion>, _ read: [RetainedVersion] = [],
    of client: ResourceName, _ then: @escaping ([RetainedVersion]) -> Void
  ) {
    guard var version = versions.first else { return then(read) }
    link.read({ $0.read(.version(version.collection.name, version.token), of: client) }) {
      [self] result in
      guard isAlive else { return }
      var read = read
      switch result {
      case .success(.success(.version(let stored))):
        if let stored { version.take(stored) }
        if version.contents == nil { version.takeHeld() }
        read.append(version)
      // A version that cannot be read is one whose readers are reset.
      case .success, .failure: break
      }
      readForViews(versions.dropFirst(), read, of: client, then)
    }
  }

  private func askStore(_ action: ShardAction, _ shard: Int) {
    switch action {
    case .read(let parts, let question, let load):
      // All parts are read in one view.
      link.read(
        isList: parts.contains(.summaries),
        { store in parts.map { store.read($0, of: question.client) } }
      ) { [self] result in
        var results: [Result<StoredValue, StoreError>] = []
        switch result {
        case .success(let values): results = values
        case .failure(let error): results = parts.map { _ in .failure(error) }
        }
        handle(.partsRead(parts, results, question, load: load), shard)
      }
    case .readLists(let questions):
      link.read(
        isList: true,
        { store in
          var lists: [ResourceName: [CollectionSummary]] = [:]
          for question in questions {
            lists[question.client] = store.summaries(of: question.client)
          }
          return lists
        }
      ) { [self] in handle(.listsRead($0, questions, isAway: link.isKnownAway), shard) }
    case .readFeed(let number, let countMax):
      link.readFeed(after: number, countMax) { [self] in handle(.feedRead($0), shard) }
    case .readOlderFeed(let id, let generation, let number, let countMax):
      link.readFeed(after: number, countMax) { [self] in
        handle(.olderFeedRead(id, generation: generation, $0), shard)
      }
    case .commit(let work, let number):
      let prepared = work.prepare(reader, shared, answering.faults)
      guard let transaction = prepared.transaction(isShared: isShared) else {
        return handle(.committed(prepared, number: number, .success(()), ticket: nil), shard)
      }
      let operation = work.job.requestID.flatMap { Int($0.description) } ?? -1
      link.commit(transaction, by: operation, while: { [self] in isAlive }) { [self] result in
        if !isShared, case .failure(.conflict) = result { world.blame("a conflict without others") }
        handle(.committed(prepared, number: number, result, ticket: nil), shard)
      }
    default: break
    }
  }

  /// Finds the version that a job restores, reads its contents and submits the job again.
  private func findTarget(
    of job: WriteJob, _ body: WriteBody, _ state: CollectionState?, _ shard: Int
  ) {
    do throws(ServiceError) {
      let version = try body.target(reader)
      guard let state else { throw .collectionNotFound }
      let record: VersionRecord
      switch state.records(of: [version]) {
      case .success(let records): record = records[0]
      case .failure(let failure): throw failure.error
      }
      var target = RetainedVersion(state, record)
      link.read({ $0.read(.version(state.name, version), of: job.client) }) { [self] result in
        switch result {
        case .success(.success(.version(let stored?))): target.take(stored)
        case .success: break
        case .failure(let error):
          let failure = ServiceError(error)
          return handle(.write(job.reverting(to: .failure(failure))), shard)
        }
        if target.contents == nil { target.takeHeld() }
        handle(.write(job.reverting(to: .success(target))), shard)
      }
    } catch {
      later(0, .write(job.reverting(to: .failure(error))), shard)
    }
  }
}
