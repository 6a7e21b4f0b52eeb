import SnapshotJSON
import VersionedCollections

/// What is computed, here or on a worker.
extension Shard {
  /// Makes an answer: here unless it takes long.
  func answer(
    isLong: (AnswerContext) -> Bool, _ order: @autoclosure () -> AnswerOrder,
    _ make: @escaping @Sendable (AnswerMaker) -> Void
  ) {
    guard isLong(context.answering) else {
      return make(AnswerMaker(context: context.answering, meter: .unlimited))
    }
    context.answerWorkers.make(order()) { [context] reader, meter in
      make(AnswerMaker(context: context.answering, reader: reader, meter: meter))
    }
  }

  /// Makes an answer once the versions are read that it needs and that are not in memory.
  ///
  /// A version that was in memory may have left it while others were read; then it is read as well, each one once.
  func answer(
    _ work: PollWork, read: [RetainedVersion] = [], tried: Set<VersionToken> = [],
    _ make: @escaping @Sendable (AnswerMaker) -> Void
  ) {
    answer(isLong: work.isLong, work.order(context.answering)) { maker in
      var maker = maker
      maker.read = read
      let versions = self.missingVersions(work, maker).filter { !tried.contains($0.token) }
      if versions.isEmpty { return make(maker) }
      self.perform {
        self.readForViews(versions[...], read, of: work.client) { read in
          self.answer(work, read: read, tried: tried.union(versions.map(\.token)), make)
        }
      }
    }
  }

  private func missingVersions(_ work: PollWork, _ maker: AnswerMaker) -> [RetainedVersion] {
    guard context.store.keepsContents else { return [] }
    do {
      return try work.missingVersions(maker)
    } catch {
      // Work that has ended ends again when the answer is made.
      return []
    }
  }

  /// Reads versions one after the other, each once for all who want it meanwhile; must be called on the shard's queue,
  /// and goes on there with those that were read.
  func readForViews(
    _ versions: ArraySlice<RetainedVersion>, _ read: [RetainedVersion] = [],
    of client: ResourceName, _ then: @escaping @Sendable ([RetainedVersion]) -> Void
  ) {
    guard let version = versions.first else { return then(read) }
    let key = VersionKey(
      collection: CollectionKey(client: client, name: version.collection.name),
      version: version.token)
    let isFirst = viewReads[key] == nil
    viewReads[key, default: []].append { result in
      // A version that cannot be read is one whose readers are reset.
      let read = if case .success(let version) = result { read + [version] } else { read }
      self.readForViews(versions.dropFirst(), read, of: client, then)
    }
    guard isFirst else { return }
    withContents(of: version, client, nil) { _, result, end in
      end()
      self.perform {
        for goOn in self.viewReads.removeValue(forKey: key) ?? [] { goOn(result) }
      }
    }
  }

  /// Prepares a write and passes it to the store, from any queue: a store encodes on its caller's
  /// queue.
  func commit(_ work: WriteWork, _ number: Int) {
    let byteCount = work.byteCount
    if work.isSmall(context.limits), let ticket = context.workers.ticket(byteCount) {
      return commit(prepare(work, reader), number, ticket)
    }
    context.workers.perform(byteCount) { reader, _, ticket in
      self.commit(self.prepare(work, reader), number, ticket)
    }
  }

  private func prepare(_ work: WriteWork, _ reader: JSONReader) -> PreparedWriteJob {
    work.prepare(reader, context.shared, context.faults)
  }

  private func commit(_ prepared: PreparedWriteJob, _ number: Int, _ ticket: ParseTicket) {
    guard let transaction = prepared.transaction(isShared: context.store.isShared) else {
      return handle(.committed(prepared, number: number, .success(()), ticket: ticket))
    }
    let start = context.time.uptime()
    context.store.commit(transaction) { [context] result in
      context.shared.counters.commitTimes.record(context.time.uptime() - start)
      self.handle(.committed(prepared, number: number, result, ticket: ticket))
    }
  }

  /// Reads the changes since a date, when no other old data is being read.
  func readOlderChanges(
    since date: Int64, countMax: Int,
    _ completion: @escaping @Sendable ([CollectionChange]?) -> Void
  ) {
    context.versionQueue.enter { [context] in
      context.store.changes(since: date, countMax: countMax) { changes in
        context.versionQueue.leave()
        completion(changes)
      }
    }
  }
}
