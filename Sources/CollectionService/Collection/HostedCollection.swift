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
  private(set) var nested: NestedLists
  private var nestedBytes: Int
  private(set) var settings: CollectionSettings
  private(set) var ids: IDTable
  /// What the answers to readers of the newest version are kept under.
  private(set) var head = AnswerCache.Head()
  /// The delta of the latest write, while readers wait for it.
  private(set) var latestDelta: (from: Int, delta: Delta)?
  /// When it was last asked for, by its shard's count of uses.
  var lastUse = 0
  /// What its shard has counted it as.
  var countedBytes = 0

  /// A collection whose first version is about to be shown.
  init(
    name: ResourceName, lineage: String, data: CollectionSectionData<StructureSection>,
    first: PreparedVersion
  ) {
    self.name = name
    self.lineage = lineage
    self.data = data
    ids = first.ids
    history = History(head: first.record)
    contents = first.contents
    forced = first.forced
    nested = first.nested
    nestedBytes = first.nestedBytes
    settings = first.settings ?? CollectionSettings()
    data.commit(first.update)
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
    ids.noteAllInUse()
  }

  /// What a collection with one version takes beside that version.
  static let overhead = 1024 + 128

  /// About how much memory it takes, without what was computed for readers.
  var byteCount: Int {
    1024 + CollectionState.byteCount(contents, ids, nestedBytes) + history.patchBytes
      + 128 * history.count
  }

  /// What the next version is prepared from.
  var state: CollectionState {
    CollectionState(
      name: name, lineage: lineage, data: data, sections: data.sections, record: history.head,
      contents: contents, forced: forced, nested: nested, settings: settings, ids: ids,
      olderVersions: ids.isWorthReclaiming ? history : nil)
  }

  /// The head's structure, with the lists inside its items.
  var structure: NestedStructure { NestedStructure(sections: data.sections, lists: nested) }

  /// Whether items of it have lists of their own.
  var hasLists: Bool { settings.nested != nil }

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
    latestDelta = keepsDelta ? (history.head.seq, next.update.delta) : nil
    precondition(data.commit(next.update), "the collection changed behind its owner's back")
    if let back = next.back {
      history.append(next.record, back: back.structure, nested: back.nested)
    }
    ids = next.ids
    contents = next.contents
    forced = next.forced
    nested = next.nested
    nestedBytes = next.nestedBytes
    if let settings = next.settings { take(settings) }
    history.trim(retention, contentBytes: contents.byteCount, now: now)
    head = AnswerCache.Head()
  }

  /// Takes settings that change nothing that is shown now.
  func apply(_ prepared: PreparedSettings) {
    take(prepared.settings)
    ids = prepared.ids
    forced = prepared.forced
    nested = prepared.nested
    nestedBytes = prepared.nestedBytes
    head = AnswerCache.Head()
  }

  /// Older versions of lists that are no longer lists mean nothing any more.
  private func take(_ settings: CollectionSettings) {
    if state.forgetsOlder(by: settings) { history.forgetOlder() }
    self.settings = settings
  }
}
