import DeltaEngine
package import LiveCollections
import SnapshotJSON

/// The state of a collection at one moment, as a value that any queue can read.
///
/// A new version is prepared with a copy of the ID table, which replaces the original on commit.
package struct CollectionState: Sendable {
  package let name: ResourceName
  package let lineage: Lineage
  /// The library's data type, holding the head's sections.
  ///
  /// Only the collection's shard commits to it.
  package let data: CollectionSectionData<StructureSection>
  package private(set) var sections: [StructureSection]
  package private(set) var history: History
  package private(set) var contents: Contents
  /// The previous contents of changed items.
  private(set) var replaced = ReplacedItems()
  /// What each of the latest versions touches, retained while readers of views are waiting; the last one is the head.
  private(set) var touched: [TouchedItems] = []
  /// Items that keep a hash other than that of their contents.
  package private(set) var overrides: HashOverrides
  package private(set) var settings: CollectionSettings
  /// Their size in bytes, which every use of the collection asks for.
  private var settingsBytes: Int
  /// The number of changes in its lineage, of content or settings.
  package private(set) var revision: Int
  package var ids: IDTable
  /// The key of cached answers for this version.
  package private(set) var head = PublishedHead()
  package private(set) var views = ViewCache()
  /// The delta of the latest write, retained while readers are waiting for it.
  private(set) var latestDelta: (from: Int, delta: Delta)?

  package init(
    name: ResourceName, lineage: Lineage, data: CollectionSectionData<StructureSection>,
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
    settings = first.settings ?? CollectionSettings()
    settingsBytes = settings.byteCount
    revision = 1
  }

  package init(name: ResourceName, _ stored: StoredCollection) {
    self.name = name
    lineage = stored.lineage
    sections = stored.sections
    ids = stored.ids
    data = CollectionSectionData(stored.sections)
    history = stored.history
    contents = stored.contents
    overrides = stored.overrides
    settings = stored.settings
    settingsBytes = settings.byteCount
    revision = stored.revision
    ids.noteAllInUse()
  }

  package var record: VersionRecord { history.head }

  package var token: VersionToken { token(of: record) }

  package func token(of record: VersionRecord) -> VersionToken {
    VersionToken(lineage: lineage.name, seq: record.seq, digest: record.digest.text)
  }

  /// The approximate size in bytes, without cached answers.
  package var byteCount: Int {
    HeapCost.collection + HeapCost.name(name) + headBytes + settingsBytes + history.patchBytes
      + HeapCost.version * history.count + replaced.byteCount + views.byteCount
      + touched.reduce(0) { $0 + $1.byteCount }
  }

  /// The approximate size of the head in bytes.
  var headBytes: Int { PreparedVersion.byteCount(contents, ids, overrides) }
}

extension CollectionState {
  /// Makes a prepared version the head.
  ///
  /// - Parameters:
  ///   - next: The version.
  ///   - retention: The limits of the history, unless the collection has its own.
  ///   - now: The seconds since 1970.
  ///   - keepsDelta: Whether readers wait for the delta.
  ///   - isStored: Whether a store has the contents of older versions; if not, those that differ from the head's are
  ///     kept here as long as the versions, so that views of them can be told from it.
  package mutating func take(
    _ next: PreparedVersion, retention: Retention, now: Int64, keepsDelta: Bool,
    isStored: Bool = true
  ) {
    let retention = (next.settings ?? settings).retention ?? retention
    latestDelta = keepsDelta ? (record.seq, next.delta) : nil
    sections = next.sections
    if let back = next.back { history.append(next.record, back: back) }
    contents = next.contents
    replaced.append(
      next.replaced,
      bytesMax: isStored
        ? contents.byteCount / 2 : max(retention.bytesMin, contents.byteCount),
      countMax: isStored ? .max : retention.versionsMax)
    if let next = next.touched, keepsDelta, views.count > 0 {
      touched = touched.suffix(Self.touchedMax - 1) + [next]
    } else {
      touched = []
    }
    take(
      PreparedSettings(
        settings: next.settings ?? settings, overrides: next.overrides, ids: next.ids))
    history.trim(retention, contentBytes: contents.byteCount, now: now)
  }

  /// The most versions whose touched items are kept.
  private static let touchedMax = 64

  /// Applies settings that do not change what readers see.
  package mutating func take(_ prepared: PreparedSettings) {
    if forgetsOlder(by: prepared.settings) { history.forgetOlder() }
    if settings != prepared.settings {
      (views, touched) = (ViewCache(), [])
      settingsBytes = prepared.settings.byteCount
    }
    settings = prepared.settings
    ids = prepared.ids
    overrides = prepared.overrides
    renewHead()
    revision += 1
  }

  /// Publishes the same version anew.
  package mutating func renewHead() { head = PublishedHead() }

  /// Whether a change of settings invalidates the older versions: their items have other ids than
  /// another `idPath` finds in them.
  func forgetsOlder(by other: CollectionSettings) -> Bool { settings.idPath != other.idPath }

  /// Frees the IDs that no retained version uses, once they may be half of the table.
  mutating func reclaimIDs() {
    guard ids.isWorthReclaiming else { return }
    var isLive = Set<UInt32>()
    for section in sections {
      isLive.insert(section.uniqueID)
      for item in section.items { isLive.insert(item.uniqueID) }
    }
    history.forEachID { isLive.insert($0) }
    ids.reclaim { isLive.contains($0) }
  }
}

extension CollectionState {
  /// Whether items of the next snapshot may be elided if their bytes are unchanged.
  ///
  /// Not if an item's identity, hash or place depends on more than its bytes.
  var hasElidableItems: Bool {
    overrides.isEmpty && settings.identity == .unique && !settings.arranges
      && contents.itemCount > 0
  }
}
