import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// Creates answers to readers, on any queue, using the answer cache.
struct AnswerMaker {
  let context: AnswerContext
  let reader: JSONReader
  /// Versions whose contents were read for the answer, because views need them.
  var read: [RetainedVersion] = []

  func answer(
    _ request: ReadRequest, _ collection: CollectionState, of client: ResourceName
  ) -> Result<ReadAnswer, ServiceFailure> {
    let record: VersionRecord
    let from: VersionToken
    switch collection.relation(of: request) {
    case .initial: return .success(snapshot(of: collection, request.form))
    case .current where request.form.view == nil: return .success(.unchanged(collection.token))
    case .current: (record, from) = (collection.record, request.since ?? collection.token)
    case .behind(let older, let since): (record, from) = (older, since)
    case .compacted(let since): return reset(.historyCompacted, since, collection, request)
    case .ahead(let since), .diverged(let since):
      return reset(.diverged, since, collection, request)
    case .otherLineage(let since): return reset(.lineageChanged, since, collection, request)
    }
    if let query = request.form.view {
      return answer(request, query, since: record, from, collection, of: client)
    }
    if request.wantsSnapshot {
      return .success(snapshot(of: collection, request.form))
    }
    guard let body = delta(from: record, collection, request, of: client) else {
      return reset(.deltaTooLarge, from, collection, request)
    }
    return .success(.delta(collection.token, body: body))
  }

  func snapshot(
    of collection: CollectionState, _ form: AnswerForm, reset: Reset? = nil
  ) -> ReadAnswer {
    let content = context.cache.body(of: collection.head, from: 0, form.ofSnapshot) {
      context.counters.encodings.add(1)
      if let query = form.view,
        let content = viewedContent(of: collection, collection.record, query, form)
      {
        return content
      }
      let material = collection.material(form)
      var text = context.encoders.snapshot(material, form.ofSnapshot)
      text.settingsHash = material.settingsHash
      return text
    }
    return .snapshot(collection.token, content: content, reset: reset)
  }

  /// Returns the snapshot for a reader whose version leads nowhere, or the failure that it asked for instead.
  func reset(
    _ reason: Reset.Reason, _ since: VersionToken, _ collection: CollectionState,
    _ request: ReadRequest, _ content: EncodedText? = nil
  ) -> Result<ReadAnswer, ServiceFailure> {
    context.counters.count(reason)
    let reset = Reset(
      reason: reason, since: since, oldest: collection.token(of: collection.history.oldest))
    if request.isStrict {
      return .failure(ServiceFailure(.reset(reset), current: collection.token))
    }
    if let content { return .success(.snapshot(collection.token, content: content, reset: reset)) }
    return .success(snapshot(of: collection, request.form, reset: reset))
  }

  /// Returns the encoded delta from a version to the head; nil if the reader should be reset.
  private func delta(
    from record: VersionRecord, _ collection: CollectionState, _ request: ReadRequest,
    of client: ResourceName
  ) -> EncodedText? {
    let form = request.form
    let outcome = context.cache.outcome(of: collection.head, from: record.seq) {
      let start = context.time.uptime()
      let outcome = collection.outcome(
        from: record, limits: context.limits,
        judge: context.judge)
      context.counters.count(outcome, in: context.time.uptime() - start)
      if case .refused(let cause) = outcome {
        context.counters.refusedDeltas.add(1)
        context.faults(
          Fault(
            .deltaRefused, cause, client: client, collection: collection.name,
            requestID: request.requestID))
      }
      return outcome
    }
    guard case .delta(let delta, let source, let isAnimated) = outcome else { return nil }
    let body = context.cache.body(of: collection.head, from: record.seq, form) {
      context.counters.encodings.add(1)
      let material = collection.material(
        of: delta, from: record, source: source, isAnimated: isAnimated)
      return context.encoders.delta(
        form.patchesItems ? collection.patchingItems(material, reader) : material, form)
    }
    guard isAnimated || isShorter(body, collection, request) else { return nil }
    context.counters.savedBytes.add(max(0, collection.contents.contentByteCount - body.textCount))
    return body
  }

  /// Whether a delta is no longer than the snapshot, before content coding.
  private func isShorter(
    _ delta: EncodedText, _ collection: CollectionState, _ request: ReadRequest
  ) -> Bool {
    // A snapshot is never shorter than its contents.
    if delta.textCount <= collection.contents.contentByteCount { return true }
    let snapshot = snapshot(of: collection, request.form)
    guard case .snapshot(_, let content, _) = snapshot else { return true }
    return delta.textCount <= content.textCount
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

extension CollectionState {
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

extension AnswerContext {
  /// Whether an answer is cached, or needs nothing of the collection.
  func isKnown(_ request: ReadRequest, _ collection: CollectionState) -> Bool {
    let isViewed = request.form.view != nil
    var seq = 0
    switch collection.relation(of: request) {
    case .current where !isViewed: return true
    case .current: seq = collection.record.seq
    case .behind(_, let since) where isViewed || !request.wantsSnapshot: seq = since.seq
    case .compacted, .ahead, .diverged, .otherLineage: if request.isStrict { return true }
    case .initial, .behind: break
    }
    return cache.has(collection.head, from: seq, request.form, isStrict: request.isStrict)
  }
}
