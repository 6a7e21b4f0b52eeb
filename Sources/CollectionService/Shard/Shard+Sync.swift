extension Shard {
  /// Answers a reader of several collections, now or when one of them has news.
  func sync(
    _ name: ResourceName, _ request: SyncRequest, waitSeconds: Int, id: UInt64,
    reply: @escaping (Result<SyncAnswer, ServiceFailure>) -> Void
  ) {
    let client = client(name)
    let patience = patience(waitSeconds: waitSeconds)
    let names = request.entries.map(\.name)
    let waiter = Waiter(
      id: id, names: names, requestID: request.requestID, parkedTime: request.parkedTime
    ) {
      [unowned self, unowned client] event in
      if case .failed(let error) = event {
        reply(.failure(ServiceFailure(ServiceError(error), current: nil)))
        return .done
      }
      let needs = needs(of: request.entries, request.each, client, making: !event.isLoaded)
      guard needs.isEmpty else { return .load(needs) }
      guard let cut = cut(client, request, catchUpUntil: patience.catchingUp) else {
        let error = ServiceError.syncTooLarge(limit: context.limits.syncBytesMax)
        reply(.failure(ServiceFailure(error, current: nil)))
        return .done
      }
      let isOver = isReleasing || context.time.uptime() >= patience.news
      if cut.answer.news.isEmpty && !isOver {
        return .park(until: min(patience.news, cut.deadline ?? patience.news))
      }
      reply(.success(cut.answer))
      return .done
    }
    if !begin(waiter, client: client) {
      let error = ServiceError.tooManyParked(limit: context.limits.parkedMax)
      reply(.failure(ServiceFailure(error, current: nil)))
    }
    releaseIfIdle(client)
  }

  /// How several collections stand at one moment.
  struct Cut {
    var answer = SyncAnswer()
    /// When a collection that lags behind its reader is given up.
    var deadline: Duration?
  }

  /// Looks at several collections at once; nil when that is more than one answer may tell.
  func cut(_ client: ClientState, _ request: SyncRequest, catchUpUntil: Duration) -> Cut? {
    var cut = Cut()
    var byteCount = 0
    for entry in request.entries {
      guard let collection = client.collections[entry.name] else {
        if let since = entry.since, client.stored[entry.name]?.version == since {
          cut.answer.unchanged.append(entry)
        } else if let since = entry.since {
          cut.answer.news.append(.init(name: entry.name, answer: .deleted(since)))
        } else {
          cut.answer.missing.append(entry.name)
        }
        continue
      }
      switch collection.standing(of: entry.since) {
      case .current:
        cut.answer.unchanged.append(entry)
      case .ahead where context.time.uptime() < catchUpUntil && !isReleasing:
        cut.answer.unchanged.append(entry)
        cut.deadline = catchUpUntil
      default:
        var read = request.each
        read.since = entry.since
        if case .success(let answer) = maker.answer(read, collection.state, of: client.name) {
          cut.answer.news.append(.init(name: entry.name, answer: answer))
          byteCount += answer.byteCount
        }
      }
      if byteCount > context.limits.syncBytesMax, request.entries.count > 1 { return nil }
    }
    return cut
  }
}

extension ReadAnswer {
  /// The bytes of its encoded content, without what stands around it.
  fileprivate var byteCount: Int {
    switch self {
    case .snapshot(_, let content, _): content.bytes.count
    case .delta(_, let body): body.bytes.count
    case .unchanged, .deleted: 0
    }
  }
}
