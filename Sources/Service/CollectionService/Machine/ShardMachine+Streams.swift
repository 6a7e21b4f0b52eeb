import VersionedCollections

/// Streams of collections.
///
/// A stream keeps only the version last sent of each collection and whether there are changes. One
/// delta leads from that version to the head.
extension ShardMachine {
  /// Makes the first answer of a stream, or refuses it.
  mutating func start(
    _ reader: Reader, _ request: FollowRequest, _ event: ReaderEvent
  ) -> Reader.Outcome {
    if let requirements = requirements(of: reader) { return .load(requirements) }
    if let outcome = catchUp(reader, event) { return outcome }
    guard admit(reader) else { return .done }
    use(reader.entries.lazy.map(\.name), reader.client)
    actions.append(
      .compose(reader.id, PollWork(reader.entries, request.sync, of: reader.client)))
    return .answering
  }

  /// Counts a stream as waiting, or refuses it.
  mutating func admit(_ reader: Reader) -> Bool {
    guard !isReleasing else {
      _ = refuse(reader, .draining)
      return false
    }
    if !reader.isCounted, let error = count(reader) {
      _ = refuse(reader, error)
      return false
    }
    return true
  }

  /// Goes on with a stream that was started; without a sink it has ended.
  mutating func began(_ id: UInt64, _ sink: StreamSink?, _ isWritable: Bool) {
    guard let reader = waiters[id] else { return }
    guard let sink else {
      remove(reader)
      return releaseIfIdle(reader.client)
    }
    switch reader.kind {
    case .stream(let request, _):
      reader.stream = Stream(
        sink, isWritable: isWritable, ping: request.ping, lifetime: request.lifetime, now: now)
    case .feed(let request, _):
      reader.stream = Stream(
        sink, isWritable: isWritable, ping: request.ping, lifetime: request.lifetime, now: now)
      beginFeed(reader)
    case .poll: return
    }
    reader.phase = .waiting
    evaluate(reader, .changed)
    if case .feed = reader.kind, shared.isShared { readFeed() }
  }

  /// Shows a reader what it may see from now on: whatever it holds was given under another restriction.
  mutating func changeAccess(of id: UInt64, _ access: [ReadAccess]) {
    guard let reader = waiters[id], reader.entries.count == access.count,
      reader.entries.map(\.access) != access
    else { return }
    for index in access.indices {
      reader.entries[index].access = access[index]
      reader.entries[index].same = nil
    }
    reader.hasOtherAccess = true
    evaluate(reader, .changed)
  }

  /// Goes on with a stream after an event was sent.
  mutating func sent(_ id: UInt64, _ isWritable: Bool) {
    guard let reader = waiters[id] else { return }
    reader.stream?.endSending(isWritable: isWritable)
    evaluate(reader, .sent)
  }

  mutating func endStream(of reader: Reader, _ reason: EndReason) -> Reader.Outcome {
    if let sink = reader.stream?.sink {
      actions.append(.send(reader.id, .end(sink, reason), reader.endingWake()))
    }
    return .done
  }

  mutating func send(_ message: StreamMessage, to reader: Reader) {
    reader.stream?.beginSending()
    actions.append(.send(reader.id, message, reader.endingWake()))
  }

  mutating func streamOutcome(
    of reader: Reader, _ request: FollowRequest, _ event: ReaderEvent
  ) -> Reader.Outcome {
    guard var stream = reader.stream else { return .done }
    if let reason = stream.receive(event, at: now, isReleasing: isReleasing) {
      return endStream(of: reader, reason)
    }
    reader.stream = stream
    if reader.client.isBehind(reader.entries) {
      if stream.canSend, let doubt = doubt(reader, event) { return .load(doubt) }
      // A reader that is ahead is sent a reset as soon as it can be.
      stream.hasNews = true
    }
    if stream.hasNews && stream.canSend {
      if let requirements = requirements(of: reader) { return .load(requirements) }
      stream.hasNews = false
      if hasNews(reader, request.sync) {
        use(reader.entries.lazy.map(\.name), reader.client)
        stream.beginSending()
        actions.append(
          .compose(reader.id, PollWork(reader.entries, request.sync, of: reader.client)))
      }
    }
    let isPinged = stream.pings(at: now)
    reader.stream = stream
    if isPinged { actions.append(.send(reader.id, ping(reader, stream.sink))) }
    return .wait(until: stream.deadline)
  }

  /// A keep-alive; for a view in which nothing changed lately, the newest version that gives the same view.
  private func ping(_ reader: Reader, _ sink: StreamSink) -> StreamMessage {
    guard case .collections(let send) = sink, reader.entries.contains(where: { $0.same != nil })
    else { return .ping(sink) }
    reader.entries = reader.entries.map(\.told)
    var answer = SyncAnswer()
    answer.unchanged = reader.entries.filter { $0.since != nil }
    answer.held = reader.entries
    return .collections(send, .news(answer))
  }

  /// Sends an answer that was made for a stream; a failure ends it, because it is too large or costs too much.
  mutating func composed(_ result: Result<SyncAnswer, ServiceFailure>, for reader: Reader) {
    guard let sink = reader.stream?.sink, case .collections(let send) = sink else { return }
    if reader.hasOtherAccess, case .success(let answer) = result,
      answer.held.map(\.access) != reader.entries.map(\.access)
    {
      // It was made of what the reader may not see any more.
      reader.stream?.endSending(isWritable: true)
      return evaluate(reader, .changed)
    }
    let answer: SyncAnswer
    switch result {
    case .success(let made): answer = made
    case .failure(let failure):
      if case .tooMuchWork = failure.error {
        actions.append(
          .send(reader.id, .collections(send, .refusal(failure)), reader.endingWake()))
      } else {
        _ = endStream(of: reader, .overload)
      }
      remove(reader)
      return releaseIfIdle(reader.client)
    }
    if answer.news.isEmpty {
      reader.entries = answer.held
      reader.stream?.endSending(isWritable: true)
      return evaluate(reader, .sent)
    }
    let told = answer.told
    reader.entries = told.held
    reader.stream?.postponePing(now)
    if reader.hasOtherAccess { reader.stream?.expire(now) }
    actions.append(.send(reader.id, .collections(send, .news(told)), reader.endingWake()))
  }
}
