import DeltaEngine
import LiveCollections
import SnapshotJSON

/// A collection at one moment: a value that any queue may read, or prepare the next version from.
///
/// What is prepared learns ids in a copy of the table; the collection takes it with the version.
struct CollectionState: Sendable {
  let name: ResourceName
  let lineage: String
  /// Has the head's sections too; the very class that apps use.
  ///
  /// Its shard alone commits to it.
  let data: CollectionSectionData<StructureSection>
  private(set) var sections: [StructureSection]
  private(set) var history: History
  private(set) var contents: Contents
  /// What items were before they changed.
  private(set) var replaced = ReplacedItems()
  /// What is shown under another hash than its content's.
  private(set) var overrides: HashOverrides
  /// The lists inside the head's items.
  private(set) var nested: NestedLists
  private var nestedBytes: Int
  private(set) var settings: CollectionSettings
  /// The texts of the ids.
  var ids: IDTable
  /// What the answers to readers of this version are kept under.
  private(set) var head = PublishedHead()
  /// The delta of the latest write, while readers wait for it.
  private(set) var latestDelta: (from: Int, delta: Delta)?

  /// A collection whose first version is about to be shown.
  init(
    name: ResourceName, lineage: String, data: CollectionSectionData<StructureSection>,
    first: PreparedVersion
  ) {
    self.name = name
    self.lineage = lineage
    self.data = data
    sections = first.sections
    ids = first.ids
    history = History(head: first.record)
    contents = first.contents
    overrides = first.overrides
    nested = first.nested
    nestedBytes = first.nestedBytes
    settings = first.settings ?? CollectionSettings()
  }

  /// A collection as a store gave it back.
  init(name: ResourceName, _ stored: StoredCollection, _ limits: ServiceLimits) {
    var stored = stored
    nested = stored.nestedLists(limits)
    self.name = name
    lineage = stored.lineage
    sections = stored.sections
    ids = stored.ids
    data = CollectionSectionData(stored.sections)
    history = stored.history
    contents = stored.contents
    overrides = stored.overrides
    settings = stored.settings
    nestedBytes = nested.byteCount
    ids.noteAllInUse()
  }

  /// The record of the head.
  var record: VersionRecord { history.head }

  /// The token of the head.
  var token: VersionToken { token(of: record) }

  /// The token of a version.
  func token(of record: VersionRecord) -> VersionToken {
    VersionToken(lineage: lineage, seq: record.seq, digest: record.digest.text)
  }

  /// The head's structure, with the lists inside its items.
  var structure: NestedStructure { NestedStructure(sections: sections, lists: nested) }

  /// Whether items of it have lists of their own.
  var hasLists: Bool { settings.nested != nil }

  /// About how much memory it takes, without what was computed for readers.
  var byteCount: Int {
    1024 + headBytes + history.patchBytes + 128 * history.count + replaced.byteCount
  }

  /// What a collection takes beside its head when it has no older version.
  static let overhead = 1024 + 128

  /// About how much memory the head takes.
  var headBytes: Int { Self.byteCount(contents, ids, nestedBytes) }

  /// About how much memory a version with its ids takes.
  static func byteCount(_ contents: Contents, _ ids: IDTable, _ nestedBytes: Int) -> Int {
    contents.byteCount + contents.itemCount * MemoryLayout<StructureItem>.stride + ids.byteCount
      + nestedBytes
  }
}

extension CollectionState {
  /// Makes a version that was prepared from it the head.
  mutating func take(
    _ next: PreparedVersion, retention: Retention, now: Int64, keepsDelta: Bool
  ) {
    let retention = (next.settings ?? settings).retention ?? retention
    latestDelta = keepsDelta ? (record.seq, next.delta) : nil
    sections = next.sections
    if let back = next.back {
      history.append(next.record, back: back.structure, nested: back.nested)
    }
    contents = next.contents
    replaced.append(next.replaced, bytesMax: contents.byteCount / 2)
    take(
      PreparedSettings(
        settings: next.settings ?? settings, overrides: next.overrides, nested: next.nested,
        nestedBytes: next.nestedBytes, ids: next.ids))
    history.trim(retention, contentBytes: contents.byteCount, now: now)
  }

  /// Takes settings that change nothing that is shown now.
  mutating func take(_ prepared: PreparedSettings) {
    // Older versions of lists that are no longer lists mean nothing any more.
    if forgetsOlder(by: prepared.settings) { history.forgetOlder() }
    settings = prepared.settings
    ids = prepared.ids
    overrides = prepared.overrides
    nested = prepared.nested
    nestedBytes = prepared.nestedBytes
    head = PublishedHead()
  }

  /// Whether other settings make the older versions meaningless.
  func forgetsOlder(by other: CollectionSettings) -> Bool {
    settings.nested.map { $0 != other.nested } ?? false
  }

  /// Frees the ids that no retained version has, once they may be half of the table.
  mutating func reclaimIDs() {
    guard ids.isWorthReclaiming else { return }
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
