import VersionedCollections

/// Readers: from their arrival to their answer.
extension ShardMachine {
  /// Answers a reader, or has it wait for what it asks for.
  ///
  /// Collections of which the reader has the head are not loaded.
  mutating func arrive(_ request: ReaderRequest) {
    if case .feed = request.kind { return arriveAtFeed(Reader(request, feedReaders)) }
    let client = client(request.client)
    let reader = Reader(request, client)
    addUses(of: reader.entries.lazy.map(\.name), client.name)
    let requirements = requirements(onArrivalOf: reader)
    if isLoaded(requirements, client) {
      evaluate(reader, .loaded)
    } else {
      awaitLoad(requirements, reader)
    }
    releaseIfIdle(client)
  }

  private func requirements(onArrivalOf reader: Reader) -> Requirements {
    // Nothing that is private is loaded for a stranger: the client's list tells what is public.
    var requirements = Requirements(
      collections: reader.isStranger ? [] : reader.entries.map(\.needed),
      requestID: reader.each?.requestID)
    requirements.versions = reader.each?.versions ?? []
    return requirements
  }

  /// Ends a reader's wait for changes: it is answered with what is known, once that is loaded.
  mutating func endWait(_ id: UInt64) {
    guard let reader = waiters[id] else { return }
    reader.hasWaitEnded = true
    reader.newsUntil = now
    evaluate(reader, .waitEnded)
  }

  /// Removes a reader whose connection was closed, whatever it waits for.
  mutating func remove(_ id: UInt64) {
    guard let reader = waiters[id] else { return }
    remove(reader)
    releaseIfIdle(reader.client)
  }

  mutating func remove(_ reader: Reader) {
    if reader.isCounted { shared.counters.parked.add(-1) }
    release(reader.countedBytes)
    waiters.remove(reader)
    (reader.isCounted, reader.countedBytes) = (false, 0)
  }

  private mutating func awaitLoad(_ requirements: Requirements, _ reader: Reader) {
    reader.isLoading = true
    waiters.insert(reader)
    beginLoad(requirements, for: .reader(reader.id), reader.client)
  }

  // MARK: Evaluation

  /// Answers a reader, or determines what it waits for next.
  mutating func evaluate(_ reader: Reader, _ event: ReaderEvent) {
    var event = event
    switch (reader.phase, event) {
    case (.arriving, .loaded):
      event = .begun
      begin(reader)
    case (.arriving, .failed), (.waiting, _): break
    case (.arriving, _), (.answering, _): return
    }
    if reader.isCounted { reader.waitingTime?.update(now) }
    if shared.isShared, let confirmation = freshness.confirmation(of: reader.client.name) {
      reader.waitingTime?.confirm(confirmation)
    }
    followUntouched(reader)
    switch outcome(of: reader, event) {
    case .done: remove(reader)
    case .wait(let deadline): wait(reader, until: deadline)
    case .load(let requirements): loadAgain(requirements, for: reader)
    case .answering:
      reader.phase = .answering
      waiters.insert(reader)
    }
    releaseIfIdle(reader.client)
  }

  private mutating func begin(_ reader: Reader) {
    reader.phase = .waiting
    reader.catchUpUntil = now + .seconds(1)
    if case .poll(let request, _) = reader.kind { setWait(of: reader, request.each.waitSeconds) }
  }

  /// Shortens the wait by up to a tenth at random, so that readers do not return in step.
  private mutating func setWait(of reader: Reader, _ waitSeconds: Int) {
    let wait = min(max(waitSeconds, 0), limits.waitSecondsMax)
    let milliseconds = wait * 1000 - Int.random(in: 0...wait * 100, using: &generator)
    reader.newsUntil = reader.hasWaitEnded ? now : now + .milliseconds(milliseconds)
  }

  private mutating func outcome(of reader: Reader, _ event: ReaderEvent) -> Reader.Outcome {
    if case .failed(let failure) = event, reader.stream == nil {
      return refuse(reader, ServiceError(failure))
    }
    if let outcome = refusal(reader, event) { return outcome }
    switch reader.kind {
    case .poll(let request, let reply): return pollOutcome(of: reader, request, reply, event)
    case .stream(let request, _):
      return reader.stream == nil
        ? start(reader, request, event) : streamOutcome(of: reader, request, event)
    case .feed: return reader.stream == nil ? startFeed(reader) : feedOutcome(of: reader, event)
    }
  }

  /// What becomes of a reader who may not read, or of whom that is not known yet; nil for any other.
  private mutating func refusal(_ reader: Reader, _ event: ReaderEvent) -> Reader.Outcome? {
    if case .deleted = event { return nil }
    switch reader.admission() {
    case .admitted: return nil
    case .refused where reader.stream != nil: return endStream(of: reader, .tokenExpired)
    case .refused: return refuse(reader, .notPublic)
    case .unknown(let names):
      return .load(
        Requirements(
          collections: names.map { NeededCollection(name: $0) }, requestID: reader.each?.requestID))
    }
  }

  private mutating func wait(_ reader: Reader, until deadline: Duration) {
    if !reader.isCounted, let error = count(reader) {
      _ = refuse(reader, error)
      return remove(reader)
    }
    if reader.stream?.isBusy != true { reader.notified = nil }
    // What happens while the service stops does not postpone the release.
    let latest = reader.deadline == .zero ? now : reader.deadline
    waiters.setDeadline(of: reader, isReleasing ? min(deadline, latest) : deadline)
    setTimer()
  }

  /// Counts a reader as waiting; returns why it may not.
  mutating func count(_ reader: Reader) -> ServiceError? {
    let byteCount = reader.viewBytes
    guard shared.counters.parked.add(1) <= limits.parkedMax else {
      shared.counters.parked.add(-1)
      return .tooManyParked(limit: limits.parkedMax)
    }
    guard shared.counters.parkedViewBytes.add(byteCount) <= limits.parkedViewBytesMax else {
      shared.counters.parkedViewBytes.add(-byteCount)
      shared.counters.parked.add(-1)
      return .tooMuchParked(limit: limits.parkedViewBytesMax)
    }
    residency.add(byteCount)
    reader.countedBytes = byteCount
    reader.waitingTime?.begin(now)
    waiters.register(reader)
    return nil
  }

  private mutating func release(_ byteCount: Int) {
    if byteCount == 0 { return }
    shared.counters.parkedViewBytes.add(-byteCount)
    residency.add(-byteCount)
  }

  /// Loads evicted collections, or asks what others wrote, for a reader, then evaluates it again.
  private mutating func loadAgain(_ requirements: Requirements, for reader: Reader) {
    if reader.isLoading { return }
    addUses(of: requirements.collections.lazy.map(\.name), reader.client.name)
    guard isLoaded(requirements, reader.client) else {
      return awaitLoad(requirements, reader)
    }
    evaluate(reader, .loaded)
  }

  /// Tells a reader that it is not answered.
  mutating func refuse(_ reader: Reader, _ error: ServiceError) -> Reader.Outcome {
    let message: Message
    switch reader.kind {
    case .poll(let request, let reply):
      let current = request.isOfOne ? reader.client.head(reader.entries[0]) : nil
      let failure = ServiceFailure(error, current: current)
      message = Message { reply(.failure(failure), AnswerSource()) }
    case .stream(_, let begin):
      message = Message { _ = begin(.failure(ServiceFailure(error, current: nil))) }
    case .feed(_, let begin): message = Message { _ = begin(error) }
    }
    actions.append(.tell(message, reader.endingWake()))
    return .done
  }

  // MARK: Polls

  private mutating func pollOutcome(
    of reader: Reader, _ request: SyncRequest, _ reply: @escaping PollReply, _ event: ReaderEvent
  ) -> Reader.Outcome {
    if case .deleted(let version) = event, request.isOfOne {
      // A restricted reader knows the version by another token.
      let isKnown = !reader.entries[0].access.isRestricted
      guard let version = isKnown ? version : reader.entries[0].since else {
        return .wait(until: reader.newsUntil)
      }
      var answer = SyncAnswer()
      answer.news = [.init(name: request.entries[0].name, answer: .deleted(version))]
      let message = Message { [answer] in reply(.success(answer), AnswerSource()) }
      actions.append(.tell(message, reader.endingWake()))
      return .done
    }
    let mayWait = !isReleasing && now < reader.newsUntil
    if mayWait, !hasNews(reader, request) { return .wait(until: reader.newsUntil) }
    if let requirements = requirements(of: reader) { return .load(requirements) }
    let work = PollWork(reader.entries, request, of: reader.client)
    if work.isAhead, let outcome = catchUp(reader, event) { return outcome }
    if work.hasNews { use(reader.entries.lazy.map(\.name), reader.client) }
    // In views there may be nothing new; then it goes on waiting.
    let mayWaitAgain =
      mayWait && work.hasNews && reader.entries.contains { $0.isViewed && $0.since != nil }
    guard request.isOfOne, !mayWaitAgain else {
      actions.append(.compose(reader.id, work))
      return .answering
    }
    if work.hasNews {
      let source = AnswerSource(head: published(work.head), ages: ages(reader))
      actions.append(.answer(work, source, reply, reader.endingWake()))
    } else {
      let (answer, source) = (work.answer, AnswerSource(head: published(work.head)))
      actions.append(.tell(Message { reply(.success(answer), source) }, reader.endingWake()))
    }
    return .done
  }

  /// How long anybody may keep the answer to a reader of one collection; nil unless anybody may read it.
  private func ages(_ reader: Reader) -> PublicAges? {
    let entry = reader.entries[0]
    return reader.client.collections[entry.name]?.state.publicAges(from: [entry.since])
  }

  /// Whether anything may be new to a reader: what its views show is known when the answer is made.
  func hasNews(_ reader: Reader, _ request: SyncRequest) -> Bool {
    reader.entries.contains { entry in
      switch reader.client.relation(of: entry) {
      case nil: request.isOfOne ? !request.each.waitsForCollection : entry.since != nil
      case .current: entry.movesWindow
      default: true
      }
    }
  }

  /// What becomes of a reader that has a version which is not known: it waits a second for it, then the store is asked;
  /// nil for any other, and after that.
  func catchUp(_ reader: Reader, _ event: ReaderEvent) -> Reader.Outcome? {
    guard reader.client.isBehind(reader.entries) else { return nil }
    if !isReleasing, now < reader.catchUpUntil { return .wait(until: reader.catchUpUntil) }
    return doubt(reader, event).map { .load($0) }
  }

  /// The collections to load before a reader can be answered; nil if all are in memory.
  func requirements(of reader: Reader) -> Requirements? {
    let unloaded = reader.client.unloaded(reader.entries.map(\.needed))
    if unloaded.isEmpty { return nil }
    var requirements = Requirements(
      collections: unloaded, requestID: reader.each?.requestID)
    requirements.confirmation = .ifOld
    return requirements
  }

  /// Gives an answer that was made, unless the reader has left.
  mutating func composed(_ id: UInt64, _ result: Result<SyncAnswer, ServiceFailure>) {
    guard let reader = waiters[id] else { return }
    switch (reader.kind, result) {
    case (.poll(let request, let reply), _):
      if case .success(let answer) = result, waitsAgain(reader, request, answer) { return }
      let source = AnswerSource(ages: request.isOfOne ? ages(reader) : nil)
      actions.append(.tell(Message { reply(result, source) }, reader.endingWake()))
    case (.stream, _) where reader.stream != nil: return composed(result, for: reader)
    case (.stream(_, let begin), .success(let answer)):
      if reader.hasOtherAccess, answer.held.map(\.access) != reader.entries.map(\.access) {
        reader.phase = .waiting
        return evaluate(reader, .changed)
      }
      let told = answer.told
      reader.entries = told.held
      return actions.append(.begin(id, .collections(begin, told)))
    case (.stream(_, let begin), .failure(let failure)):
      actions.append(.tell(Message { _ = begin(.failure(failure)) }, reader.endingWake()))
    case (.feed, _): return
    }
    remove(reader)
    releaseIfIdle(reader.client)
  }

  /// Has a reader wait for the next change if nothing changed in its views, and it may still wait.
  private mutating func waitsAgain(
    _ reader: Reader, _ request: SyncRequest, _ answer: SyncAnswer
  ) -> Bool {
    guard answer.news.isEmpty, !isReleasing, now < reader.newsUntil else { return false }
    reader.entries = answer.held
    reader.phase = .waiting
    if request.isOfOne, !reader.client.has(request.entries[0].name),
      let since = reader.entries[0].since
    {
      // It was deleted while the answer was made.
      evaluate(reader, .deleted(since))
    } else if reader.isCounted || clients[reader.client.name] === reader.client {
      evaluate(reader, .changed)
    } else {
      // Who does not count as waiting yet does not keep the client in memory.
      reader.client = client(reader.client.name)
      loadAgain(requirements(onArrivalOf: reader), for: reader)
    }
    return true
  }

  // MARK: Changes and time

  /// The number of readers, and of terms of their views, notified before other work gets its turn, about a millisecond's
  /// work.
  private static let notificationsPerTurn = 256

  /// Has all readers that wait for changes to a collection notified.
  mutating func notify(_ client: ClientState, _ name: ResourceName, _ event: ReaderEvent) {
    let isUnderWay = waiters.hasNotifications
    waiters.notify(client, name, event, at: now)
    if !isUnderWay, waiters.hasNotifications { actions.append(.next(.notify)) }
  }

  mutating func notifyNext() {
    var left = Self.notificationsPerTurn
    while left > 0 {
      guard let (reader, event) = waiters.nextNotification() else { return }
      left -= reader.entries.reduce(1) { $0 + $1.termCount }
      if case .changed = event, misses(reader) { continue }
      evaluate(reader, event)
    }
    if waiters.hasNotifications { actions.append(.later(.notify)) }
  }

  /// Releases all readers at random times in a window, so that they do not return in step.
  mutating func releaseAll(over window: Duration) {
    isReleasing = true
    let milliseconds = Int(window / .milliseconds(1))
    let readers = waiters.all.filter { $0.phase == .waiting }
    for reader in readers.sorted(by: { $0.id < $1.id }) {
      let share = Int.random(in: 0...milliseconds, using: &generator)
      waiters.setDeadline(of: reader, now + .milliseconds(share))
    }
    setTimer()
  }

  /// Evaluates the readers whose deadline has passed.
  mutating func timePassed(_ deadline: Duration) {
    if timer == deadline { timer = nil }
    while let reader = waiters.nextDue(now) { evaluate(reader, .deadline) }
    setTimer()
  }

  private mutating func setTimer() {
    guard let deadline = waiters.earliestDeadline, timer.map({ deadline < $0 }) ?? true else {
      return
    }
    timer = deadline
    actions.append(.setTimer(deadline))
  }
}
