import VersionedCollections

extension Shard {
  /// Answers a reader, waiting for changes if requested.
  func read(
    _ key: CollectionKey, _ request: ReadRequest, id: UInt64, reply: @escaping ReadReply
  ) {
    let client = client(key.client)
    var deadlines = waitDeadlines(waitSeconds: request.waitSeconds)
    let waiter = Waiter(
      id: id, client, names: [key.name], parkedTime: request.parkedTime, stages: request.stages
    ) { [unowned self, unowned client] event in
      switch event {
      case .deleted(let version):
        reply(.success(.deleted(version)), nil)
        return .done
      case .failed(let error):
        reply(.failure(failure(ServiceError(error), key)), nil)
        return .done
      case .waitEnded: deadlines.news = context.time.uptime()
      case .changed, .writable, .deadline, .loaded: break
      }
      let relation = client.relation(of: request.since, to: key.name)
      if !isReleasing, let deadline = deadline(request, relation, deadlines) {
        return .wait(until: deadline)
      }
      let entry = SyncRequest.Entry(name: key.name, since: request.since)
      if let doubt = doubt([entry], request, client, event) { return .load(doubt) }
      if case .current? = relation, let since = request.since {
        reply(.success(.unchanged(since)), published(client.collections[key.name]?.state.head))
        return .done
      }
      guard client.stored[key.name] == nil else {
        let entry = SyncRequest.Entry(name: key.name, since: nil)
        return .load(
          Requirements(
            collections: [entry], requestID: request.requestID, stages: request.stages))
      }
      answer(request, key, client.collections[key.name]?.state, reply)
      return .done
    }
    if let error = begin(waiter) { reply(.failure(failure(error, key)), nil) }
  }

  /// Answers a reader with the collection's current state, on a worker if the answer is expensive.
  private func answer(
    _ request: ReadRequest, _ key: CollectionKey, _ collection: CollectionState?,
    _ reply: @escaping ReadReply
  ) {
    guard let collection, context.isCold(request, collection) else {
      return reply(
        maker.answer(request, collection, of: key.client), published(collection?.head))
    }
    let head = published(collection.head)
    withMaker(of: collection.contents.byteCount) {
      reply($0.answer(request, collection, of: key.client), head)
    }
  }

  /// The times until which a reader waits, by what it waits for.
  private struct WaitDeadlines {
    /// For changes.
    var news: Duration
    /// For a version that the reader has and the collection has not reached yet.
    var catchingUp: Duration
  }

  /// Shortens the wait by up to a tenth at random, so that readers do not return in step.
  private func waitDeadlines(waitSeconds: Int) -> WaitDeadlines {
    let now = context.time.uptime()
    let wait = min(max(waitSeconds, 0), context.limits.waitSecondsMax)
    let milliseconds = wait * 1000 - Int.random(in: 0...wait * 100, using: &generator)
    return WaitDeadlines(news: now + .milliseconds(milliseconds), catchingUp: now + .seconds(1))
  }

  /// The time until which the reader has to wait; nil if it can be answered now.
  private func deadline(
    _ request: ReadRequest, _ relation: VersionRelation?, _ deadlines: WaitDeadlines
  ) -> Duration? {
    let deadline: Duration
    switch relation {
    case nil where request.waitsForCollection: deadline = deadlines.news
    case .current: deadline = deadlines.news
    case .ahead: deadline = deadlines.catchingUp
    default: return nil
    }
    return context.time.uptime() < deadline ? deadline : nil
  }

  // MARK: Several collections

  /// Answers a reader of several collections, waiting for changes if there are none.
  func sync(
    _ name: ResourceName, _ request: SyncRequest, waitSeconds: Int, id: UInt64,
    reply: @escaping (Result<SyncAnswer, ServiceFailure>) -> Void
  ) {
    func refuse(_ error: ServiceError) -> Waiter.Outcome {
      reply(.failure(ServiceFailure(error, current: nil)))
      return .done
    }
    let client = client(name)
    var deadlines = waitDeadlines(waitSeconds: waitSeconds)
    let names = request.entries.map(\.name)
    let waiter = Waiter(
      id: id, client, names: names, parkedTime: request.parkedTime, stages: request.stages
    ) { [unowned self, unowned client] event in
      if case .failed(let error) = event { return refuse(ServiceError(error)) }
      if case .waitEnded = event { deadlines.news = context.time.uptime() }
      let requirements = requirements(
        of: request.entries, request.each, client, making: !event.isLoaded)
      guard requirements.isEmpty else { return .load(requirements) }
      if isReleasing || context.time.uptime() >= deadlines.catchingUp,
        let doubt = doubt(request.entries, request.each, client, event)
      {
        return .load(doubt)
      }
      guard let read = consistentRead(client, request, catchUpUntil: deadlines.catchingUp) else {
        return refuse(.syncTooLarge(limit: context.limits.syncBytesMax))
      }
      let isOver = isReleasing || context.time.uptime() >= deadlines.news
      if read.answer.news.isEmpty && !isOver {
        return .wait(until: min(deadlines.news, read.deadline ?? deadlines.news))
      }
      reply(.success(read.answer))
      return .done
    }
    if let error = begin(waiter) { _ = refuse(error) }
  }

  /// The state of several collections at one moment.
  struct ConsistentRead {
    var answer = SyncAnswer()
    /// The time until which to wait for a collection that is behind its reader.
    var deadline: Duration?
  }

  /// Reads several collections at once; nil if the answer would exceed the limit.
  func consistentRead(
    _ client: ClientState, _ request: SyncRequest, catchUpUntil: Duration
  ) -> ConsistentRead? {
    var read = ConsistentRead()
    var byteCount = 0
    for entry in request.entries {
      var held = entry
      defer { read.answer.held.append(held) }
      guard let collection = client.collections[entry.name]?.state else {
        if let since = entry.since, client.stored[entry.name]?.version == since {
          read.answer.unchanged.append(entry)
        } else if let since = entry.since {
          read.answer.news.append(.init(name: entry.name, answer: .deleted(since)))
          held.since = nil
        } else {
          read.answer.missing.append(entry.name)
        }
        continue
      }
      switch collection.relation(of: entry.since) {
      case .current:
        read.answer.unchanged.append(entry)
      case .ahead where context.time.uptime() < catchUpUntil && !isReleasing:
        read.answer.unchanged.append(entry)
        read.deadline = catchUpUntil
      default:
        var wanted = request.each
        wanted.since = entry.since
        guard case .success(let answer) = maker.answer(wanted, collection, of: client.name) else {
          continue
        }
        read.answer.news.append(.init(name: entry.name, answer: answer))
        held.since = answer.heldVersion
        byteCount += answer.byteCount
      }
      if byteCount > context.limits.syncBytesMax, request.entries.count > 1 { return nil }
    }
    return read
  }

  // MARK: Streams

  /// Starts a stream with an immediate first answer.
  ///
  /// - Parameters:
  ///   - name: The client.
  ///   - request: The collections and how to follow them.
  ///   - id: The follower's ID.
  ///   - begin: Called with the first answer; returns the sink for events and whether it is
  ///     writable, or nil if there is no stream.
  func follow(
    _ name: ResourceName, _ request: FollowRequest, id: UInt64,
    begin: (Result<SyncAnswer, ServiceFailure>) -> (sink: FollowSink, isWritable: Bool)?
  ) {
    func refuse(_ error: ServiceError) {
      _ = begin(.failure(ServiceFailure(error, current: nil)))
    }
    let client = client(name)
    defer { releaseIfIdle(client) }
    let now = context.time.uptime()
    guard
      let first = consistentRead(client, request.sync, catchUpUntil: now + .seconds(1))?.answer
    else { return refuse(.syncTooLarge(limit: context.limits.syncBytesMax)) }
    if let error = waitRefusal { return refuse(error) }
    guard let (sink, isWritable) = begin(.success(first)) else { return }
    let follower = Follower(
      self, client, request, sink: sink, first: first, isWritable: isWritable)
    let waiter = Waiter(id: id, client, names: request.sync.entries.map(\.name)) {
      follower.evaluate($0)
    }
    if self.begin(waiter) != nil { _ = sink(.end(.overload)) }
  }
}

extension ReadAnswer {
  /// The bytes of the encoded content, without an envelope.
  fileprivate var byteCount: Int {
    switch self {
    case .snapshot(_, let content, _): content.bytes.count
    case .delta(_, let body): body.bytes.count
    case .unchanged, .deleted: 0
    }
  }
}
