extension Diffable {
  /// Matches two flat lists and decides the changes; paths are in section 0.
  @inlinable
  static func changes(
    from source: [Self], to target: [Self], kind: DuplicateIdentifier.Kind
  ) throws(DuplicateIdentifier) -> MatchedChanges {
    let sourceList = ContiguousArray(source)
    let targetList = ContiguousArray(target)
    let sourceElements = unsafe sourceList.withUnsafeBufferPointer { unsafe Elements($0) }
    let targetElements = unsafe targetList.withUnsafeBufferPointer { unsafe Elements($0) }
    defer { withExtendedLifetime((sourceList, targetList)) {} }

    let anchorSlots = Anchors<Self>.slotCount(source.count)
    var matching = Matching(
      workspace: Workspace(
        byteCount: Matching.byteCount(
          sourceCount: source.count, targetCount: target.count, groupCount: 1,
          anchorSlots: anchorSlots) + 4 * MemoryLayout<Elements<Self>>.stride),
      sourceCount: source.count, targetCount: target.count, groupCountMax: 1)
    var anchors = Anchors<Self>(slots: matching.workspace.carve(anchorSlots))
    matching.align(
      sourceElements, targetElements, sourceSection: 0, targetSection: 0, anchors: &anchors)
    if matching.isEmpty { return MatchedChanges() }
    let sources: ScratchBuffer<Elements<Self>> = matching.workspace.carve(1)
    let targets: ScratchBuffer<Elements<Self>> = matching.workspace.carve(1)
    sources[0] = sourceElements
    targets[0] = targetElements
    do throws(RepeatedPlaces) {
      try matching.matchUnresolved(sources, targets)
    } catch {
      let list = error.side == .source ? sourceList : targetList
      throw DuplicateIdentifier(
        kind: kind, side: error.side, id: "\(list[Int(error.second.index)].diffID)",
        first: kind.path(error.first), second: kind.path(error.second))
    }
    return matching.finish(sourceSectionCount: 1)
  }
}

extension Matching {
  /// Decides the changes and gives the workspace back.
  @usableFromInline
  consuming func finish(sourceSectionCount: Int) -> MatchedChanges {
    changes(sourceSectionCount: sourceSectionCount)
  }
}

/// The sections of two versions, matched: the frame in which their items are.
@usableFromInline
struct MatchedSections {
  /// What changed of the sections; paths are in section 0.
  @usableFromInline let changes: MatchedChanges
  /// Per target section: its index in the source, or -1.
  @usableFromInline let sourceSections: [Int32]
  @usableFromInline var sourceCounts: [Int]
  @usableFromInline var targetCounts: [Int]

  @inlinable
  init<Section: DiffableSection>(
    from source: [Section], to target: [Section]
  ) throws(DuplicateIdentifier) {
    changes = try Section.changes(from: source, to: target, kind: .section)
    sourceSections = SectionFrame.sourceIndices(
      added: changes.added.lazy.map { $0.item }, removed: changes.removed.lazy.map { $0.item },
      moved: changes.moved.lazy.map { ($0.source.item, $0.target.item) },
      sourceCount: source.count, targetCount: target.count)
    sourceCounts = source.map { $0.items.count }
    targetCounts = target.map { $0.items.count }
  }

  /// Matches the items: section by section first, what is left over all sections.
  @inlinable
  mutating func matchItems<Section: DiffableSection>(
    _ source: [Section], _ target: [Section]
  ) throws(DuplicateIdentifier) -> MatchedChanges {
    var pairs = ItemPairs<Section>(
      sourceCounts: sourceCounts, targetCounts: targetCounts, sourceSections: sourceSections)
    for (number, sourceSection) in sourceSections.enumerated() {
      pairs.align(
        sourceSection < 0 ? nil : source[Int(sourceSection)], target[number],
        sourceSection: Int(sourceSection), targetSection: number)
    }
    for path in changes.removed { pairs.leave(source[path.item], sourceSection: path.item) }
    return try pairs.finish(sourceSectionCount: source.count)
  }
}

/// The items of all pairs of sections on their way through a matching.
@usableFromInline
struct ItemPairs<Section: DiffableSection>: ~Copyable {
  @usableFromInline var matching: Matching
  @usableFromInline var anchors: Anchors<Section.Item>
  @usableFromInline let sources: ScratchBuffer<Elements<Section.Item>>
  @usableFromInline let targets: ScratchBuffer<Elements<Section.Item>>
  /// Keeps the storage alive that `sources` and `targets` point to.
  @usableFromInline var held: ContiguousArray<ContiguousArray<Section.Item>> = []

  @inlinable
  init(sourceCounts: [Int], targetCounts: [Int], sourceSections: [Int32]) {
    let sourceCount = sourceCounts.reduce(0, +)
    let targetCount = targetCounts.reduce(0, +)
    let groupCount = sourceCounts.count + targetCounts.count
    let anchorSlots = Anchors<Section.Item>.slotCount(sourceCounts.max() ?? 0)
    let stride = MemoryLayout<Elements<Section.Item>>.stride
    matching = Matching(
      workspace: Workspace(
        byteCount: Matching.byteCount(
          sourceCount: sourceCount, targetCount: targetCount, groupCount: groupCount,
          anchorSlots: anchorSlots) + 2 * groupCount * stride),
      sourceCount: sourceCount, targetCount: targetCount, groupCountMax: groupCount)
    anchors = Anchors(slots: matching.workspace.carve(anchorSlots))
    sources = matching.workspace.carve(groupCount)
    targets = matching.workspace.carve(groupCount)
  }

  /// Lines up the items of a section of the target with those of the section it was.
  @inlinable
  mutating func align(
    _ source: Section?, _ target: Section, sourceSection: Int, targetSection: Int
  ) {
    let sourceList = source.map { ContiguousArray($0.items) } ?? []
    let targetList = ContiguousArray(target.items)
    let sourceElements = unsafe sourceList.withUnsafeBufferPointer { unsafe Elements($0) }
    let targetElements = unsafe targetList.withUnsafeBufferPointer { unsafe Elements($0) }
    let number = matching.groups.count
    matching.align(
      sourceElements, targetElements, sourceSection: sourceSection,
      targetSection: targetSection, anchors: &anchors)
    keep(number, sourceList, sourceElements, targetList, targetElements)
  }

  /// Leaves all items of a removed section to be found elsewhere.
  @inlinable
  mutating func leave(_ source: Section, sourceSection: Int) {
    let sourceList = ContiguousArray(source.items)
    let targetList: ContiguousArray<Section.Item> = []
    let sourceElements = unsafe sourceList.withUnsafeBufferPointer { unsafe Elements($0) }
    let targetElements = unsafe targetList.withUnsafeBufferPointer { unsafe Elements($0) }
    let number = matching.groups.count
    matching.align(
      sourceElements, targetElements, sourceSection: sourceSection, targetSection: -1,
      anchors: &anchors)
    keep(number, sourceList, sourceElements, targetList, targetElements)
  }

  /// Holds a pair's lists when something of it was left.
  @inlinable
  mutating func keep(
    _ number: Int, _ sourceList: ContiguousArray<Section.Item>,
    _ sourceElements: Elements<Section.Item>, _ targetList: ContiguousArray<Section.Item>,
    _ targetElements: Elements<Section.Item>
  ) {
    if matching.groups.count > number {
      held.append(sourceList)
      held.append(targetList)
      sources[number] = sourceElements
      targets[number] = targetElements
    }
  }

  @inlinable
  consuming func finish(
    sourceSectionCount: Int
  ) throws(DuplicateIdentifier) -> MatchedChanges {
    if matching.isEmpty { return MatchedChanges() }
    do throws(RepeatedPlaces) {
      try matching.matchUnresolved(sources, targets)
    } catch {
      throw duplicate(error)
    }
    withExtendedLifetime(held) {}
    return matching.finish(sourceSectionCount: sourceSectionCount)
  }

  @inlinable
  func duplicate(_ places: RepeatedPlaces) -> DuplicateIdentifier {
    let elements = places.side == .source ? sources : targets
    let id = elements[Int(places.second.group)][Int(places.second.index)].diffID
    return DuplicateIdentifier(
      kind: .item, side: places.side, id: "\(id)",
      first: path(places.first, places.side), second: path(places.second, places.side))
  }

  @usableFromInline
  func path(_ place: Place, _ side: DuplicateIdentifier.Side) -> [Int] {
    let group = matching.groups[Int(place.group)]
    let section = side == .source ? group.sourceSection : group.targetSection
    return [Int(section), Int(place.index)]
  }
}
