/// How the occurrences of an id are matched from one version to the next.
public enum OccurrenceMatching: Hashable, Sendable {
  /// By a longest common order of both versions: from `ABA` to `BA`, the first `A` is deleted and
  /// nothing moves.
  case longestCommonOrder

  /// By counting: the k-th occurrence is always the k-th. From `ABA` to `BA`, the second `A` is
  /// deleted and the first one moves.
  case counting
}
