import DeltaEngine
import SnapshotJSON

/// A retained version with those of its contents that are available.
struct RetainedVersion: Sendable {
  let collection: CollectionState
  let record: VersionRecord
  /// The contents, indexed by their places in the version; nil if they have not been read.
  private(set) var contents: Contents?

  init(_ collection: CollectionState, _ record: VersionRecord) {
    self.collection = collection
    self.record = record
    if record.seq == collection.record.seq { contents = collection.contents }
  }

  var token: VersionToken { collection.token(of: record) }

  var isHead: Bool { record.seq == collection.record.seq }

  /// The structure, including nested lists.
  ///
  /// - Complexity: O(*n* · *v*), where *n* is the number of items and *v* the number of newer
  ///   versions.
  var structure: NestedStructure {
    collection.history.structure(of: record.seq, head: collection.structure)
  }

  /// Uses contents read from a store, if they match the version.
  mutating func take(_ stored: StoredCollection) {
    guard stored.version == token,
      stored.sections.map(\.items.count) == structure.sections.map(\.items.count)
    else { return }
    contents = stored.contents
  }

  /// Uses those contents that the head also has; the others are empty.
  mutating func takeHeld() { contents = collection.heldContents(of: structure, record) }
}

extension CollectionState {
  /// Returns the records of retained versions, or the error for one that is not retained.
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

  /// The token of the oldest retained version.
  var oldestToken: VersionToken { token(of: history.oldest) }

  /// The error for contents that are not retained.
  var contentGone: ServiceFailure {
    ServiceFailure(.contentGone(oldest: oldestToken), current: token)
  }

  /// The contents of an older version that the head also has; the others are empty.
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
  /// Performs work once the contents of a version are read; one old version at a time.
  ///
  /// If the store does not have the contents, those that the head also has are used.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - client: The owner of the collection.
  ///   - requestID: The request's ID in the log.
  ///   - work: Called once, on any queue, with the version or the store's error, and with a
  ///     function to call when the version is no longer needed.
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
    context.versionQueue.enter { [context] in
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
          work(maker, result) { context.versionQueue.leave() }
        }
      }
    }
  }
}
