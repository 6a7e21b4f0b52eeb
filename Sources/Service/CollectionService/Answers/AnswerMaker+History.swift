import DeltaEngine
import LiveCollections
import SnapshotJSON
import VersionedCollections

extension VisibleCollection {
  /// The retained versions that the reader may read, oldest first.
  var summaries: [VersionSummary] {
    versions.map { VersionSummary(version: token(of: $0), date: $0.date) }
  }
}

extension AnswerMaker {
  /// Returns the snapshot of a retained version; `notInView` for a restricted reader.
  func snapshot(
    _ version: RetainedVersion, of collection: VisibleCollection, _ request: ReadRequest
  ) throws(WorkStop) -> Result<ReadAnswer, ServiceFailure> {
    if collection.restriction != nil { return .failure(collection.failure(.notInView)) }
    if version.isHead { return try snapshot(of: collection, request) }
    let form = request.form
    let content: EncodedText?
    if let query = form.view {
      content = try viewedContent(of: collection, version.record, query, form)
    } else {
      content = collection.material(of: version, form).map { text(of: $0, form) }
    }
    guard let content else { return .failure(collection.contentGone) }
    return .success(.snapshot(version.token, content: content, reset: nil))
  }

  /// Returns the encoded delta between two retained versions, in either direction; `notInView` for a restricted reader.
  func delta(
    from source: VersionToken, to target: RetainedVersion, of collection: VisibleCollection,
    _ client: ResourceName, _ request: ReadRequest
  ) throws(WorkStop) -> Result<ReadAnswer, ServiceFailure> {
    if collection.restriction != nil { return .failure(collection.failure(.notInView)) }
    let form = request.form
    let record: VersionRecord
    switch collection.records(of: [source]) {
    case .success(let records): record = records[0]
    case .failure(let failure): return .failure(failure)
    }
    if let query = form.view {
      return try delta(
        from: record, source, to: target.record, query, collection, of: client, request)
    }
    do {
      var material = try target.delta(from: record, source, collection, form, context.judge)
      guard material.hasAllContents else { return .failure(collection.contentGone) }
      if form.patchesItems {
        material = collection.state.patchingItems(material, includesHead: true, reader)
      }
      return .success(.delta(target.token, body: context.encoders.delta(material, form)))
    } catch {
      context.counters.refusedDeltas.add(1)
      context.faults(
        Fault(
          .deltaRefused, "\(error)", client: client, collection: collection.state.name,
          requestID: request.requestID))
      return try snapshot(target, of: collection, request)
    }
  }
}

extension RetainedVersion {
  /// The input for encoding the delta from another version; unavailable contents are empty.
  ///
  /// - Throws: The error of the engine, or the law that the delta violates.
  fileprivate func delta(
    from other: VersionRecord, _ from: VersionToken, _ visible: VisibleCollection,
    _ form: AnswerForm, _ judge: DeltaJudge
  ) throws -> DeltaEncodingInput {
    let source = RetainedVersion(collection, other).sections
    let target = sections
    let delta = try Delta(from: source, to: target)
    if let violation = judge(delta, source, target) { throw violation }
    let contents = contents ?? .none
    let isMetaKnown = record.meta == nil || contents.meta != nil
    return DeltaEncodingInput(
      envelope: .init(
        collection: collection.name.text, from: from, to: token),
      source: source,
      target: SnapshotEncodingInput(
        sections: target, ids: collection.ids, contents: contents,
        animations: visible.animations(form)),
      delta: delta,
      metaChange: other.meta == record.meta ? .unchanged : isMetaKnown ? .changed : .gone)
  }
}

extension DeltaEncodingInput {
  /// Whether all contents in the delta are available.
  var hasAllContents: Bool {
    let changes = delta.changes
    if case .gone = metaChange { return false }
    return changes.insertedItems.allSatisfy { !json($0).isEmpty }
      && changes.reloadedItems.allSatisfy { !json($0.target).isEmpty }
      && changes.insertedSections.allSatisfy { !json($0).isEmpty }
      && changes.reloadedSections.allSatisfy { !json($0.target).isEmpty }
  }
}
