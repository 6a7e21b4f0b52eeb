import DeltaEngine
import SnapshotJSON
import VersionedCollections

/// Views: what some readers see of a collection instead of all of it.
extension AnswerMaker {
  /// Returns the answer to a reader of a view who has `from`, and sees in `record` the same.
  func answer(
    _ request: ReadRequest, _ query: ViewQuery, since record: VersionRecord, _ from: VersionToken,
    _ collection: VisibleCollection, of client: ResourceName
  ) -> Result<ReadAnswer, ServiceFailure> {
    switch news(since: record, from, request, query, collection, of: client) {
    case .same(let numbers)?:
      // What the reader has is repeated as it was sent, unless there is a newer version.
      let isNewest = from.seq == collection.state.record.seq
      return .success(.unchanged(isNewest ? from : collection.token, numbers))
    case .delta? where request.wantsSnapshot: return snapshot(of: collection, request)
    case .delta(let body)?: return .success(.delta(collection.token, body: body))
    case .reset(let reason, let content)?:
      return reset(reason, from, collection, request, content)
    // The version is retained, but not what its items were.
    case nil: return reset(.historyCompacted, from, collection, request)
    }
  }

  /// The version whose contents must be read before a reader of a view can be told what changed; nil if none must be.
  ///
  /// It is found by making the answer, which is cached then.
  func missingVersion(
    _ asked: ReadRequest, _ collection: VisibleCollection, of client: ResourceName
  ) -> RetainedVersion? {
    var request = asked
    request.form = collection.form(asked.form)
    guard let query = request.form.view,
      case .behind(let record, let since) = collection.relation(of: request),
      news(since: record, since, request, query, collection, of: client) == nil
    else { return nil }
    return RetainedVersion(collection.state, record)
  }

  /// What a reader who has `from` is told; nil if contents of `record`, in which it sees the same, are needed and not
  /// in memory.
  private func news(
    since record: VersionRecord, _ from: VersionToken, _ request: ReadRequest, _ query: ViewQuery,
    _ collection: VisibleCollection, of client: ResourceName
  ) -> ViewNews? {
    let head = collection.state.record
    return context.cache.news(of: collection.state.head, from: from.seq, request.form) {
      let view = CompiledView(query.view, collection.state.settings)
      guard let older = viewed(view, record, of: collection),
        let newer = viewed(view, head, of: collection)
      else { return nil }
      let pair = ViewedPair(
        view: view, query: query, from: from, older: (older, record), newer: (newer, head))
      guard let pair else { return nil }
      return news(pair, collection, request, of: client)
    }
  }

  private func news(
    _ pair: ViewedPair, _ collection: VisibleCollection, _ request: ReadRequest,
    of client: ResourceName
  ) -> ViewNews? {
    func reset(_ reason: Reset.Reason) -> ViewNews? {
      content(
        of: pair.newerRun, pair.newer.version, pair.view, collection, pair.newer.record,
        request.form
      ).map { .reset(reason, $0) }
    }
    // What such a reader has depends on what it had before.
    guard pair.olderRun.isExact else { return reset(.diverged) }
    if pair.isSame(reader) { return .same(ViewNumbers(pair.newerRun, collection.state.ids)) }
    do {
      guard let material = try pair.material(collection, request.form, context, reader) else {
        return nil
      }
      context.counters.encodings.add(1)
      var body = context.encoders.delta(
        request.form.patchesItems ? collection.state.patchingItems(material, reader) : material,
        request.form)
      body.view = material.target.view
      if material.envelope?.isAnimated == false, let reset = reset(.deltaTooLarge),
        case .reset(_, let content) = reset, body.textCount > content.textCount
      {
        return reset
      }
      return .delta(body)
    } catch {
      context.counters.refusedDeltas.add(1)
      context.faults(
        Fault(
          .deltaRefused, "\(error)", client: client, collection: collection.state.name,
          requestID: request.requestID))
      return reset(.deltaTooLarge)
    }
  }

  private func viewed(
    _ view: CompiledView, _ record: VersionRecord, of collection: VisibleCollection
  ) -> ViewedVersion? {
    let token = collection.state.token(of: record)
    return collection.state.viewed(view, at: record, read.first { $0.token == token }, reader)
  }

  /// The encoded snapshot of what a view shows of a version; nil if contents that this takes are not available.
  func viewedContent(
    of collection: VisibleCollection, _ record: VersionRecord, _ query: ViewQuery,
    _ form: AnswerForm
  ) -> EncodedText? {
    let view = CompiledView(query.view, collection.state.settings)
    guard let viewed = viewed(view, record, of: collection), let run = viewed.run(query.window)
    else { return nil }
    return content(of: run, viewed, view, collection, record, form)
  }

  private func content(
    of run: ViewRun, _ viewed: ViewedVersion, _ view: CompiledView, _ collection: VisibleCollection,
    _ record: VersionRecord, _ form: AnswerForm
  ) -> EncodedText? {
    guard let list = view.list(run, of: viewed, reader), list.hasAllContents,
      view.meta(of: record) == nil || list.contents.meta != nil
    else { return nil }
    return text(of: collection.material(of: list, form), form)
  }

  /// The delta between what a view shows of two retained versions, whose contents are in memory as far as there are any.
  func delta(
    from source: VersionRecord, _ from: VersionToken, to target: VersionRecord, _ query: ViewQuery,
    _ collection: VisibleCollection, of client: ResourceName, _ request: ReadRequest
  ) -> Result<ReadAnswer, ServiceFailure> {
    let view = CompiledView(query.view, collection.state.settings)
    guard let older = viewed(view, source, of: collection),
      let newer = viewed(view, target, of: collection)
    else { return .failure(collection.contentGone) }
    let pair = ViewedPair(
      view: view, query: query, from: from, older: (older, source),
      newer: (newer, target))
    guard let pair else { return .failure(collection.contentGone) }
    let token = collection.token(of: target)
    switch news(pair, collection, request, of: client) {
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
  /// The version that the reader has; `older` shows it the same.
  let from: VersionToken
  let older: (version: ViewedVersion, record: VersionRecord)
  let newer: (version: ViewedVersion, record: VersionRecord)
  /// What the reader has, and what it asks for.
  let olderRun: ViewRun
  let newerRun: ViewRun

  /// Finds what the reader has and asks for; nil if contents that this takes are not available.
  init?(
    view: CompiledView, query: ViewQuery, from: VersionToken,
    older: (version: ViewedVersion, record: VersionRecord),
    newer: (version: ViewedVersion, record: VersionRecord)
  ) {
    guard let olderRun = older.version.run(query.held),
      let newerRun = newer.version.run(query.window, after: older.version)
    else { return nil }
    (self.view, self.from, self.older, self.newer) = (view, from, older, newer)
    (self.olderRun, self.newerRun) = (olderRun, newerRun)
  }

  /// Whether the reader sees the same of both.
  func isSame(_ reader: JSONReader) -> Bool {
    view.meta(of: older.record) == view.meta(of: newer.record)
      && view.isSame(older.version, olderRun, newer.version, newerRun, reader)
  }

  /// The input for encoding the delta; nil if contents that this takes are not available.
  ///
  /// - Throws: The error of the engine, or the law that the delta violates.
  func material(
    _ collection: VisibleCollection, _ form: AnswerForm, _ context: AnswerContext,
    _ reader: JSONReader
  ) throws -> DeltaEncodingInput? {
    guard let source = view.list(olderRun, of: older.version, reader),
      let target = view.list(newerRun, of: newer.version, reader)
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
    material.departures = view.departures(from: source, to: target, of: newer.version)
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
