/// The sections of two versions, matched: the frame in which their items are.
@usableFromInline
struct MatchedSections<Section: DiffableSection> {
  @usableFromInline let source: [Section]
  @usableFromInline let target: [Section]
  /// What changed of the sections; paths are in section 0.
  @usableFromInline let changes: MatchedChanges

  @inlinable
  init(from source: [Section], to target: [Section]) throws(DuplicateIdentifier) {
    self.source = source
    self.target = target
    changes = try Section.changes(from: source, to: target, kind: .section)
  }

  /// The number of items of each section.
  @inlinable
  static func counts(of sections: [Section]) -> [Int] { sections.map { $0.items.count } }

  /// Matches the items: section by section first, what is left over all sections.
  @inlinable
  func matchItems() throws(DuplicateIdentifier) -> MatchedChanges {
    // A copy only where an array may be another kind of list inside.
    let (source, target) = (ContiguousArray(source), ContiguousArray(target))
    var pairs = ItemPairs(source, target)
    if changes.hasMembership {
      let frame = pairs.frame(of: changes)
      for index in 0..<target.count {
        pairs.align(sourceSection: frame[index], targetSection: index)
      }
    } else {
      for index in 0..<target.count { pairs.align(sourceSection: index, targetSection: index) }
    }
    for path in changes.removed { pairs.align(sourceSection: path.item, targetSection: -1) }
    let items = try pairs.finish()
    withExtendedLifetime((source, target)) {}
    return items
  }
}
