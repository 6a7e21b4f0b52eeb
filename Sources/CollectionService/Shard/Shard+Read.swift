import DeltaEngine
import SnapshotJSON

extension Shard {
  /// Answers a reader, now or when there is news.
  func read(
    _ key: CollectionKey, _ request: ReadRequest, id: UInt64,
    reply: @escaping (Result<ReadAnswer, ServiceFailure>) -> Void
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
      case .changed, .writable, .deadline: break
      }
      let standing = client.standing(of: request.since, to: key.name)
      if !isReleasing, let deadline = deadline(request, standing, patience) {
        return .park(until: deadline)
      }
      if case .current? = standing, let since = request.since {
        reply(.success(.unchanged(since)))
        return .done
      }
      guard client.stored[key.name] == nil else { return .load([key.name]) }
      reply(answer(request, client.collections[key.name], of: client.name))
      return .done
    }
    if !begin(waiter, client: client) {
      let error = ServiceError.tooManyParked(limit: context.limits.parkedMax)
      reply(.failure(ServiceFailure(error, current: client.collections[key.name]?.token)))
    }
    releaseIfIdle(client)
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

  /// What a reader of a client's collection is told now.
  func answer(
    _ request: ReadRequest, _ collection: HostedCollection?, of client: ResourceName
  ) -> Result<ReadAnswer, ServiceFailure> {
    guard let collection else {
      return .failure(ServiceFailure(.collectionNotFound, current: nil))
    }
    switch collection.standing(of: request.since) {
    case .initial: return .success(snapshot(of: collection, request.form))
    case .current: return .success(.unchanged(collection.token))
    case .behind where request.wantsSnapshot:
      return .success(snapshot(of: collection, request.form))
    case .behind(let record, let since):
      if let body = delta(from: record, collection, request, of: client) {
        return .success(.delta(collection.token, body: body))
      }
      return reset(.deltaTooLarge, since, collection, request)
    case .compacted(let since): return reset(.historyCompacted, since, collection, request)
    case .ahead(let since), .diverged(let since):
      return reset(.diverged, since, collection, request)
    case .otherLineage(let since): return reset(.lineageChanged, since, collection, request)
    }
  }

  /// The snapshot of the head.
  func snapshot(
    of collection: HostedCollection, _ form: AnswerForm, reset: Reset? = nil
  ) -> ReadAnswer {
    let content = context.answers.body(of: collection.head, from: 0, form.ofSnapshot) {
      context.counters.encodings.add(1)
      return context.encoders.snapshot(collection.material, form.ofSnapshot)
    }
    return .snapshot(collection.token, content: content, reset: reset)
  }

  private func reset(
    _ reason: Reset.Reason, _ since: VersionToken, _ collection: HostedCollection,
    _ request: ReadRequest
  ) -> Result<ReadAnswer, ServiceFailure> {
    context.counters.count(reason)
    let reset = Reset(
      reason: reason, since: since, oldest: collection.token(of: collection.history.oldest))
    if request.isStrict {
      return .failure(ServiceFailure(.reset(reset), current: collection.token))
    }
    return .success(snapshot(of: collection, request.form, reset: reset))
  }

  /// The bytes of the delta from a version to the head; nil when it is not to be sent.
  private func delta(
    from record: VersionRecord, _ collection: HostedCollection, _ request: ReadRequest,
    of client: ResourceName
  ) -> EncodedText? {
    let form = request.form
    let isFolded = collection.hasLists && !context.encoders.carriesNested(form)
    let outcome = context.answers.outcome(
      of: collection.head, from: record.seq, isFolded: isFolded
    ) {
      context.counters.deltas.add(1)
      let outcome = collection.outcome(
        from: record, isFolded: isFolded, limits: context.limits, judge: context.judge)
      if case .refused(let cause) = outcome {
        context.counters.refusedDeltas.add(1)
        context.faults(
          Fault(
            .deltaRefused, cause, client: client, collection: collection.name,
            requestID: request.requestID))
      }
      return outcome
    }
    guard case .delta(let delta, let source, let nested) = outcome else { return nil }
    return context.answers.body(of: collection.head, from: record.seq, form) {
      context.counters.encodings.add(1)
      let material = collection.material(
        of: delta, from: record, source: source, isFolded: isFolded, nested: nested, reader)
      return context.encoders.delta(material, form)
    }
  }
}
