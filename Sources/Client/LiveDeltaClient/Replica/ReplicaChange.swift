import DeltaEngine

/// The effect of an answer on a replica.
public enum ReplicaChange: Sendable {
  /// Nothing changed; the version may be a later one, of the same content.
  case unchanged
  /// A delta was applied.
  case updated(ReplicaUpdate)
  /// A snapshot replaced everything: the first one, or a reset.
  case replaced(by: [ReplicaSection], reset: WireSnapshot.Reset?)
  /// The collection was deleted.
  case deleted
}
