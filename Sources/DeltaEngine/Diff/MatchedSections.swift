/// The sections of two versions, matched: the frame in which their items are.
@usableFromInline
struct MatchedSections<Item: Diffable> {
  /// What changed of the sections; paths are in section 0.
  @usableFromInline let changes: MatchedChanges
  /// Per target section: its index in the source, or -1.
  @usableFromInline let sourceSections: [Int32]
  /// The items of each section, asked for once: their storage is held while pointers to it live.
  @usableFromInline let sourceLists: ContiguousArray<ContiguousArray<Item>>
  @usableFromInline let targetLists: ContiguousArray<ContiguousArray<Item>>

  @inlinable
  init<Section: DiffableSection>(
    from source: [Section], to target: [Section]
  ) throws(DuplicateIdentifier) where Section.Item == Item {
    changes = try Section.changes(from: source, to: target, kind: .section)
    sourceSections = SectionFrame.sourceIndices(
      added: changes.added.lazy.map { $0.item }, removed: changes.removed.lazy.map { $0.item },
      moved: changes.moved.lazy.map { ($0.source.item, $0.target.item) },
      sourceCount: source.count, targetCount: target.count)
    sourceLists = Self.lists(of: source)
    targetLists = Self.lists(of: target)
  }

  @inlinable
  static func lists<Section: DiffableSection>(
    of sections: [Section]
  ) -> ContiguousArray<ContiguousArray<Item>> where Section.Item == Item {
    var lists = ContiguousArray<ContiguousArray<Item>>()
    lists.reserveCapacity(sections.count)
    unsafe sections.withUnsafeBufferPointer { buffer in
      let all = unsafe Elements(buffer)
      for index in 0..<all.count { lists.append(ContiguousArray(all[index].items)) }
    }
    return lists
  }

  /// The number of items of each section.
  @inlinable
  static func counts(of lists: ContiguousArray<ContiguousArray<Item>>) -> [Int] {
    var counts: [Int] = []
    counts.reserveCapacity(lists.count)
    for list in lists { counts.append(list.count) }
    return counts
  }

  /// Matches the items: section by section first, what is left over all sections.
  @inlinable
  func matchItems() throws(DuplicateIdentifier) -> MatchedChanges {
    var pairs = ItemPairs(sourceLists, targetLists)
    for target in 0..<targetLists.count {
      pairs.align(sourceSection: Int(sourceSections[target]), targetSection: target)
    }
    for path in changes.removed { pairs.align(sourceSection: path.item, targetSection: -1) }
    let items = try pairs.finish()
    withExtendedLifetime(self) {}
    return items
  }
}

/// The items of all pairs of sections on their way through a matching.
///
/// Invariant: the lists live longer than this; their owner holds them.
@usableFromInline
struct ItemPairs<Item: Diffable>: ~Copyable {
  @usableFromInline var matching: Matching
  @usableFromInline var anchors: Anchors<Item>
  @usableFromInline let sourceLists: ScratchBuffer<Elements<Item>>
  @usableFromInline let targetLists: ScratchBuffer<Elements<Item>>
  @usableFromInline let sourceSectionCount: Int
  /// Per kept pair: its lists.
  @usableFromInline let sources: ScratchBuffer<Elements<Item>>
  @usableFromInline let targets: ScratchBuffer<Elements<Item>>

  @inlinable
  init(
    _ sourceLists: ContiguousArray<ContiguousArray<Item>>,
    _ targetLists: ContiguousArray<ContiguousArray<Item>>
  ) {
    var sourceCount = 0
    var longest = 0
    for list in sourceLists {
      sourceCount += list.count
      longest = max(longest, list.count)
    }
    var targetCount = 0
    for list in targetLists { targetCount += list.count }
    let groupCount = sourceLists.count + targetLists.count
    let anchorSlots = Anchors<Item>.slotCount(longest)
    matching = Matching(
      workspace: Workspace(
        byteCount: Matching.byteCount(
          sourceCount: sourceCount, targetCount: targetCount, groupCount: groupCount,
          anchorSlots: anchorSlots)
          + 3 * groupCount * MemoryLayout<Elements<Item>>.stride + 128),
      sourceCount: sourceCount, targetCount: targetCount, groupCountMax: groupCount)
    anchors = Anchors(slots: matching.workspace.carve(anchorSlots))
    sources = matching.workspace.carve(groupCount)
    targets = matching.workspace.carve(groupCount)
    self.sourceLists = matching.workspace.carve(sourceLists.count)
    self.targetLists = matching.workspace.carve(targetLists.count)
    sourceSectionCount = sourceLists.count
    for index in 0..<sourceLists.count {
      self.sourceLists[index] = Self.elements(sourceLists[index])
    }
    for index in 0..<targetLists.count {
      self.targetLists[index] = Self.elements(targetLists[index])
    }
  }

  @inlinable
  @inline(__always)
  static func elements(_ list: ContiguousArray<Item>) -> Elements<Item> {
    unsafe list.withUnsafeBufferPointer { unsafe Elements($0) }
  }

  /// Lines up the items of a section of the target with those of the section it was; -1 stands for
  /// a section that is not there.
  @inlinable
  mutating func align(sourceSection: Int, targetSection: Int) {
    let source = sourceSection < 0 ? Elements.none : sourceLists[sourceSection]
    let target = targetSection < 0 ? Elements.none : targetLists[targetSection]
    let number = matching.groups.count
    matching.align(
      source, target, sourceSection: sourceSection, targetSection: targetSection,
      anchors: &anchors)
    if matching.groups.count > number {
      sources[number] = source
      targets[number] = target
    }
  }

  @inlinable
  consuming func finish() throws(DuplicateIdentifier) -> MatchedChanges {
    if matching.isEmpty { return MatchedChanges() }
    do throws(RepeatedPlaces) {
      try matching.matchUnresolved(sources, targets)
    } catch {
      throw duplicate(error)
    }
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
