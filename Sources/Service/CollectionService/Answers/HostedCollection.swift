import LiveCollections
import VersionedCollections

/// A collection on its shard: its current state and its use.
final class HostedCollection {
  private(set) var state: CollectionState
  /// The shard's use count when it was last used.
  var lastUse = 0
  /// The size included in the shard's count, in bytes.
  var countedBytes = 0

  /// Creates a collection that is new or was loaded.
  init(_ state: CollectionState) { self.state = state }

  var name: ResourceName { state.name }

  var token: VersionToken { state.token }

  /// The entry in its client's index.
  var summary: CollectionSummary {
    CollectionSummary(
      name: name, version: token, itemCount: state.contents.itemCount,
      byteCount: state.contents.byteCount, revision: state.revision,
      isPublic: state.settings.isPublic, secret: state.lineage.secret)
  }

  /// Makes a prepared version the head, unless it does not follow the head; the delta is kept if readers wait
  /// for it, and what older versions have alone unless it is stored.
  func commit(
    _ next: PreparedVersion, retention: Retention, now: Int64, keepsDelta: Bool,
    isStored: Bool = true
  ) -> Bool {
    guard state.data.commit(next.update) else { return false }
    state.take(
      next, retention: retention, now: now, keepsDelta: keepsDelta, isStored: isStored)
    return true
  }

  /// Applies settings that do not change what readers see.
  func apply(_ prepared: PreparedSettings) { state.take(prepared) }

  /// Publishes the head anew.
  func renewHead() { state.renewHead() }
}
