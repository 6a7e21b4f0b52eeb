/// The result of matching two lists: deleted and inserted positions, moved and reloaded pairs.
///
/// Paths contain the pair's section; for lists of sections the section is 0 and the item is the
/// index.
@usableFromInline struct MatchedChanges {
  @usableFromInline var deleted: [ItemPath<SourceSpace>] = []
  @usableFromInline var inserted: [ItemPath<TargetSpace>] = []
  @usableFromInline var moved: [ItemPathPair] = []
  @usableFromInline var reloaded: [ItemPathPair] = []
  /// Whether, going by hashes, an inserted element may repeat another identity of the target.
  @usableFromInline var mayRepeatAdded = false

  @usableFromInline init() {}

  @inlinable var isEmpty: Bool {
    deleted.isEmpty && inserted.isEmpty && moved.isEmpty && reloaded.isEmpty
  }
}

extension MatchedChanges {
  /// Whether elements were inserted, deleted or moved.
  @inlinable var hasMembership: Bool { !(deleted.isEmpty && inserted.isEmpty && moved.isEmpty) }
}
