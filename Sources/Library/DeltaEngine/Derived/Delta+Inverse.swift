extension Delta {
  /// The delta from the target to the source, with equally minimal moves.
  ///
  /// - Complexity: O(*c* log *c* + *s*) for *c* changes and *s* sections.
  public var inverse: Delta {
    if isEmpty { return .empty }
    checkInvariants()
    let back = changes.inverse
    return Delta(
      staging: back, sourceItemCounts: targetItemCounts, targetItemCounts: sourceItemCounts)
  }
}

extension DeltaChanges {
  /// The changes from the target to the source.
  public var inverse: DeltaChanges {
    var back = DeltaChanges()
    back.deletedSections = insertedSections.map { SectionIndex($0.index) }
    back.insertedSections = deletedSections.map { SectionIndex($0.index) }
    back.movedSections = Self.inverse(movedSections)
    back.reloadedSections = Self.inverse(reloadedSections)
    back.deletedItems = insertedItems.map { ItemPath(section: $0.section, item: $0.item) }
    back.insertedItems = deletedItems.map { ItemPath(section: $0.section, item: $0.item) }
    back.movedItems = Self.inverse(movedItems)
    back.reloadedItems = Self.inverse(reloadedItems)
    return back
  }

  private static func inverse(_ pairs: [SectionIndexPair]) -> [SectionIndexPair] {
    pairs.map {
      SectionIndexPair(
        source: SectionIndex($0.target.index), target: SectionIndex($0.source.index))
    }
    .sorted { $0.target < $1.target }
  }

  private static func inverse(_ pairs: [ItemPathPair]) -> [ItemPathPair] {
    pairs.map {
      ItemPathPair(
        source: ItemPath(section: $0.target.section, item: $0.target.item),
        target: ItemPath(section: $0.source.section, item: $0.source.item))
    }
    .sorted { $0.target < $1.target }
  }
}
