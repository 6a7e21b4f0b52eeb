public import VersionedCollections

/// What a reader may see of a collection.
package enum ReadAccess: Hashable, Sendable {
  /// The whole collection, whoever else may read it.
  case granted
  /// All of it, if anybody may read it; nothing, not even whether it exists, otherwise.
  case ifPublic
  /// All of it, if anybody may read it; what a view shows otherwise.
  case restricted(to: ViewQuery)
}

/// What an answer was created from.
public struct AnswerSource: Sendable {
  /// While this head is current, the same request without waiting has the same answer; nil if no head is in memory.
  public var head: PublishedHead?
  /// How long anybody may keep the answer; nil unless anybody may read it.
  public var ages: PublicAges?
}
