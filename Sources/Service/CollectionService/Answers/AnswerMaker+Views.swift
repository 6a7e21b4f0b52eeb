import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// Views: what some readers see of a collection instead of all of it.
extension AnswerMaker {
  /// Returns the answer to a reader of a view who has `from`, and sees in `record` the same.
  func answer(
    _ request: ReadRequest, _ query: ViewQuery, since record: VersionRecord, _ from: VersionToken,
    _ collection: VisibleCollection, of client: ResourceName
  ) throws(WorkStop) -> Result<ReadAnswer, ServiceFailure> {
    switch try news(since: record, from, request, query, collection, of: client) {
    case .same(let numbers)?:
      // What the reader has is repeated as it was sent, unless there is a newer version.
      let isNewest = from.seq == collection.state.record.seq
      return .success(.unchanged(isNewest ? from : collection.token, numbers))
    case .delta? where request.wantsSnapshot: return try snapshot(of: collection, request)
    case .delta(let body)?: return .success(.delta(collection.token, body: body))
    case .reset(let reason, let content)?:
      return try reset(reason, from, collection, request, content)
    // The version is retained, but not what its items were.
    case nil: return try reset(.historyCompacted, from, collection, request)
    }
  }

  /// The version whose contents must be read before a reader of a view can be told what changed; nil if none must be.
  ///
  /// It is found by making the answer, which is cached then.
  func missingVersion(
    _ asked: ReadRequest, _ collection: VisibleCollection, of client: ResourceName
  ) throws(WorkStop) -> RetainedVersion? {
    var request = asked
    request.form = collection.form(asked.form)
    guard let query = request.form.view,
      case .behind(let record, let since) = collection.relation(of: request),
      try news(since: record, since, request, query, collection, of: client) == nil
    else { return nil }
    return RetainedVersion(collection.state, record)
  }

  /// What a reader who has `from` is told; nil if contents of `record`, in which it sees the same, are needed and not
  /// in memory.
  private func news(
    since record: VersionRecord, _ from: VersionToken, _ request: ReadRequest, _ query: ViewQuery,
    _ collection: VisibleCollection, of client: ResourceName
  ) throws(WorkStop) -> ViewNews? {
    let head = collection.state.record
    return try context.cache.news(of: collection.state.head, from: from.seq, request.form) {
      () throws(WorkStop) in
      try orSnapshot(collection, head, query, request.form) { () throws(WorkStop) in
        let pair = try pair(query, from, record, head, of: collection)
        return try pair.flatMap { pair throws(WorkStop) in
          try news(pair, collection, request, of: client)
        }
      }
    }
  }

  /// A view of two versions; nil if contents that it needs are not available.
  private func pair(
    _ query: ViewQuery, _ from: VersionToken, _ older: VersionRecord, _ newer: VersionRecord,
    of collection: VisibleCollection
  ) throws(WorkStop) -> ViewedPair? {
    let view = CompiledView(query.view, collection.state.settings)
    guard let source = try viewed(view, older, of: collection),
      let target = try viewed(view, newer, of: collection)
    else { return nil }
    return try ViewedPair(
      view: view, query: query, from: from, older: (source, older), newer: (target, newer), meter)
  }

  /// What `delta` gives; where that costs too much, a reset with the snapshot, which may take as long again.
  private func orSnapshot(
    _ collection: VisibleCollection, _ record: VersionRecord, _ query: ViewQuery,
    _ form: AnswerForm, _ delta: () throws(WorkStop) -> ViewNews?
  ) throws(WorkStop) -> ViewNews? {
    do {
      return try delta()
    } catch {
      guard error == .tooMuch else { throw error }
      meter.renew()
      return try viewedContent(of: collection, record, query, form)
        .map { .reset(.deltaTooLarge, $0) }
    }
  }

  private func news(
    _ pair: ViewedPair, _ collection: VisibleCollection, _ request: ReadRequest,
    of client: ResourceName
  ) throws(WorkStop) -> ViewNews? {
    func reset(_ reason: Reset.Reason) throws(WorkStop) -> ViewNews? {
      try content(
        of: pair.newerRun, pair.newer.version, pair.view, collection, pair.newer.record,
        request.form
      ).map { .reset(reason, $0) }
    }
    // What such a reader has depends on what it had before.
    guard pair.isOlderKnown else { return try reset(.diverged) }
    if try pair.isSame(reader, meter) {
      return .same(ViewNumbers(pair.newerRun, collection.state.ids))
    }
    do {
      guard let material = try pair.material(collection, request.form, context, reader, meter)
      else { return nil }
      try meter.look()
      context.counters.encodings.add(1)
      var body = context.encoders.delta(
        request.form.patchesItems ? collection.state.patchingItems(material, reader) : material,
        request.form)
      body.view = material.target.view
      if material.envelope?.isAnimated == false, let reset = try reset(.deltaTooLarge),
        case .reset(_, let content) = reset, body.textCount > content.textCount
      {
        return reset
      }
      return .delta(body)
    } catch let stop as WorkStop {
      throw stop
    } catch {
      context.counters.refusedDeltas.add(1)
      context.faults(
        Fault(
          .deltaRefused, "\(error)", client: client, collection: collection.state.name,
          requestID: request.requestID))
      return try reset(.deltaTooLarge)
    }
  }

  private func viewed(
    _ view: CompiledView, _ record: VersionRecord, of collection: VisibleCollection
  ) throws(WorkStop) -> ViewedVersion? {
    let token = collection.state.token(of: record)
    return try collection.state.viewed(
      view, at: record, read.first { $0.token == token }, reader, meter)
  }

  /// The encoded snapshot of what a view shows of a version; nil if contents that this takes are not available.
  func viewedContent(
    of collection: VisibleCollection, _ record: VersionRecord, _ query: ViewQuery,
    _ form: AnswerForm
  ) throws(WorkStop) -> EncodedText? {
    let view = CompiledView(query.view, collection.state.settings)
    guard let viewed = try viewed(view, record, of: collection),
      let run = try viewed.run(query.window, meter)
    else { return nil }
    return try content(of: run, viewed, view, collection, record, form)
  }

  private func content(
    of run: ViewRun, _ viewed: ViewedVersion, _ view: CompiledView, _ collection: VisibleCollection,
    _ record: VersionRecord, _ form: AnswerForm
  ) throws(WorkStop) -> EncodedText? {
    guard let list = try view.list(run, of: viewed, reader, meter), list.hasAllContents,
      view.meta(of: record) == nil || list.contents.meta != nil
    else { return nil }
    try meter.look()
    return text(of: collection.material(of: list, form), form)
  }

  /// The delta between what a view shows of two retained versions, whose contents are in memory as far as there are any.
  func delta(
    from source: VersionRecord, _ from: VersionToken, to target: VersionRecord, _ query: ViewQuery,
    _ collection: VisibleCollection, of client: ResourceName, _ request: ReadRequest
  ) throws(WorkStop) -> Result<ReadAnswer, ServiceFailure> {
    let token = collection.token(of: target)
    let told = try orSnapshot(collection, target, query, request.form) { () throws(WorkStop) in
      let pair = try pair(query, from, source, target, of: collection)
      return try pair.flatMap { pair throws(WorkStop) in
        try news(pair, collection, request, of: client)
      }
    }
    switch told {
    case .same(let numbers)?: return .success(.unchanged(token, numbers))
    case .delta(let body)?: return .success(.delta(token, body: body))
    case .reset(_, let content)?:
      return .success(.snapshot(token, content: content, reset: nil))
    case nil: return .failure(collection.contentGone)
    }
  }
}

/// What a view shows of two versions of one collection.
private struct ViewedPair {
  let view: CompiledView
  let query: ViewQuery
  /// The version that the reader has; `older` shows it the same.
  let from: VersionToken
  let older: (version: ViewedVersion, record: VersionRecord)
  let newer: (version: ViewedVersion, record: VersionRecord)
  /// What the reader has, and what it asks for.
  let olderRun: ViewRun
  let newerRun: ViewRun

  /// Finds what the reader has and asks for; nil if contents that this takes are not available.
  ///
  /// - Throws: `WorkStop`.
  init?(
    view: CompiledView, query: ViewQuery, from: VersionToken,
    older: (version: ViewedVersion, record: VersionRecord),
    newer: (version: ViewedVersion, record: VersionRecord), _ meter: WorkMeter
  ) throws(WorkStop) {
    guard let olderRun = try older.version.run(query.held, meter),
      let newerRun = try newer.version.run(query.window, after: older.version, meter)
    else { return nil }
    (self.view, self.query, self.from) = (view, query, from)
    (self.older, self.newer) = (older, newer)
    (self.olderRun, self.newerRun) = (olderRun, newerRun)
  }

  /// Whether it is known what the reader has: a window around an id that its version did not show depends on what it
  /// had before, unless that was the newest version, and the collection has no such id.
  var isOlderKnown: Bool {
    if olderRun.isExact { return true }
    // A restricted reader must not learn whether an id that it does not see is there.
    return olderRun.isOfUnknownID && query.view.restriction == nil
      && older.record.seq == newer.record.seq && olderRun == newerRun
  }

  /// Whether the reader sees the same of both.
  func isSame(_ reader: JSONReader, _ meter: WorkMeter) throws(WorkStop) -> Bool {
    guard view.meta(of: older.record) == view.meta(of: newer.record) else { return false }
    return try view.isSame(
      older.version, olderRun, newer.version, newerRun, reader, meter)
  }

  /// The input for encoding the delta; nil if contents that this takes are not available.
  ///
  /// - Throws: The error of the engine, the law that the delta violates, or `WorkStop`.
  func material(
    _ collection: VisibleCollection, _ form: AnswerForm, _ context: AnswerContext,
    _ reader: JSONReader, _ meter: WorkMeter
  ) throws -> DeltaEncodingInput? {
    guard let source = try view.list(olderRun, of: older.version, reader, meter),
      let target = try view.list(newerRun, of: newer.version, reader, meter)
    else { return nil }
    let delta = try Delta(
      from: source.sections, to: target.sections, uniqueness: .promised)
    if let violation = context.judge(delta, source.sections, target.sections) { throw violation }
    let (settings, limits) = (collection.state.settings, context.limits)
    let itemCount = max(source.sections.itemCount, target.sections.itemCount)
    let isAnimated =
      itemCount <= settings.dataCountAnimationThreshold ?? limits.dataCountAnimationThreshold
      && delta.changeCount
        <= settings.deltaCountAnimationThreshold ?? limits.deltaCountAnimationThreshold
    let (oldMeta, meta) = (view.meta(of: older.record), view.meta(of: newer.record))
    let isMetaKnown = meta == nil || target.contents.meta != nil
    var material = DeltaEncodingInput(
      envelope: .init(
        collection: collection.state.name.text, from: from,
        to: collection.token(of: newer.record), isAnimated: isAnimated),
      source: source.sections, target: collection.material(of: target, form), delta: delta,
      metaChange: oldMeta == meta ? .unchanged : isMetaKnown ? .changed : .gone)
    material.departures = try view.departures(
      from: source, to: target, of: newer.version, meter)
    material.sourceParts = source.parts
    return material.hasAllContents ? material : nil
  }
}

extension ViewedList {
  /// Whether all contents of the list are available.
  fileprivate var hasAllContents: Bool {
    contents.itemCount == sections.itemCount
      && (0..<contents.itemCount).allSatisfy { !contents.item(at: $0).isEmpty }
      && sections.indices.allSatisfy { contents.hasHeader(ofSection: $0) }
  }
}

extension CompiledView {
  /// The hash of a version's `meta`, if the reader sees that.
  fileprivate func meta(of record: VersionRecord) -> ContentHash? {
    view.shows(.meta) ? record.meta : nil
  }
}
