import DeltaEngine
import SnapshotJSON

extension Shard {
  /// Answers a reader, now or when there is news.
  func read(
    _ key: CollectionKey, _ request: ReadRequest, id: UInt64,
    reply: @escaping @Sendable (Result<ReadAnswer, ServiceFailure>) -> Void
  ) {
    let client = client(key.client)
    let patience = patience(waitSeconds: request.waitSeconds)
    let waiter = Waiter(
      id: id, names: [key.name], requestID: request.requestID, parkedTime: request.parkedTime
    ) {
      [unowned self, unowned client] event in
      switch event {
      case .deleted(let version):
        reply(.success(.deleted(version)))
        return .done
      case .failed(let error):
        reply(.failure(failure(error, key)))
        return .done
      case .changed, .writable, .deadline, .loaded: break
      }
      let standing = client.standing(of: request.since, to: key.name)
      if !isReleasing, let deadline = deadline(request, standing, patience) {
        return .park(until: deadline)
      }
      if case .current? = standing, let since = request.since {
        reply(.success(.unchanged(since)))
        return .done
      }
      guard client.stored[key.name] == nil else {
        return .load(Needs(collections: [key.name], requestID: request.requestID))
      }
      answer(request, key, client.collections[key.name]?.state, reply)
      return .done
    }
    if !begin(waiter, client: client) {
      let error = ServiceError.tooManyParked(limit: context.limits.parkedMax)
      reply(.failure(ServiceFailure(error, current: client.collections[key.name]?.token)))
    }
    releaseIfIdle(client)
  }

  /// Tells a reader what is new in the collection as it is now; what takes long is made on a worker.
  private func answer(
    _ request: ReadRequest, _ key: CollectionKey, _ collection: CollectionState?,
    _ reply: @escaping @Sendable (Result<ReadAnswer, ServiceFailure>) -> Void
  ) {
    guard let collection, context.isCold(request, collection) else {
      return reply(maker.answer(request, collection, of: key.client))
    }
    withMaker(of: collection.contents.byteCount) {
      reply($0.answer(request, collection, of: key.client))
    }
  }

  /// How long a reader waits, for each thing that may be waited for.
  struct Patience {
    /// For news.
    var news: Duration
    /// For a version that the reader has and the collection not yet.
    var catchingUp: Duration
  }

  /// An idle answer comes a little early, at random, so that readers do not come back in step.
  func patience(waitSeconds: Int) -> Patience {
    let now = context.time.uptime()
    let wait = min(max(waitSeconds, 0), context.limits.waitSecondsMax)
    let milliseconds = wait * 1000 - Int.random(in: 0...wait * 100, using: &generator)
    return Patience(news: now + .milliseconds(milliseconds), catchingUp: now + .seconds(1))
  }

  /// Until when there is nothing to tell; nil when there is something.
  private func deadline(
    _ request: ReadRequest, _ standing: Standing?, _ patience: Patience
  ) -> Duration? {
    let deadline: Duration
    switch standing {
    case nil where request.waitsForCollection: deadline = patience.news
    case .current: deadline = patience.news
    case .ahead: deadline = patience.catchingUp
    default: return nil
    }
    return context.time.uptime() < deadline ? deadline : nil
  }
}
