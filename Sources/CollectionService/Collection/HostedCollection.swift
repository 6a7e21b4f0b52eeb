import LiveCollections

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

  /// The token of the head.
  var token: VersionToken { state.token }

  /// The entry in its client's index.
  var summary: CollectionSummary {
    CollectionSummary(
      name: name, version: token, itemCount: state.contents.itemCount,
      byteCount: state.contents.byteCount)
  }

  /// Makes a prepared version the head.
  ///
  /// - Parameters:
  ///   - next: The version.
  ///   - retention: The default limits of the history.
  ///   - now: Seconds since 1970.
  ///   - keepsDelta: Whether readers are waiting for the delta from the current head.
  func commit(
    _ next: PreparedVersion, retention: Retention, now: Int64, keepsDelta: Bool
  ) {
    precondition(state.data.commit(next.update), "the collection changed behind its owner's back")
    state.take(next, retention: retention, now: now, keepsDelta: keepsDelta)
  }

  /// Applies settings that do not change what readers see.
  func apply(_ prepared: PreparedSettings) { state.take(prepared) }
}
