import SnapshotJSON
import VersionedCollections

/// What is computed, here or on a worker.
extension Shard {
  /// Makes an answer: here unless it takes long.
  func answer(
    isLong: (AnswerContext) -> Bool, _ make: @escaping @Sendable (AnswerMaker) -> Void
  ) {
    guard isLong(context.answering) else {
      return make(AnswerMaker(context: context.answering, reader: reader))
    }
    context.workers.answer(ofShard: index) { [context] reader in
      make(AnswerMaker(context: context.answering, reader: reader))
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
      let end = context.time.uptime()
      context.shared.counters.commitTimes.record(end - start)
      prepared.job.stages?.note(.commit, from: start, to: end)
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
