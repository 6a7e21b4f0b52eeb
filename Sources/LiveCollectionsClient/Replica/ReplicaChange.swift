import DeltaEngine

/// What an answer changed in a replica.
public enum ReplicaChange: Sendable {
  /// Nothing.
  case unchanged
  /// A delta was applied.
  case updated(ReplicaUpdate)
  /// A snapshot replaced everything: the first, or a reset.
  case replaced(by: [ReplicaSection], reset: WireSnapshot.Reset?)
  /// The collection was deleted.
  case deleted
}
