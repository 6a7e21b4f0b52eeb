/// What a matching says, by places: deleted and inserted ones, moved and reloaded pairs.
///
/// A path's section is that of the pair; lists of sections use section 0 and the item as index.
@usableFromInline struct MatchedChanges {
  @usableFromInline var deleted: [ItemPath<Source>] = []
  @usableFromInline var inserted: [ItemPath<Target>] = []
  @usableFromInline var moved: [ItemPathPair] = []
  @usableFromInline var reloaded: [ItemPathPair] = []
  /// Whether an inserted element may have the identity of another one of the target: hashes say so.
  @usableFromInline var mayRepeatAdded = false

  @usableFromInline init() {}

  /// Whether nothing differs.
  @inlinable var isEmpty: Bool {
    deleted.isEmpty && inserted.isEmpty && moved.isEmpty && reloaded.isEmpty
  }
}

extension MatchedChanges {
  /// Whether elements came, went or moved.
  @inlinable var hasMembership: Bool { !(deleted.isEmpty && inserted.isEmpty && moved.isEmpty) }
}
