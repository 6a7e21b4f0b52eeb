/// The items of all pairs of sections, aligned pair by pair.
///
/// Invariant: the sections and the retained lists outlive this.
@usableFromInline struct ItemPairs<Section: DiffableSection> {
  @usableFromInline typealias Item = Section.Item

  @usableFromInline let sourceSections: Elements<Section>
  @usableFromInline let targetSections: Elements<Section>
  @usableFromInline var alignment: Alignment
  /// The lists of each pair in the alignment.
  @usableFromInline let sources: ScratchBuffer<Elements<Item>>
  @usableFromInline let targets: ScratchBuffer<Elements<Item>>
  /// The number of items in the source.
  @usableFromInline let sourceCount: Int
  /// The number of further items that there is room for.
  @usableFromInline var sourceRoom: Int
  @usableFromInline var targetRoom: Int

  @inlinable init(_ source: Elements<Section>, _ target: Elements<Section>, in arena: inout Arena) {
    (sourceSections, targetSections) = (source, target)
    sourceCount = Self.count(source)
    sourceRoom = sourceCount
    targetRoom = Self.count(target)
    let pairCountMax = source.count + target.count
    alignment = Alignment(
      sourceCount: sourceRoom, targetCount: targetRoom, pairCountMax: pairCountMax, in: &arena)
    sources = arena.allocate(pairCountMax)
    targets = arena.allocate(pairCountMax)
  }

  /// Returns the number of items in all sections.
  @inlinable static func count(_ sections: Elements<Section>) -> Int {
    var count = 0
    for index in 0..<sections.count { count += sections[index].items.count }
    return count
  }

  /// Aligns the items of a target section with those of its source section; -1 stands for a missing
  /// section.
  @inlinable mutating func align(
    sourceSection: Int, targetSection: Int, _ retained: inout RetainedLists<Item>,
    in arena: inout Arena
  ) {
    let source =
      sourceSection < 0
      ? .none : retained.retain(ContiguousArray(sourceSections[sourceSection].items))
    let target =
      targetSection < 0
      ? .none : retained.retain(ContiguousArray(targetSections[targetSection].items))
    sourceRoom &-= source.count
    targetRoom &-= target.count
    precondition(
      min(sourceRoom, targetRoom) >= 0,
      "a section's items are others each time they are asked for")
    let number = alignment.pairs.count
    alignment.align(
      source, target, sourceSection: sourceSection, targetSection: targetSection,
      in: &arena)
    if alignment.pairs.count > number {
      sources[number] = source
      targets[number] = target
    }
  }

  /// Matches the unresolved items and lists the changes.
  @inlinable func changes(
    checksTarget: Bool, in arena: inout Arena
  ) throws(RepeatedIdentity) -> MatchedChanges {
    try alignment.changes(
      of: sources, targets, sourceSectionCount: sourceSections.count, in: &arena
    ) { matcher, arena in
      checksTarget
        && matcher.mayRepeatAdded(sourceCount: sourceCount, in: &arena) { probeSource(&$0) }
    }
  }

  /// Probes all items of the source in place.
  @inlinable func probeSource(_ search: inout RepeatSearch) {
    for index in 0..<sourceSections.count {
      unsafe sourceSections[index].items.withUnsafeBufferPointer {
        unsafe Elements($0).probe(&search)
      }
    }
  }
}
