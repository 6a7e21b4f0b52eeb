/// What a matching says, by places: removed and added ones, moved and changed pairs.
///
/// A path's section is that of the pair; lists of sections use section 0 and the item as index.
@usableFromInline
struct MatchedChanges {
  @usableFromInline var removed: [ItemPath<Source>] = []
  @usableFromInline var added: [ItemPath<Target>] = []
  @usableFromInline var moved: [ItemPathPair] = []
  @usableFromInline var changed: [ItemPathPair] = []

  @usableFromInline init() {}

  /// Whether nothing differs.
  @inlinable var isEmpty: Bool {
    removed.isEmpty && added.isEmpty && moved.isEmpty && changed.isEmpty
  }
}

extension MatchedChanges {
  /// Whether elements came, went or moved.
  @inlinable var hasMembership: Bool { !(removed.isEmpty && added.isEmpty && moved.isEmpty) }
}
