import DeltaEngine
import LiveCollections

/// How a reader's version stands to a collection.
enum Standing {
  /// The reader has none.
  case initial
  /// It is the head.
  case current
  /// It is kept.
  case behind(VersionRecord, VersionToken)
  /// It is older than what is kept.
  case compacted(VersionToken)
  /// It is newer than the head: perhaps a replica that lags, perhaps a lost history.
  case ahead(VersionToken)
  /// It has the number, but not the content, of a version of this collection.
  case diverged(VersionToken)
  /// It is of another life of the collection.
  case otherLineage(VersionToken)
}

extension HostedCollection {
  /// How a version stands to the collection.
  func standing(of since: VersionToken?) -> Standing {
    guard let since else { return .initial }
    guard since.lineage == lineage else { return .otherLineage(since) }
    if since.seq > history.head.seq { return .ahead(since) }
    guard let record = history[since.seq] else { return .compacted(since) }
    guard record.digest.text == since.digest else { return .diverged(since) }
    return record.seq == history.head.seq ? .current : .behind(record, since)
  }

  /// What an encoder of the head needs.
  var material: SnapshotMaterial {
    SnapshotMaterial(
      sections: data.sections, ids: ids, contents: contents, animations: settings.animations)
  }

  /// What an encoder of a delta to the head needs.
  func material(
    of delta: Delta, from record: VersionRecord, source: [StructureSection]
  ) -> DeltaMaterial {
    DeltaMaterial(
      envelope: DeltaMaterial.Envelope(
        collection: name.text, from: token(of: record), to: token),
      source: source, target: material, delta: delta,
      metaChange: record.meta == history.head.meta ? .unchanged : .changed)
  }

  /// The delta from a version to the head, judged by the simulator; or why there is none.
  func outcome(from record: VersionRecord, limits: ServiceLimits) -> AnswerCache.Outcome {
    let itemsMax = settings.dataCountAnimationThreshold ?? limits.dataCountAnimationThreshold
    let changesMax = settings.deltaCountAnimationThreshold ?? limits.deltaCountAnimationThreshold
    let target = data.sections
    guard target.itemCount <= itemsMax else { return .tooLarge }
    let source = history.structure(of: record.seq, head: target)
    guard source.itemCount <= itemsMax else { return .tooLarge }
    let known = latestDelta?.from == record.seq ? latestDelta?.delta : nil
    guard let delta = try? known ?? Delta(from: source, to: target, uniqueness: .promised)
    else { return .refused }
    guard delta.changeCount <= changesMax else { return .tooLarge }
    guard delta.isLawful(from: source, to: target) else { return .refused }
    return .delta(delta, source: source)
  }
}
