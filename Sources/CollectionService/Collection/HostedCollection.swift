import DeltaEngine
import LiveCollections
import SnapshotJSON

/// One collection, owned by its shard: a `CollectionSectionData` with its versions, contents, ids
/// and what was lately computed for readers.
final class HostedCollection {
  let name: ResourceName
  let lineage: String
  /// The head's structure; the very class that apps use.
  let data: CollectionSectionData<StructureSection>
  private(set) var history: History
  private(set) var contents: Contents
  private(set) var forced: ForcedContents
  /// The lists inside the head's items.
  private(set) var nested: NestedLists {
    didSet { nestedBytes = nested.byteCount }
  }
  private var nestedBytes = 0
  private(set) var settings: CollectionSettings
  var ids: IDTable
  /// What the answers to readers of the newest version are kept under.
  private(set) var head = AnswerCache.Head()
  /// The delta of the latest write, while readers wait for it.
  private(set) var latestDelta: (from: Int, delta: Delta)?
  private var idCountAfterReclaim = 0
  /// When it was last asked for, by its shard's count of uses.
  var lastUse = 0
  /// What its shard has counted it as.
  var countedBytes = 0

  /// A collection whose first version is about to be shown.
  init(
    name: ResourceName, lineage: String, ids: IDTable,
    data: CollectionSectionData<StructureSection>, first: PreparedVersion
  ) {
    self.name = name
    self.lineage = lineage
    self.ids = ids
    self.data = data
    history = History(head: first.record)
    contents = first.contents
    forced = first.forced
    nested = first.nested
    settings = first.settings ?? CollectionSettings()
    nestedBytes = nested.byteCount
    data.commit(first.update)
    idCountAfterReclaim = ids.count
    self.ids.settle()
  }

  /// A collection as a store gave it back.
  init(name: ResourceName, _ stored: StoredCollection, _ limits: ServiceLimits) {
    var stored = stored
    nested = stored.nestedLists(limits)
    self.name = name
    lineage = stored.lineage
    ids = stored.ids
    data = CollectionSectionData(stored.sections)
    history = stored.history
    contents = stored.contents
    forced = stored.forced
    settings = stored.settings
    nestedBytes = nested.byteCount
    idCountAfterReclaim = ids.count
    ids.settle()
  }

  /// About how much memory it takes, without what was computed for readers.
  var byteCount: Int {
    1024 + contents.byteCount + contents.itemCount * MemoryLayout<StructureItem>.stride
      + ids.byteCount + history.patchBytes + 128 * history.count + nestedBytes
  }

  /// The head's structure, with the lists inside its items.
  var structure: NestedStructure { NestedStructure(sections: data.sections, lists: nested) }

  /// Whether items of it have lists of their own.
  var hasLists: Bool { settings.nested != nil }

  /// What the next version's lists are read beside.
  var nestedBase: NestedBase {
    NestedBase(sections: data.sections, contents: contents, lists: nested)
  }

  /// The token of the head.
  var token: VersionToken { token(of: history.head) }

  /// The token of a version.
  func token(of record: VersionRecord) -> VersionToken {
    VersionToken(lineage: lineage, seq: record.seq, digest: record.digest.text)
  }

  /// Shows the next version.
  ///
  /// - Parameters:
  ///   - next: The version.
  ///   - retention: How much history is kept.
  ///   - now: Seconds since 1970.
  ///   - keepsDelta: Whether readers are about to ask for the delta from the head before.
  func commit(
    _ next: PreparedVersion, retention: Retention, now: Int64, keepsDelta: Bool
  ) {
    let retention = (next.settings ?? settings).retention ?? retention
    let before = data.sections
    latestDelta = keepsDelta ? (history.head.seq, next.update.delta) : nil
    precondition(data.commit(next.update), "the collection changed behind its owner's back")
    ids.settle()
    history.append(
      next.record, back: StructurePatch(to: before, from: data.sections),
      nested: NestedPatch(to: next.nestedBefore, from: next.nested))
    contents = next.contents
    forced = next.forced
    nested = next.nested
    if let settings = next.settings { take(settings) }
    history.trim(retention, contentBytes: contents.byteCount, now: now)
    head = AnswerCache.Head()
    reclaimIDs()
  }

  /// Takes settings that change nothing that is shown now.
  func apply(_ outcome: SettingsOutcome) {
    ids.settle()
    take(outcome.settings)
    forced = outcome.forced
    nested = outcome.nested
    head = AnswerCache.Head()
  }

  /// Older versions of lists that are no longer lists mean nothing any more.
  private func take(_ settings: CollectionSettings) {
    if forgetsOlder(by: settings) { history.forgetOlder() }
    self.settings = settings
  }

  /// Whether other settings make the older versions meaningless.
  func forgetsOlder(by settings: CollectionSettings) -> Bool {
    self.settings.nested.map { $0 != settings.nested } ?? false
  }

  /// Frees the ids that no retained version has, once they may be half of the table.
  private func reclaimIDs() {
    guard ids.count > 2 * idCountAfterReclaim + 64 else { return }
    var isLive = Set<UInt32>()
    for section in data.sections {
      isLive.insert(section.uniqueID)
      for item in section.items { isLive.insert(item.uniqueID) }
    }
    nested.forEachID { isLive.insert($0) }
    history.forEachID { isLive.insert($0) }
    ids.reclaim { isLive.contains($0) }
    idCountAfterReclaim = ids.count
  }
}

/// A version that is ready to be shown as soon as it is durable.
struct PreparedVersion {
  let update: PreparedUpdate<StructureSection>
  let record: VersionRecord
  let contents: Contents
  /// What is shown under another hash than its content's.
  var forced = ForcedContents()
  /// The lists inside its items.
  var nested = NestedLists()
  /// Those of the version before, read by the same rule.
  var nestedBefore = NestedLists()
  /// Settings that come with it; nil when they stay.
  var settings: CollectionSettings?
}

/// What a write wants the next version to be.
struct Proposal {
  let sections: [StructureSection]
  let contents: Contents
  /// The hash of `meta`.
  let meta: ContentHash?
  var forced = ForcedContents()
  /// Other settings that come with it.
  var settings: CollectionSettings?
}
