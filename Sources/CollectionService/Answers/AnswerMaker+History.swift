import DeltaEngine
import LiveCollections
import SnapshotJSON
import VersionedCollections

extension CollectionState {
  /// The retained versions, oldest first.
  var versions: [VersionSummary] {
    history.records.map { VersionSummary(version: token(of: $0), date: $0.date) }
  }
}

extension AnswerMaker {
  func snapshot(
    _ version: RetainedVersion, _ form: AnswerForm
  ) -> Result<ReadAnswer, ServiceFailure> {
    if version.isHead { return .success(snapshot(of: version.collection, form)) }
    if let query = form.view {
      guard let content = viewedContent(of: version.collection, version.record, query, form) else {
        return .failure(version.collection.contentGone)
      }
      return .success(.snapshot(version.token, content: content, reset: nil))
    }
    guard let material = version.material(form) else {
      return .failure(version.collection.contentGone)
    }
    let content = context.encoders.snapshot(material, form.ofSnapshot)
    return .success(.snapshot(version.token, content: content, reset: nil))
  }

  /// Returns the encoded delta between two retained versions, in either direction.
  func delta(
    from source: VersionToken, to target: RetainedVersion, of client: ResourceName,
    _ form: AnswerForm, requestID: RequestID?
  ) -> Result<ReadAnswer, ServiceFailure> {
    let collection = target.collection
    return collection.records(of: [source]).flatMap { records in
      if let query = form.view {
        return delta(
          from: records[0], to: target.record, query, collection, of: client, form,
          requestID: requestID)
      }
      do {
        var material = try target.delta(from: records[0], form, context.judge)
        guard material.hasAllContents else { return .failure(collection.contentGone) }
        if form.patchesItems {
          material = collection.patchingItems(material, includesHead: true, reader)
        }
        return .success(.delta(target.token, body: context.encoders.delta(material, form)))
      } catch {
        context.counters.refusedDeltas.add(1)
        context.faults(
          Fault(
            .deltaRefused, "\(error)", client: client, collection: collection.name,
            requestID: requestID))
        return snapshot(target, form)
      }
    }
  }
}

extension RetainedVersion {
  /// The input for encoding the delta from another version; unavailable contents are empty.
  ///
  /// - Throws: The error of the engine, or the law that the delta violates.
  fileprivate func delta(
    from other: VersionRecord, _ form: AnswerForm, _ judge: DeltaJudge
  ) throws -> DeltaEncodingInput {
    let source = RetainedVersion(collection, other).sections
    let target = sections
    let delta = try Delta(from: source, to: target)
    if let violation = judge(delta, source, target) { throw violation }
    let contents = contents ?? .none
    let isMetaKnown = record.meta == nil || contents.meta != nil
    return DeltaEncodingInput(
      envelope: .init(
        collection: collection.name.text, from: collection.token(of: other), to: token),
      source: source,
      target: SnapshotEncodingInput(
        sections: target, ids: collection.ids, contents: contents,
        animations: collection.animations(form)),
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
