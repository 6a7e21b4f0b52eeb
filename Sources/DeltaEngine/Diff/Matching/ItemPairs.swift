/// The items of all pairs of sections on their way through a matching.
///
/// Invariant: the sections live longer than this; the lists of kept pairs are held by this.
@usableFromInline
struct ItemPairs<Section: DiffableSection>: ~Copyable {
  @usableFromInline typealias Item = Section.Item

  @usableFromInline let sourceSections: Elements<Section>
  @usableFromInline let targetSections: Elements<Section>
  @usableFromInline var matching: Matching
  @usableFromInline var anchors: Anchors<Item>
  /// Per kept pair: its lists.
  @usableFromInline let sources: ScratchBuffer<Elements<Item>>
  @usableFromInline let targets: ScratchBuffer<Elements<Item>>
  /// What those point into.
  @usableFromInline var held: HeldLists<Item>
  /// How many more items there is room for.
  @usableFromInline var sourceRoom: Int
  @usableFromInline var targetRoom: Int

  @inlinable
  init(_ source: ContiguousArray<Section>, _ target: ContiguousArray<Section>) {
    sourceSections = unsafe source.withUnsafeBufferPointer { unsafe Elements($0) }
    targetSections = unsafe target.withUnsafeBufferPointer { unsafe Elements($0) }
    let (sourceCount, longest) = Self.count(sourceSections)
    let (targetCount, _) = Self.count(targetSections)
    (sourceRoom, targetRoom) = (sourceCount, targetCount)
    let groupCount = source.count + target.count
    let anchorSlots = Anchors<Item>.slotCount(longest)
    var workspace = Workspace(
      byteCount: Matching.byteCount(
        sourceCount: sourceCount, targetCount: targetCount, groupCount: groupCount,
        anchorSlots: anchorSlots)
        + 2 * groupCount * MemoryLayout<Elements<Item>>.stride
        + groupCount * MemoryLayout<UInt>.stride
        + SectionFrame.byteCount(sourceCount: source.count, targetCount: target.count) + 128)
    anchors = Anchors(slots: workspace.carve(anchorSlots))
    sources = workspace.carve(groupCount)
    targets = workspace.carve(groupCount)
    held = HeldLists(capacity: groupCount, in: &workspace)
    matching = Matching(
      workspace: workspace, sourceCount: sourceCount, targetCount: targetCount,
      groupCountMax: groupCount)
  }

  /// Which section was which.
  @inlinable
  mutating func frame(of changes: MatchedChanges) -> SectionFrame {
    SectionFrame(
      added: changes.added.lazy.map { $0.item }, removed: changes.removed.lazy.map { $0.item },
      moved: changes.moved.lazy.map { ($0.source.item, $0.target.item) },
      sourceCount: sourceSections.count, targetCount: targetSections.count,
      in: &matching.workspace)
  }

  /// The number of items, of all sections and of the longest.
  @inlinable
  static func count(_ sections: Elements<Section>) -> (all: Int, longest: Int) {
    var all = 0
    var longest = 0
    for index in 0..<sections.count {
      let count = sections[index].items.count
      all += count
      longest = max(longest, count)
    }
    return (all, longest)
  }

  /// Lines up the items of a section of the target with those of the section it was; -1 stands for
  /// a section that is not there.
  @inlinable
  mutating func align(sourceSection: Int, targetSection: Int) {
    var start = 0
    if sourceSection >= 0, targetSection >= 0 {
      let (same, isAll) = Self.equalFront(
        sourceSections[sourceSection].items, targetSections[targetSection].items)
      if isAll { return }
      start = same
    }
    let source = hold(sourceSections, sourceSection)
    let target = hold(targetSections, targetSection)
    sourceRoom &-= source.count
    targetRoom &-= target.count
    precondition(
      min(sourceRoom, targetRoom) >= 0 && start <= source.count && start <= target.count,
      "a section's items are others each time they are asked for")
    let number = matching.groups.count
    matching.align(
      source, target, from: start, sourceSection: sourceSection, targetSection: targetSection,
      anchors: &anchors)
    if matching.groups.count > number {
      sources[number] = source
      targets[number] = target
    }
  }

  /// The items of a section, held from here on; none for the section -1.
  @inlinable
  mutating func hold(_ sections: Elements<Section>, _ section: Int) -> Elements<Item> {
    if section < 0 { return .none }
    return held.hold(ContiguousArray(sections[section].items))
  }

  /// How many elements at the front of two lists are plain data of equal bits, and whether those
  /// are all: asked of the lists where they lie, so that a section that did not change costs no
  /// reference counting.
  @inlinable
  @inline(__always)
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

  @inlinable
  consuming func finish() throws(DuplicateIdentifier) -> MatchedChanges {
    if matching.isEmpty {
      held.release()
      return MatchedChanges()
    }
    do throws(RepeatedPlaces) {
      try matching.matchUnresolved(sources, targets)
    } catch {
      let duplicate = duplicate(error)
      held.release()
      throw duplicate
    }
    held.release()
    return matching.finish(sourceSectionCount: sourceSections.count)
  }

  @inlinable
  func duplicate(_ places: RepeatedPlaces) -> DuplicateIdentifier {
    let elements = places.side == .source ? sources : targets
    let id = elements[Int(places.second.group)][Int(places.second.index)].diffID
    // Pairs stand in the target's order, which need not be the source's.
    let paths = [path(places.first, places.side), path(places.second, places.side)]
      .sorted { $0.lexicographicallyPrecedes($1) }
    return DuplicateIdentifier(
      kind: .item, side: places.side, id: "\(id)", first: paths[0], second: paths[1])
  }

  @usableFromInline
  func path(_ place: Place, _ side: DuplicateIdentifier.Side) -> [Int] {
    let group = matching.groups[Int(place.group)]
    let section = side == .source ? group.sourceSection : group.targetSection
    return [Int(section), Int(place.index)]
  }
}
