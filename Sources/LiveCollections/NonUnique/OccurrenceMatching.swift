/// How the occurrences of an id are told apart from one version to the next.
public enum OccurrenceMatching: Hashable, Sendable {
  /// By a longest common order of both versions: from `ABA` to `BA`, the first `A` goes and nothing
  /// moves.
  case longestCommonOrder

  /// By counting: the k-th of its kind is always the k-th. From `ABA` to `BA`, the second `A` goes
  /// and the first one moves.
  case counting
}
