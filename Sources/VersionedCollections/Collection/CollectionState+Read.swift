package import DeltaEngine
import LiveCollections

package enum VersionRelation {
  /// The reader has no version.
  case initial
  /// The version is the head.
  case current
  /// The version is retained.
  case behind(VersionRecord, VersionToken)
  /// The version is older than the retained ones.
  case compacted(VersionToken)
  /// The version is newer than the head; the reader is ahead of this process, or history was lost.
  case ahead(VersionToken)
  /// The number is that of a version of this collection, but the digest differs.
  case diverged(VersionToken)
  case otherLineage(VersionToken)
}

extension CollectionState {
  package func relation(of since: VersionToken?) -> VersionRelation {
    guard let since else { return .initial }
    guard since.lineage == lineage else { return .otherLineage(since) }
    if since.seq > history.head.seq { return .ahead(since) }
    guard let record = history[since.seq] else { return .compacted(since) }
    guard record.digest.isWritten(since.digest) else { return .diverged(since) }
    return record.seq == history.head.seq ? .current : .behind(record, since)
  }

  /// The input for encoding the head.
  package func material(_ form: AnswerForm) -> SnapshotEncodingInput {
    SnapshotEncodingInput(
      sections: sections, ids: ids, contents: contents, animations: animations(form),
      idPath: settings.idPath)
  }

  package func animations(_ form: AnswerForm) -> [UInt8]? {
    form.omitsSettings ? nil : settings.animations
  }

  /// The input for encoding a delta to the head.
  package func material(
    of delta: Delta, from record: VersionRecord, source: [StructureSection], isAnimated: Bool
  ) -> DeltaEncodingInput {
    let target = SnapshotEncodingInput(
      sections: sections, ids: ids, contents: contents, animations: settings.animations)
    return DeltaEncodingInput(
      envelope: DeltaEncodingInput.Envelope(
        collection: name.text, from: token(of: record), to: token, isAnimated: isAnimated),
      source: source, target: target, delta: delta,
      metaChange: record.meta == history.head.meta ? .unchanged : .changed)
  }

  /// Computes the delta from a version to the head, by the limits unless the collection has its own, and has it
  /// judged by the simulator.
  package func outcome(
    from record: VersionRecord, limits: ServiceLimits, judge: DeltaJudge
  ) -> JudgedDelta {
    let itemsMax = settings.dataCountAnimationThreshold ?? limits.dataCountAnimationThreshold
    let changesMax = settings.deltaCountAnimationThreshold ?? limits.deltaCountAnimationThreshold
    let source = history.sections(of: record.seq, head: sections)
    let known = latestDelta?.from == record.seq ? latestDelta?.delta : nil
    do {
      let delta = try known ?? Delta(from: source, to: sections, uniqueness: .promised)
      if let violation = judge(delta, source, sections) { throw violation }
      let itemCount = max(source.itemCount, sections.itemCount)
      return .delta(
        delta, source: source,
        isAnimated: itemCount <= itemsMax && delta.changeCount <= changesMax)
    } catch {
      return .refused("\(error)")
    }
  }
}
