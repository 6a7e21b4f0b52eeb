public import VersionedCollections

/// What an answer was created from.
public struct AnswerSource: Sendable {
  /// While this head is current, the same request without waiting has the same answer; nil if no head is in memory.
  public var head: PublishedHead?
  /// How long anybody may keep the answer; nil unless anybody may read it.
  public var ages: PublicAges?
}
