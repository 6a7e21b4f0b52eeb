/// The items of all pairs of sections, aligned pair by pair.
///
/// Invariant: the sections and the retained lists outlive this.
@usableFromInline struct ItemPairs<Section: DiffableSection> {
  @usableFromInline typealias Item = Section.Item

  @usableFromInline let sourceSections: Elements<Section>
  @usableFromInline let targetSections: Elements<Section>
  @usableFromInline var alignment: Alignment
  @usableFromInline var samples: SampledIdentities<Item>
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
    let longest: Int
    (sourceCount, longest) = Self.count(source)
    sourceRoom = sourceCount
    (targetRoom, _) = Self.count(target)
    let pairCountMax = source.count + target.count
    alignment = Alignment(
      sourceCount: sourceRoom, targetCount: targetRoom, pairCountMax: pairCountMax, in: &arena)
    samples = SampledIdentities(elementCountMax: longest, in: &arena)
    sources = arena.allocate(pairCountMax)
    targets = arena.allocate(pairCountMax)
  }

  /// Returns the number of items in all sections and in the longest.
  @inlinable static func count(_ sections: Elements<Section>) -> (all: Int, longest: Int) {
    var all = 0
    var longest = 0
    for index in 0..<sections.count {
      let count = sections[index].items.count
      all += count
      longest = max(longest, count)
    }
    return (all, longest)
  }

  /// Aligns the items of a target section with those of its source section; -1 stands for a missing
  /// section.
  @inlinable mutating func align(
    sourceSection: Int, targetSection: Int, _ retained: inout RetainedLists<Item>
  ) {
    var start = 0
    if sourceSection >= 0, targetSection >= 0 {
      let (same, isAll) = Self.equalFront(
        sourceSections[sourceSection].items, targetSections[targetSection].items)
      if isAll { return }
      start = same
    }
    let source =
      sourceSection < 0
      ? .none : retained.retain(ContiguousArray(sourceSections[sourceSection].items))
    let target =
      targetSection < 0
      ? .none : retained.retain(ContiguousArray(targetSections[targetSection].items))
    sourceRoom &-= source.count
    targetRoom &-= target.count
    precondition(
      min(sourceRoom, targetRoom) >= 0 && start <= source.count && start <= target.count,
      "a section's items are others each time they are asked for")
    let number = alignment.pairs.count
    alignment.align(
      source, target, from: start, sourceSection: sourceSection, targetSection: targetSection,
      samples: &samples)
    if alignment.pairs.count > number {
      sources[number] = source
      targets[number] = target
    }
  }

  /// Returns how many elements at the start of two lists are plain data with equal bits, and
  /// whether those are all.
  ///
  /// The lists are accessed in place, so an unchanged section costs no reference counting.
  @inlinable @inline(__always)
  static func equalFront(_ one: [Item], _ other: [Item]) -> (count: Int, isAll: Bool) {
    guard Elements<Item>.comparesBits else { return (0, false) }
    return unsafe one.withUnsafeBufferPointer { one in
      unsafe other.withUnsafeBufferPointer { other in
        let (one, other) = unsafe (Elements(one), Elements(other))
        let count = Aligner.endOfEqualBits(one, other)
        return (count, count == one.count && count == other.count)
      }
    }
  }

  /// Matches the unresolved items and lists the changes.
  @inlinable func changes(
    checksTarget: Bool, in arena: inout Arena
  ) throws(DuplicateIdentifier) -> MatchedChanges {
    do throws(RepeatedPlaces) {
      return try alignment.changes(
        of: sources, targets, sourceSectionCount: sourceSections.count, in: &arena
      ) { matcher, arena in
        checksTarget
          && matcher.mayRepeatAdded(sourceCount: sourceCount, in: &arena) {
            probeSource(&$0, by: $1)
          }
      }
    } catch {
      throw duplicate(error)
    }
  }

  /// Probes all items of the source in place.
  @inlinable func probeSource(_ search: inout RepeatSearch, by hash: IdentityHash) -> Bool {
    for index in 0..<sourceSections.count {
      let areHashed = unsafe sourceSections[index].items.withUnsafeBufferPointer {
        unsafe Elements($0).probe(&search, by: hash)
      }
      if !areHashed { return false }
    }
    return true
  }

  @inlinable func duplicate(_ places: RepeatedPlaces) -> DuplicateIdentifier {
    let elements = places.side == .source ? sources : targets
    let id = elements[Int(places.second.pair)][Int(places.second.index)].diffID
    // Pairs are in the target's order, which may differ from the source's.
    let paths = [path(places.first, places.side), path(places.second, places.side)]
      .sorted { $0.lexicographicallyPrecedes($1) }
    return DuplicateIdentifier(
      kind: .item, side: places.side, id: "\(id)", first: paths[0], second: paths[1])
  }

  @usableFromInline func path(_ place: Place, _ side: DuplicateIdentifier.Side) -> [Int] {
    let pair = alignment.pairs[Int(place.pair)]
    let section = side == .source ? pair.sourceSection : pair.targetSection
    return [Int(section), Int(place.index)]
  }
}
