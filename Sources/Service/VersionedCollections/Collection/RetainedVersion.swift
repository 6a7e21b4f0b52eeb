import DeltaEngine
import SnapshotJSON

/// A retained version with those of its contents that are available.
package struct RetainedVersion: Sendable {
  package let collection: CollectionState
  package let record: VersionRecord
  /// The contents, indexed by their places in the version; nil if they have not been read.
  package private(set) var contents: Contents?

  package init(_ collection: CollectionState, _ record: VersionRecord) {
    self.collection = collection
    self.record = record
    if record.seq == collection.record.seq { contents = collection.contents }
  }

  package var token: VersionToken { collection.token(of: record) }

  package var isHead: Bool { record.seq == collection.record.seq }

  /// The structure.
  ///
  /// - Complexity: That of ``History/sections(of:head:)``.
  package var sections: [StructureSection] {
    collection.history.sections(of: record.seq, head: collection.sections)
  }

  /// Uses contents read from a store, if they match the version.
  package mutating func take(_ stored: StoredCollection) {
    guard stored.version == token,
      stored.sections.map(\.items.count) == sections.map(\.items.count)
    else { return }
    contents = stored.contents
  }

  /// Uses those contents that the head also has; the others are empty.
  package mutating func takeHeld() { contents = collection.heldContents(of: sections, record) }
}

extension CollectionState {
  /// The contents of an older version that the head also has; the others are empty.
  fileprivate func heldContents(
    of older: [StructureSection], _ record: VersionRecord
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
    for section in older {
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
