import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// Creates answers to readers, on any queue, using the answer cache.
struct AnswerMaker {
  let context: AnswerContext
  /// Reads what is stored, which may be deeper than what is accepted now.
  var reader = JSONReader(depthMax: JSONReader.depthMaxMax)
  /// The work of the answer.
  let meter: WorkMeter
  /// Versions whose contents were read for the answer, because views need them.
  var read: [RetainedVersion] = []

  func answer(
    _ asked: ReadRequest, _ collection: VisibleCollection, of client: ResourceName
  ) throws(WorkStop) -> Result<ReadAnswer, ServiceFailure> {
    let request = asked.asked(of: collection)
    let record: VersionRecord
    let from: VersionToken
    switch collection.relation(of: request) {
    case .initial: return try snapshot(of: collection, request)
    case .current where request.form.view == nil:
      return .success(.unchanged(request.since ?? collection.token))
    case .current: (record, from) = (collection.state.record, request.since ?? collection.token)
    case .behind(let older, let since): (record, from) = (older, since)
    case .compacted(let since): return try reset(.historyCompacted, since, collection, request)
    case .ahead(let since), .diverged(let since):
      return try reset(.diverged, since, collection, request)
    case .otherLineage(let since): return try reset(.lineageChanged, since, collection, request)
    case .otherView(let since): return try reset(.viewChanged, since, collection, request)
    }
    if let query = request.form.view {
      return try answer(request, query, since: record, from, collection, of: client)
    }
    if request.wantsSnapshot { return try snapshot(of: collection, request) }
    guard let body = try delta(from: record, collection, request, of: client) else {
      return try reset(.deltaTooLarge, from, collection, request)
    }
    return .success(.delta(collection.token, body: body))
  }

  /// Returns the snapshot of the head; `internalFault` if it cannot be made of what is stored.
  func snapshot(
    of collection: VisibleCollection, _ request: ReadRequest, reset: Reset? = nil
  ) throws(WorkStop) -> Result<ReadAnswer, ServiceFailure> {
    let form = collection.form(request.form)
    let head = collection.state.head
    let content = try context.cache.body(of: head, from: 0, form.ofSnapshot) {
      () throws(WorkStop) in
      context.counters.encodings.add(1)
      if let query = form.view {
        return try viewedContent(of: collection, collection.state.record, query, form)
      }
      return collection.material(form).map { text(of: $0, form) }
    }
    guard let content else {
      let cause = "what is stored of the collection cannot be read for a view"
      context.faults(
        Fault(.view, cause, collection: collection.state.name, requestID: request.requestID))
      return .failure(collection.failure(.internalFault(cause)))
    }
    return .success(.snapshot(token(of: collection, reset), content: content, reset: reset))
  }

  /// The token of a snapshot of the head: with a renewal mark after some resets.
  private func token(of collection: VisibleCollection, _ reset: Reset?) -> VersionToken {
    reset?.renewal.map { collection.token.marked($0) } ?? collection.token
  }

  /// Logs a restriction that cannot be imposed: its reader is only told that it may not read.
  func report(
    _ error: ServiceError, _ client: ResourceName, _ name: ResourceName, _ requestID: RequestID?
  ) {
    guard case .viewNotPermitted(let cause) = error else { return }
    context.faults(Fault(.view, cause, client: client, collection: name, requestID: requestID))
  }

  /// Encodes a snapshot.
  func text(of material: SnapshotEncodingInput, _ form: AnswerForm) -> EncodedText {
    var text = context.encoders.snapshot(material, form.ofSnapshot)
    text.settingsHash = material.settingsHash
    text.view = material.view
    return text
  }

  /// Returns the snapshot for a reader whose version leads nowhere, or the failure that it asked for instead.
  func reset(
    _ reason: Reset.Reason, _ since: VersionToken, _ collection: VisibleCollection,
    _ request: ReadRequest, _ content: EncodedText? = nil
  ) throws(WorkStop) -> Result<ReadAnswer, ServiceFailure> {
    context.counters.count(reason)
    let isRenewed =
      collection.state.settings.isPublic && [.diverged, .lineageChanged].contains(reason)
    // A version of which contents are gone is retained, and too old all the same.
    let oldest = collection.oldestToken
    let isContentGone = reason == .historyCompacted && oldest.seq <= since.seq
    let reset = Reset(
      reason: reason, since: since, oldest: isContentGone ? collection.token : oldest,
      renewal: isRenewed ? context.renewals.current : nil)
    if request.isStrict { return .failure(collection.failure(.reset(reset))) }
    if let content {
      return .success(.snapshot(token(of: collection, reset), content: content, reset: reset))
    }
    return try snapshot(of: collection, request, reset: reset)
  }

  /// Returns the encoded delta from a version to the head; nil if the reader should be reset.
  private func delta(
    from record: VersionRecord, _ collection: VisibleCollection, _ request: ReadRequest,
    of client: ResourceName
  ) throws(WorkStop) -> EncodedText? {
    let (form, state) = (request.form, collection.state)
    let outcome = context.cache.outcome(of: state.head, from: record.seq) {
      let start = context.time.uptime()
      let outcome = state.outcome(from: record, limits: context.limits, judge: context.judge)
      context.counters.count(outcome, in: context.time.uptime() - start)
      if case .refused(let cause) = outcome {
        context.counters.refusedDeltas.add(1)
        context.faults(
          Fault(
            .deltaRefused, cause, client: client, collection: state.name,
            requestID: request.requestID))
      }
      return outcome
    }
    guard case .delta(let delta, let source, let isAnimated) = outcome else { return nil }
    let body = context.cache.body(of: state.head, from: record.seq, form) {
      context.counters.encodings.add(1)
      let material = collection.material(
        of: delta, from: record, source: source, isAnimated: isAnimated, form)
      return material.map {
        context.encoders.delta(form.patchesItems ? state.patchingItems($0, reader) : $0, form)
      }
    }
    guard let body else { return nil }
    if !isAnimated {
      guard try isShorter(body, collection, request) else { return nil }
    }
    context.counters.savedBytes.add(max(0, state.contents.contentByteCount - body.textCount))
    return body
  }

  /// Whether a delta is no longer than the snapshot, before content coding.
  private func isShorter(
    _ delta: EncodedText, _ collection: VisibleCollection, _ request: ReadRequest
  ) throws(WorkStop) -> Bool {
    // A snapshot is never shorter than its contents.
    if delta.textCount <= collection.state.contents.contentByteCount { return true }
    guard case .success(.snapshot(_, let content, _)) = try snapshot(of: collection, request)
    else { return true }
    return delta.textCount <= content.textCount
  }
}

extension AnswerMaker {
  /// The result of the work on an answer, or the failure `tooMuchWork`.
  ///
  /// - Returns: The answer; nil if nobody waits for it any more.
  func result(
    of view: View?, _ key: CollectionKey,
    _ make: () throws(WorkStop) -> Result<ReadAnswer, ServiceFailure>
  ) -> Result<ReadAnswer, ServiceFailure>? {
    do {
      let result = try make()
      if let view { context.refusals.forget(view, of: key) }
      return result
    } catch {
      guard error == .tooMuch, let view else { return nil }
      let seconds = context.refusals.refuse(
        view, of: key, at: context.time.uptime(), isNew: !meter.isSpent)
      let failure = ServiceError.tooMuchWork(
        limit: context.limits.viewMillisecondsMax, seconds: seconds)
      return .failure(ServiceFailure(failure, current: nil))
    }
  }
}

extension ServiceCounters {
  fileprivate func count(_ outcome: JudgedDelta, in duration: Duration) {
    deltas.add(1)
    deltaTimes.record(duration)
    guard case .delta(let delta, _, _) = outcome else { return }
    deltaSteps.add(delta.steps.count)
    deltaMoves.add(delta.changes.movedItems.count + delta.changes.movedSections.count)
    deltaChanges.add(delta.changeCount)
  }
}

extension VisibleCollection {
  /// The relation of what a reader sees: in a view, of the newest version that is known to show it the same.
  ///
  /// So all who wait are compared with one version, however old theirs are, and even if these are no longer retained.
  func relation(of request: ReadRequest) -> VersionRelation {
    guard let since = request.since, let same = request.same else {
      return relation(of: request.since)
    }
    return switch relation(of: same) {
    case .behind(let record, _): .behind(record, since)
    case .current: .current
    default: relation(of: since)
    }
  }
}

extension ReadRequest {
  /// The request of a reader who sees a collection in this way.
  fileprivate func asked(of collection: VisibleCollection) -> ReadRequest {
    var request = self
    request.form = collection.form(form)
    return request
  }
}

extension AnswerContext {
  /// Whether an answer is cached, or needs nothing of the collection.
  func isKnown(_ asked: ReadRequest, _ collection: VisibleCollection) -> Bool {
    let request = asked.asked(of: collection)
    let isViewed = request.form.view != nil
    var seq = 0
    switch collection.relation(of: request) {
    case .current where !isViewed: return true
    case .current: seq = collection.state.record.seq
    case .behind(_, let since) where isViewed || !request.wantsSnapshot: seq = since.seq
    case .compacted, .ahead, .diverged, .otherLineage, .otherView:
      if request.isStrict { return true }
    case .initial, .behind: break
    }
    return cache.has(
      collection.state.head, from: seq, request.form, isStrict: request.isStrict)
  }
}
