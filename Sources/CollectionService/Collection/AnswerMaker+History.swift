import DeltaEngine
import LiveCollections
import SnapshotJSON

extension CollectionState {
  /// The versions that are kept, oldest first.
  var versions: [VersionSummary] {
    history.records.map { VersionSummary(version: token(of: $0), date: $0.date) }
  }
}

extension AnswerMaker {
  /// The ids of a version that is kept, encoded.
  func structure(
    _ collection: CollectionState, _ version: VersionToken
  ) -> Result<ReadAnswer, ServiceFailure> {
    find([version], of: collection).map { records in
      let sections = collection.history.structure(
        of: records[0].seq, head: collection.structure
      ).sections
      let material = SnapshotMaterial(
        sections: sections, ids: collection.ids, contents: .none)
      let text = EncodedText(context.encoders.structure(material))
      return .snapshot(version, content: text, reset: nil)
    }
  }

  /// The delta between two versions that are kept, in either direction, encoded.
  ///
  /// With `wantsSnapshot` it is all of `to` instead, as far as its contents are retained.
  func delta(
    _ collection: CollectionState, of client: ResourceName, from: VersionToken, to: VersionToken,
    _ form: AnswerForm, wantsSnapshot: Bool, requestID: RequestID?
  ) -> Result<ReadAnswer, ServiceFailure> {
    find([from, to], of: collection).flatMap { records in
      if wantsSnapshot { return snapshot(of: collection, at: records[1], form) }
      let isFolded = collection.hasLists && !context.encoders.carriesNested(form)
      do {
        var material = try collection.material(
          from: records[0], to: records[1], isFolded: isFolded, context.judge, reader)
        guard material.hasAllContents else { return .failure(collection.contentGone) }
        if form.patchesItems {
          material = collection.patchingItems(material, includesHead: true, reader)
        }
        return .success(.delta(to, body: context.encoders.delta(material, form)))
      } catch {
        context.counters.refusedDeltas.add(1)
        context.faults(
          Fault(
            .deltaRefused, "\(error)", client: client, collection: collection.name,
            requestID: requestID))
        return snapshot(of: collection, at: records[1], form)
      }
    }
  }

  /// All of a version that is kept, if the head has all of its contents.
  private func snapshot(
    of collection: CollectionState, at record: VersionRecord, _ form: AnswerForm
  ) -> Result<ReadAnswer, ServiceFailure> {
    if record.seq == collection.history.head.seq {
      return .success(snapshot(of: collection, form))
    }
    let structure = collection.history.structure(of: record.seq, head: collection.structure)
    guard let contents = collection.allContents(of: structure, record) else {
      return .failure(collection.contentGone)
    }
    let material = SnapshotMaterial(
      sections: structure.sections, ids: collection.ids, contents: contents,
      animations: collection.settings.animations)
    let content = context.encoders.snapshot(material, form.ofSnapshot)
    return .success(.snapshot(collection.token(of: record), content: content, reset: nil))
  }

  /// What a collection keeps of some versions.
  private func find(
    _ versions: [VersionToken], of collection: CollectionState
  ) -> Result<[VersionRecord], ServiceFailure> {
    var records: [VersionRecord] = []
    for version in versions {
      switch collection.relation(of: version) {
      case .current: records.append(collection.history.head)
      case .behind(let record, _): records.append(record)
      case .compacted:
        return .failure(
          ServiceFailure(.versionGone(oldest: collection.oldestToken), current: collection.token))
      case .initial, .ahead, .diverged, .otherLineage:
        return .failure(ServiceFailure(.unknownVersion(version), current: collection.token))
      }
    }
    return .success(records)
  }
}

extension CollectionState {
  /// The oldest version that is kept.
  var oldestToken: VersionToken { token(of: history.oldest) }

  fileprivate var contentGone: ServiceFailure {
    ServiceFailure(.contentGone(oldest: oldestToken), current: token)
  }

  /// What an encoder of a delta between any two versions needs.
  ///
  /// Contents are the head's wherever it still has them, and empty elsewhere.
  ///
  /// - Throws: Why the delta cannot be computed, or which law it breaks.
  fileprivate func material(
    from: VersionRecord, to: VersionRecord, isFolded: Bool, _ judge: DeltaJudge,
    _ reader: JSONReader
  ) throws -> DeltaMaterial {
    let (older, newer) = (
      history.structure(of: from.seq, head: structure),
      history.structure(of: to.seq, head: structure)
    )
    let source = isFolded ? older.folded : older.sections
    let target = isFolded ? newer.folded : newer.sections
    let delta = try Delta(from: source, to: target)
    if let violation = judge(delta, source, target) { throw violation }
    let nested = isFolded ? [] : try older.changes(to: newer, judge: judge)
    let contents = to.seq == history.head.seq ? contents : heldContents(of: newer, to)
    return DeltaMaterial(
      envelope: .init(collection: name.text, from: token(of: from), to: token(of: to)),
      source: source,
      target: SnapshotMaterial(
        sections: target, ids: ids, contents: contents, animations: settings.animations),
      delta: delta, nested: nestedMaterials(nested, in: target, reader),
      metaChange: from.meta == to.meta
        ? .unchanged : to.meta == history.head.meta || to.meta == nil ? .changed : .gone)
  }

  /// The contents of an older version, if the head has them all.
  fileprivate func allContents(
    of structure: NestedStructure, _ record: VersionRecord
  ) -> Contents? {
    let held = heldContents(of: structure, record)
    let hasAll =
      (0..<held.itemCount).allSatisfy { !held.item(at: $0).isEmpty }
      && structure.sections.indices.allSatisfy { !held.header(ofSection: $0).isEmpty }
      && (record.meta == nil || held.meta != nil)
    return hasAll ? held : nil
  }

  /// The contents of an older version, as far as the head has them.
  private func heldContents(
    of structure: NestedStructure, _ record: VersionRecord
  ) -> Contents {
    var places: [StructureItem: Int] = [:]
    var headers: [UInt32: (Int, ContentHash)] = [:]
    var flat = 0
    for (index, section) in sections.enumerated() {
      headers[section.uniqueID] = (index, section.header)
      for item in section.items {
        places[item] = flat
        flat += 1
      }
    }
    var builder = ContentsBuilder(byteCount: contents.byteCount)
    for section in structure.sections {
      let held = headers[section.uniqueID].flatMap { $1 == section.header ? $0 : nil }
      builder.add(header: held.map { contents.header(ofSection: $0) } ?? [])
      for item in section.items {
        let isSame = structure.lists[item.uniqueID] == nested[item.uniqueID]
        builder.add(item: isSame ? places[item].map { contents.item(at: $0) } ?? [] : [])
      }
    }
    if record.meta != nil, record.meta == history.head.meta, let meta = contents.meta {
      builder.add(meta: meta)
    }
    return builder.contents
  }
}

extension DeltaMaterial {
  /// Whether all contents that the delta brings are retained.
  fileprivate var hasAllContents: Bool {
    let changes = delta.changes
    if case .gone = metaChange { return false }
    return changes.insertedItems.allSatisfy { !json($0).isEmpty }
      && changes.reloadedItems.allSatisfy { !json($0.target).isEmpty }
      && changes.insertedSections.allSatisfy { !json($0).isEmpty }
      && changes.reloadedSections.allSatisfy { !json($0.target).isEmpty }
      && nested.allSatisfy(\.material.hasAllContents)
  }
}
