import DeltaEngine
import LiveCollections

extension Shard {
  /// The versions of a collection that are kept, oldest first.
  func versions(_ key: CollectionKey) -> Result<[VersionSummary], ServiceFailure> {
    guard let collection = clients[key.client]?.collections[key.name] else {
      return .failure(ServiceFailure(.collectionNotFound, current: nil))
    }
    return .success(
      collection.history.records.map { record in
        VersionSummary(version: collection.token(of: record), date: record.date)
      })
  }

  /// The ids of a version that is kept, encoded.
  func structure(
    _ key: CollectionKey, _ version: VersionToken
  ) -> Result<ReadAnswer, ServiceFailure> {
    find(key, [version]).map { collection, records in
      let sections = collection.history.structure(
        of: records[0].seq, head: collection.data.sections)
      let material = SnapshotMaterial(
        sections: sections, ids: collection.ids, contents: .none)
      let text = EncodedText(context.encoders.structure(material))
      return .snapshot(version, content: text, reset: nil)
    }
  }

  /// The delta between two versions that are kept, in either direction, encoded.
  func delta(
    _ key: CollectionKey, from: VersionToken, to: VersionToken, _ form: AnswerForm
  ) -> Result<ReadAnswer, ServiceFailure> {
    find(key, [from, to]).flatMap { collection, records in
      guard let material = collection.material(from: records[0], to: records[1]) else {
        context.counters.refusedDeltas.add(1)
        return .failure(ServiceFailure(.internalFault, current: collection.token))
      }
      guard material.hasAllContents else {
        return .failure(
          ServiceFailure(.contentGone(oldest: collection.oldestToken), current: collection.token))
      }
      return .success(.delta(to, body: context.encoders.delta(material, form)))
    }
  }

  /// A collection, and what it keeps of some versions.
  private func find(
    _ key: CollectionKey, _ versions: [VersionToken]
  ) -> Result<(HostedCollection, [VersionRecord]), ServiceFailure> {
    guard let collection = clients[key.client]?.collections[key.name] else {
      return .failure(ServiceFailure(.collectionNotFound, current: nil))
    }
    var records: [VersionRecord] = []
    for version in versions {
      switch collection.standing(of: version) {
      case .current: records.append(collection.history.head)
      case .behind(let record, _): records.append(record)
      case .compacted:
        return .failure(
          ServiceFailure(.versionGone(oldest: collection.oldestToken), current: collection.token))
      case .initial, .ahead, .diverged, .otherLineage:
        return .failure(ServiceFailure(.unknownVersion(version), current: collection.token))
      }
    }
    return .success((collection, records))
  }
}

extension HostedCollection {
  /// The oldest version that is kept.
  var oldestToken: VersionToken { token(of: history.oldest) }

  /// What an encoder of a delta between any two versions needs; nil when the simulator refuses it.
  ///
  /// Contents are the head's wherever it still has them, and empty elsewhere.
  fileprivate func material(from: VersionRecord, to: VersionRecord) -> DeltaMaterial? {
    let head = data.sections
    let source = history.structure(of: from.seq, head: head)
    let target = history.structure(of: to.seq, head: head)
    guard let delta = try? Delta(from: source, to: target),
      (try? Simulator.check(delta, from: source, to: target)) != nil
    else { return nil }
    let contents = to.seq == history.head.seq ? contents : heldContents(of: target, to)
    return DeltaMaterial(
      envelope: .init(collection: name.text, from: token(of: from), to: token(of: to)),
      source: source,
      target: SnapshotMaterial(
        sections: target, ids: ids, contents: contents, animations: settings.animations),
      delta: delta,
      metaChange: from.meta == to.meta
        ? .unchanged : to.meta == history.head.meta || to.meta == nil ? .changed : .gone)
  }

  /// The contents of an older version, as far as the head has them.
  private func heldContents(
    of sections: [StructureSection], _ record: VersionRecord
  ) -> Contents {
    var places: [StructureItem: Int] = [:]
    var headers: [UInt32: (Int, ContentHash)] = [:]
    var flat = 0
    for (index, section) in data.sections.enumerated() {
      headers[section.uniqueID] = (index, section.header)
      for item in section.items {
        places[item] = flat
        flat += 1
      }
    }
    var builder = ContentsBuilder(byteCount: contents.byteCount)
    for section in sections {
      let held = headers[section.uniqueID].flatMap { $1 == section.header ? $0 : nil }
      builder.add(header: held.map { contents.header(ofSection: $0) } ?? [])
      for item in section.items {
        builder.add(item: places[item].map { contents.item(at: $0) } ?? [])
      }
    }
    if record.meta != nil, record.meta == history.head.meta, let meta = contents.meta {
      builder.add(meta: meta)
    }
    return builder.contents
  }
}

extension DeltaMaterial {
  /// Whether every content that the delta brings is there.
  fileprivate var hasAllContents: Bool {
    let changes = delta.changes
    if case .gone = metaChange { return false }
    return changes.addedItems.allSatisfy { !json($0).isEmpty }
      && changes.changedItems.allSatisfy { !json($0.target).isEmpty }
      && changes.addedSections.allSatisfy { !json($0).isEmpty }
      && changes.changedSections.allSatisfy { !json($0.target).isEmpty }
  }
}
