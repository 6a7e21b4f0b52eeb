import LiveCollections

/// One collection, owned by its shard: what it is now, as a value that other queues may have too,
/// and how it was used.
final class HostedCollection {
  private(set) var state: CollectionState
  /// When it was last asked for, by its shard's count of uses.
  var lastUse = 0
  /// What its shard has counted it as.
  var countedBytes = 0

  /// A collection that is new, or that the store gave back.
  init(_ state: CollectionState) { self.state = state }

  var name: ResourceName { state.name }

  /// The token of the head.
  var token: VersionToken { state.token }

  /// The collection as its client's index shows it.
  var summary: CollectionSummary {
    CollectionSummary(name: name, version: token, itemCount: state.contents.itemCount)
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
    precondition(state.data.commit(next.update), "the collection changed behind its owner's back")
    state.take(next, retention: retention, now: now, keepsDelta: keepsDelta)
  }

  /// Takes settings that change nothing that is shown now.
  func apply(_ prepared: PreparedSettings) { state.take(prepared) }
}
