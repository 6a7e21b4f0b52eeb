import DeltaEngine
import SnapshotJSON

/// A version of a collection that is kept, with its contents as far as they are known.
struct RetainedVersion: Sendable {
  let collection: CollectionState
  let record: VersionRecord
  /// The contents of its items and sections, by their places in it; nil when they were not read.
  private(set) var contents: Contents?

  init(_ collection: CollectionState, _ record: VersionRecord) {
    self.collection = collection
    self.record = record
    if record.seq == collection.record.seq { contents = collection.contents }
  }

  var token: VersionToken { collection.token(of: record) }

  var isHead: Bool { record.seq == collection.record.seq }

  /// Its structure, with the lists inside its items.
  ///
  /// - Complexity: O(n) for each version between it and the head.
  var structure: NestedStructure {
    collection.history.structure(of: record.seq, head: collection.structure)
  }

  /// Takes what a store has of the version.
  mutating func take(_ stored: StoredCollection) {
    guard stored.version == token,
      stored.sections.map(\.items.count) == structure.sections.map(\.items.count)
    else { return }
    contents = stored.contents
  }

  /// Takes those of its contents that the head has; the others are empty.
  mutating func takeHeld() { contents = collection.heldContents(of: structure, record) }
}

extension CollectionState {
  /// What a collection keeps of some versions.
  func records(of versions: [VersionToken]) -> Result<[VersionRecord], ServiceFailure> {
    var records: [VersionRecord] = []
    for version in versions {
      switch relation(of: version) {
      case .current: records.append(history.head)
      case .behind(let record, _): records.append(record)
      case .compacted:
        return .failure(ServiceFailure(.versionGone(oldest: oldestToken), current: token))
      case .initial, .ahead, .diverged, .otherLineage:
        return .failure(ServiceFailure(.unknownVersion(version), current: token))
      }
    }
    return .success(records)
  }

  /// The oldest version that is kept.
  var oldestToken: VersionToken { token(of: history.oldest) }

  /// The refusal of one who asks for contents that are not kept.
  var contentGone: ServiceFailure {
    ServiceFailure(.contentGone(oldest: oldestToken), current: token)
  }

  /// The contents of an older version, as far as the head has them.
  fileprivate func heldContents(
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

extension Shard {
  /// Does something with a version once its contents are known, one old version at a time.
  ///
  /// Where the store does not have them, or keeps nothing, they are those that the head has.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - client: The collection's owner.
  ///   - requestID: What the log calls the request.
  ///   - work: Called once, on any queue; gets why the store did not answer, if so, and what to call
  ///     when the version is needed no more.
  func withContents(
    of version: RetainedVersion, _ client: ResourceName, _ requestID: RequestID?,
    _ work:
      @escaping @Sendable (
        AnswerMaker, Result<RetainedVersion, ServiceFailure>, _ end: @escaping @Sendable () -> Void
      ) -> Void
  ) {
    let byteCount = version.collection.contents.byteCount
    guard version.contents == nil else {
      return withMaker(of: byteCount) { work($0, .success(version)) {} }
    }
    guard context.store.keepsContents else {
      return withMaker(of: byteCount) { maker in
        var version = version
        version.takeHeld()
        work(maker, .success(version)) {}
      }
    }
    let name = version.collection.name
    context.versionLine.enter { [context] in
      context.store.read([.version(name, version.token)], of: client) { results in
        self.withMaker(of: .max) { maker in
          var version = version
          var failure: ServiceFailure?
          switch results[0] {
          case .success(.version(let stored?)): version.take(stored)
          case .success: break
          case .failure(let error):
            context.faults(Fault(error, client: client, collection: name, requestID: requestID))
            if case .damaged = error { break }
            failure = ServiceFailure(ServiceError(error), current: version.collection.token)
          }
          if version.contents == nil { version.takeHeld() }
          let result: Result<RetainedVersion, ServiceFailure> =
            if let failure { .failure(failure) } else { .success(version) }
          work(maker, result) { context.versionLine.leave() }
        }
      }
    }
  }
}
