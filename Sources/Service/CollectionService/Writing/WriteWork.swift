import SnapshotJSON
import VersionedCollections

/// A job whose turn has come, with all input needed to prepare it on any queue.
struct WriteWork: Sendable {
  let job: WriteJob
  let writes: [Write]
  /// The state that each write starts from.
  let bases: [WritePreparation.Base]
  /// Seconds since 1970.
  let date: Int64

  /// The number of bytes to process, in the bodies and the collections they change.
  var byteCount: Int { bodyBytes + contentBytes }

  private var bodyBytes: Int { writes.reduce(0) { $0 + $1.byteCount } }

  private var contentBytes: Int { bases.reduce(0) { $0 + ($1.state?.contents.byteCount ?? 0) } }

  /// Whether it may be prepared on the shard's own queue.
  func isSmall(_ limits: ServiceLimits) -> Bool {
    max(bodyBytes, contentBytes) <= limits.inlineBodyBytesMax
  }

  /// Prepares the job and reserves memory for it.
  func prepare(
    _ reader: JSONReader, _ shared: SharedState, _ faults: FaultSink
  ) -> PreparedWriteJob {
    let preparation = WritePreparation(
      reader: reader, limits: shared.limits.current, date: date)
    var reservation = MemoryReservation(shared.memory)
    var prepared = prepare(preparation, &reservation)
    for write in prepared { shared.counters.count(write, job, faults) }
    if prepared.contains(where: { $0.failure != nil }) {
      shared.counters.refusedWrites.add(1)
      if job.isAtomic { prepared = prepared.map(\.notApplied) }
    }
    return PreparedWriteJob(
      job: job, answers: writes.map(\.answer), writes: prepared, record: record(of: prepared),
      reservation: reservation)
  }

  /// Prepares each write within the limits of batches and memory.
  private func prepare(
    _ preparation: WritePreparation, _ reservation: inout MemoryReservation
  ) -> [PreparedWrite] {
    let limits = preparation.limits
    var createdCount = 0
    var bytesLeft = job.isBatch ? limits.batchBytesMax : .max
    return zip(writes, bases).map { write, base in
      var base = base
      base.room -= createdCount
      func refused(_ error: ServiceError) -> PreparedWrite {
        var refused = PreparedWrite(write.name, ServiceFailure(error, current: base.head))
        refused.base = .init(base)
        return refused
      }
      // After the limit is exceeded nothing more is prepared, because each write may take as much
      // again.
      guard bytesLeft >= 0 else { return refused(.batchTooLarge(limits)) }
      var prepared = preparation.prepare(write, base)
      prepared.base = .init(base)
      bytesLeft -= prepared.contentBytes
      guard bytesLeft >= 0 else { return refused(.batchTooLarge(limits)) }
      guard reservation.add(contentBytes: prepared.ownContentBytes) else {
        return refused(.tooMuchWritten(limit: limits.batchBytesMax))
      }
      let recordBytes = job.key == nil || prepared.failure != nil ? 0 : Self.recordBytes
      guard reservation.add(HeapCost.spaced(prepared.addedBytes + recordBytes)) else {
        return refused(.memoryFull(limit: limits.memoryBytesMax))
      }
      if case .create = prepared.effect { createdCount += 1 }
      return prepared
    }
  }

  /// The approximate size of an idempotency record in bytes.
  private static let recordBytes = 1536

  /// The idempotency record of the job; nil if it has no key or may be retried.
  private func record(of prepared: [PreparedWrite]) -> IdempotencyRecord? {
    let receipts = prepared.compactMap(\.receipt)
    guard let key = job.key, receipts.count == prepared.count else { return nil }
    return IdempotencyRecord(
      collection: job.recordsName, key: key, receipts: receipts, date: date)
  }
}

/// A prepared job, to be committed by the store if it has a transaction.
struct PreparedWriteJob: Sendable {
  let job: WriteJob
  /// What each writer gets in addition to the receipt.
  let answers: [WriteRequest.Answer]
  let writes: [PreparedWrite]
  let record: IdempotencyRecord?
  let reservation: MemoryReservation

  /// The transaction to commit, in a shared store even for a refusal; nil if there is nothing to store.
  func transaction(isShared: Bool) -> StoreTransaction? {
    let entries = isShared ? writes.map(\.checkedEntry) : writes.compactMap(\.entry)
    guard !entries.isEmpty || record != nil else { return nil }
    var transaction = StoreTransaction(client: job.client, entries: entries, idempotency: record)
    if isShared, record == nil, let key = job.key {
      transaction.absentKey = (job.recordsName, key.text)
    }
    return transaction
  }
}

extension ServiceCounters {
  /// Counts the outcome of a write, and reports internal faults.
  fileprivate func count(_ write: PreparedWrite, _ job: WriteJob, _ faults: FaultSink) {
    knownItems.add(write.unchangedItemCount)
    if write.isUnchanged { unchangedWrites.add(1) }
    guard case .internalFault(let cause)? = write.failure?.error else { return }
    faults(
      Fault(.other, cause, client: job.client, collection: write.name, requestID: job.requestID))
  }
}

extension ServiceError {
  fileprivate static func batchTooLarge(_ limits: ServiceLimits) -> ServiceError {
    let limit = limits.batchBytesMax
    return .limitPassed(
      PassedLimit(
        .bytes, "",
        "the collections that the batch writes have more than \(limit) bytes of contents",
        limit: limit))
  }
}
