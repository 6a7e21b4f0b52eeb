import VersionedCollections

/// What the shards of a service share.
///
/// Each object guards itself, and what it answers follows from what it was told: it has no queue,
/// clock or store of its own.
struct SharedState: Sendable {
  /// Whether the store keeps contents, so that memory is a cache.
  let keepsContents: Bool
  /// Whether other services may write to the store.
  let isShared: Bool
  /// Whether collections that nobody uses are removed.
  let removesUnused: Bool
  let limits: LiveLimits
  let counters: ServiceCounters
  /// The feed of changes to all collections.
  let changes: ChangeLog
  let memory: MemoryBudget
}
