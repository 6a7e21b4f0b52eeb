import LiveCollections
import SnapshotJSON

/// A collection as a write finds it: a value that any queue may prepare the next version from.
///
/// What is prepared learns ids in a copy of the table; the collection takes it with the version.
struct CollectionState: Sendable {
  let name: ResourceName
  let lineage: String
  /// Holds the sections; only compared with here.
  let data: CollectionSectionData<StructureSection>
  let sections: [StructureSection]
  /// The record of the version that this is.
  let record: VersionRecord
  let contents: Contents
  let forced: ForcedContents
  let nested: NestedLists
  let settings: CollectionSettings
  var ids: IDTable
  /// The older versions, while it is worth looking for ids that none of them has; nil else.
  var olderVersions: History?

  /// Its token.
  var token: VersionToken { token(of: record) }

  /// The token of a version of it.
  func token(of record: VersionRecord) -> VersionToken {
    VersionToken(lineage: lineage, seq: record.seq, digest: record.digest.text)
  }

  /// What the next version's lists inside items are read beside.
  var nestedBase: NestedBase {
    NestedBase(sections: sections, contents: contents, lists: nested)
  }

  /// About how much memory it takes, without its older versions.
  var byteCount: Int { Self.byteCount(contents, ids, nested.byteCount) }

  /// About how much memory a version with its ids takes.
  static func byteCount(_ contents: Contents, _ ids: IDTable, _ nestedBytes: Int) -> Int {
    contents.byteCount + contents.itemCount * MemoryLayout<StructureItem>.stride + ids.byteCount
      + nestedBytes
  }

  /// Whether items of the next snapshot may be left out where it has the same bytes: not where an
  /// item is more than its bytes, or is elsewhere than it was sent.
  var hasElidableItems: Bool {
    forced.isEmpty && settings.nested == nil && settings.identity == .unique
      && !settings.arranges && contents.itemCount > 0
  }

  /// Whether other settings make the older versions meaningless.
  func forgetsOlder(by other: CollectionSettings) -> Bool {
    settings.nested.map { $0 != other.nested } ?? false
  }

  /// Frees the ids that no retained version has, once they may be half of the table.
  mutating func reclaimIDs() {
    guard let history = olderVersions else { return }
    olderVersions = nil
    var isLive = Set<UInt32>()
    for section in sections {
      isLive.insert(section.uniqueID)
      for item in section.items { isLive.insert(item.uniqueID) }
    }
    nested.forEachID { isLive.insert($0) }
    history.forEachID { isLive.insert($0) }
    ids.reclaim { isLive.contains($0) }
  }
}
