import SnapshotJSON
import VersionedCollections

/// Older versions, one at a time: that bounds the memory they take.
extension Shard {
  /// Finds the version that a job restores, reads its contents and submits the job again.
  ///
  /// No other older version is restored until the job is done.
  func findTarget(of job: WriteJob, _ body: [UInt8], _ collection: CollectionState?) {
    do throws(ServiceError) {
      let version = try VersionToken(ofRevert: body, reader)
      guard let collection else { throw .collectionNotFound }
      let record: VersionRecord
      switch try VisibleCollection(collection, .everything).records(
        of: [collection.plain(version)])
      {
      case .success(let records): record = records[0]
      case .failure(let failure): throw failure.error
      }
      withContents(
        of: RetainedVersion(collection, record), job.client, job.requestID, context.restoreQueue
      ) { _, result, end in
        self.handle(.write(job.reverting(to: result.mapError(\.error), end: end)))
      }
    } catch {
      handle(.write(job.reverting(to: .failure(error))))
    }
  }

  /// Performs work once the contents of a version are read; must be called on the shard's queue.
  ///
  /// If the store does not have the contents, those that the head also has are used.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - client: The owner of the collection.
  ///   - requestID: The request's ID in the log.
  ///   - order: For whom, if it takes long.
  ///   - queue: The queue in which it takes turns; nil for that of those who only read.
  ///   - work: Called once, on any queue, with the version or the store's error, and with a
  ///     function to call when the version is no longer needed.
  func withContents(
    of version: RetainedVersion, _ client: ResourceName, _ requestID: RequestID?,
    for order: AnswerOrder? = nil, _ queue: LoadQueue? = nil,
    _ work:
      @escaping @Sendable (
        AnswerMaker, Result<RetainedVersion, ServiceFailure>, _ end: @escaping @Sendable () -> Void
      ) -> Void
  ) {
    let byteCount = version.collection.contents.byteCount
    let order = order ?? AnswerOrder(asker: .init(client: client))
    guard version.contents == nil, context.store.keepsContents else {
      return answer(
        isLong: { order.limit != nil || byteCount > $0.limits.inlineBodyBytesMax }, order
      ) { maker in
        var version = version
        if version.contents == nil { version.takeHeld() }
        work(maker, .success(version)) {}
      }
    }
    let part = StoredPart.version(version.collection.name, version.token)
    let queue = queue ?? context.versionQueue
    // Whoever has its turn ends it, also if nobody waits for the answer any more.
    let made = AnswerOrder(asker: order.asker, topics: order.topics, limit: order.limit)
    queue.enter { [context] in
      context.store.read([part], of: client) { results in
        self.answer(isLong: { _ in true }, made) { maker in
          let result = self.version(version, results[0], client, requestID)
          work(maker, result) { queue.leave() }
        }
      }
    }
  }

  /// A version with the contents that the store has, or those that the head also has.
  private func version(
    _ version: RetainedVersion, _ result: Result<StoredValue, StoreError>,
    _ client: ResourceName, _ requestID: RequestID?
  ) -> Result<RetainedVersion, ServiceFailure> {
    var version = version
    switch result {
    case .success(.version(let stored?)): version.take(stored)
    case .success: break
    case .failure(let error):
      context.faults(
        Fault(
          error, client: client, collection: version.collection.name, requestID: requestID))
      guard case .damaged = error else {
        return .failure(
          ServiceFailure(ServiceError(error), current: version.collection.token))
      }
    }
    if version.contents == nil { version.takeHeld() }
    return .success(version)
  }
}
