import DeltaEngine
import LiveCollections
import SnapshotJSON

/// What a reader's version is to a collection.
enum VersionRelation {
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

extension CollectionState {
  /// What a version is to the collection.
  func relation(of since: VersionToken?) -> VersionRelation {
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
      sections: sections, ids: ids, contents: contents, animations: settings.animations)
  }

  /// What an encoder of a delta to the head needs.
  func material(
    of delta: Delta, from record: VersionRecord, source: [StructureSection],
    isFolded: Bool, nested: [NestedChange], isAnimated: Bool, _ reader: JSONReader
  ) -> DeltaMaterial {
    let target = SnapshotMaterial(
      sections: isFolded ? structure.folded : sections, ids: ids, contents: contents,
      animations: settings.animations)
    return DeltaMaterial(
      envelope: DeltaMaterial.Envelope(
        collection: name.text, from: token(of: record), to: token, isAnimated: isAnimated),
      source: source, target: target, delta: delta,
      nested: nestedMaterials(nested, in: sections, contents, reader),
      metaChange: record.meta == history.head.meta ? .unchanged : .changed)
  }

  /// What an encoder of changes inside items needs.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - sections: The version that they end at.
  ///   - contents: That version's; lists of items that are empty there have no contents.
  ///   - reader: Reads JSON.
  /// - Returns: The changes with their contents.
  func nestedMaterials(
    _ changes: [NestedChange], in sections: [StructureSection], _ contents: Contents,
    _ reader: JSONReader
  ) -> [NestedMaterial] {
    guard !changes.isEmpty, let rule = settings.nested else { return [] }
    return NestedContents(sections: sections, contents: contents, ids: ids, rule: rule)
      .materials(changes, reader)
  }

  /// The delta from a version to the head, judged by the simulator; or why there is none.
  ///
  /// - Parameters:
  ///   - record: The version.
  ///   - isFolded: Whether the lists inside items are part of their contents.
  ///   - limits: The thresholds, where the collection has none of its own.
  ///   - judge: The simulator.
  /// - Returns: The delta, and what changed inside items alone.
  func outcome(
    from record: VersionRecord, isFolded: Bool, limits: ServiceLimits, judge: DeltaJudge
  ) -> AnswerCache.Outcome {
    let itemsMax = settings.dataCountAnimationThreshold ?? limits.dataCountAnimationThreshold
    let changesMax = settings.deltaCountAnimationThreshold ?? limits.deltaCountAnimationThreshold
    let older = history.structure(of: record.seq, head: structure)
    let source = isFolded ? older.folded : older.sections
    let target = isFolded ? structure.folded : sections
    let known = !isFolded && latestDelta?.from == record.seq ? latestDelta?.delta : nil
    do {
      let delta = try known ?? Delta(from: source, to: target, uniqueness: .promised)
      let nested = isFolded ? [] : try older.changes(to: structure, judge: judge)
      let changeCount = nested.reduce(delta.changeCount) { $0 + $1.delta.changeCount }
      if let violation = judge(delta, source, target) { throw violation }
      let itemCount = max(older.sections.itemCount, sections.itemCount)
      return .delta(
        delta, source: source, nested: nested,
        isAnimated: itemCount <= itemsMax && changeCount <= changesMax)
    } catch {
      return .refused("\(error)")
    }
  }
}
