/// One pair of lists that are compared: the items of a section in both versions, or all of a
/// removed section's, or all of an added one's.
@usableFromInline
struct Group: BitwiseCopyable {
  /// The section's index in the source; -1 for an added section.
  @usableFromInline var sourceSection: Int32
  /// The section's index in the target; -1 for a removed section.
  @usableFromInline var targetSection: Int32
  /// The number of elements in the source's list.
  @usableFromInline var sourceCount: Int32
  /// Where this pair's entries in `Unresolved` start and end.
  @usableFromInline var sourceStart: Int32 = 0
  @usableFromInline var sourceEnd: Int32 = 0
  @usableFromInline var targetStart: Int32 = 0
  @usableFromInline var targetEnd: Int32 = 0
  @usableFromInline var changedStart: Int32 = 0
  @usableFromInline var changedEnd: Int32 = 0

  @inlinable
  init(sourceSection: Int, targetSection: Int, sourceCount: Int) {
    self.sourceSection = Int32(truncatingIfNeeded: sourceSection)
    self.targetSection = Int32(truncatingIfNeeded: targetSection)
    self.sourceCount = Int32(truncatingIfNeeded: sourceCount)
  }
}

/// Which element is which: pairs of lists aligned, what did not line up matched by hash.
@usableFromInline
struct Matching: ~Copyable {
  @usableFromInline var workspace: Workspace
  @usableFromInline var unresolved: Unresolved
  @usableFromInline var groups: ScratchList<Group>
  /// Per unresolved target element: the number of its unresolved source element, or -1.
  @usableFromInline var partners: ScratchBuffer<Int32>
  /// Per unresolved source element: whether it has a partner.
  @usableFromInline var isTaken: Bits
  /// The numbers of matched unresolved target elements of other content; ascending.
  @usableFromInline var changedFar: ScratchList<Int32>
  @usableFromInline var matchedCount = 0

  @inlinable
  init(workspace: consuming Workspace, sourceCount: Int, targetCount: Int, groupCountMax: Int) {
    var workspace = workspace
    unresolved = Unresolved(
      source: workspace.carve(sourceCount + 1), target: workspace.carve(targetCount + 1),
      changed: workspace.carve(min(sourceCount, targetCount)))
    groups = ScratchList(workspace.carve(groupCountMax))
    partners = workspace.carve(0)
    isTaken = Bits(words: workspace.carve(0))
    changedFar = ScratchList(workspace.carve(0))
    self.workspace = workspace
  }

  /// Address space that a matching of these sizes may need, and the order of its moves after it.
  @inlinable
  static func byteCount(sourceCount: Int, targetCount: Int, groupCount: Int, anchorSlots: Int)
    -> Int
  {
    let common = min(sourceCount, targetCount)
    let perPlace = (sourceCount + targetCount + 4) * MemoryLayout<Place>.stride
    let lists = common * (MemoryLayout<IndexPair>.stride + 4) + targetCount * 4
    let table = tableSlotCount(sourceCount) * 4 + anchorSlots * 4
    let order = CommonOrder.byteCount(sourceCount) + 2 * (common + 4) * 4 + sourceCount / 2
    return perPlace + lists + table + order
      + groupCount * (MemoryLayout<Group>.stride + 16 + 8) + 1024
  }

  /// Ends a pair: keeps it when anything of it is unresolved or changed.
  @inlinable
  mutating func close(_ group: Group) {
    var group = group
    group.sourceEnd = Int32(truncatingIfNeeded: unresolved.source.count)
    group.targetEnd = Int32(truncatingIfNeeded: unresolved.target.count)
    group.changedEnd = Int32(truncatingIfNeeded: unresolved.changed.count)
    if group.sourceStart == group.sourceEnd, group.targetStart == group.targetEnd,
      group.changedStart == group.changedEnd
    {
      return
    }
    groups.append(group)
  }

  /// A pair whose entries start here.
  @inlinable
  func open(sourceSection: Int, targetSection: Int, sourceCount: Int) -> Group {
    var group = Group(
      sourceSection: sourceSection, targetSection: targetSection, sourceCount: sourceCount)
    group.sourceStart = Int32(truncatingIfNeeded: unresolved.source.count)
    group.targetStart = Int32(truncatingIfNeeded: unresolved.target.count)
    group.changedStart = Int32(truncatingIfNeeded: unresolved.changed.count)
    return group
  }

  /// Whether nothing differs.
  @inlinable var isEmpty: Bool { groups.count == 0 }
}

extension Matching {
  /// Lines up one pair of lists.
  @inlinable
  mutating func align<Element: Diffable>(
    _ source: Elements<Element>, _ target: Elements<Element>, sourceSection: Int,
    targetSection: Int, anchors: inout Anchors<Element>
  ) {
    let group = open(
      sourceSection: sourceSection, targetSection: targetSection, sourceCount: source.count)
    var aligner = Aligner(source, target, group: Int32(truncatingIfNeeded: groups.count))
    anchors.reset()
    aligner.align(into: &unresolved, anchors: &anchors)
    close(group)
  }

  /// Matches what did not line up, by hash.
  ///
  /// - Parameters:
  ///   - sources: Per kept group, the source's elements.
  ///   - targets: Per kept group, the target's elements.
  /// - Throws: `RepeatedPlaces` when two unresolved elements of one side are the same.
  @inlinable
  mutating func matchUnresolved<Element: Diffable>(
    _ sources: ScratchBuffer<Elements<Element>>, _ targets: ScratchBuffer<Elements<Element>>
  ) throws(RepeatedPlaces) {
    let sourceCount = unresolved.source.count
    let targetCount = unresolved.target.count
    partners = workspace.carve(targetCount)
    isTaken = Bits(words: workspace.carve(Bits.wordCount(sourceCount)))
    isTaken.clear(sourceCount)
    changedFar = ScratchList(workspace.carve(min(sourceCount, targetCount)))
    guard sourceCount > 0, targetCount > 0 else {
      partners.fill(targetCount, with: -1)
      return
    }
    let slots: ScratchBuffer<UInt32> = workspace.carve(
      tableSlotCount(sourceCount))
    if try match(sources, targets, slots, isCanonical: false) { return }
    isTaken.clear(sourceCount)
    changedFar.count = 0
    matchedCount = 0
    _ = try match(sources, targets, slots, isCanonical: true)
  }

  /// One attempt: false when an identity could not be hashed that way.
  @inlinable
  mutating func match<Element: Diffable>(
    _ sources: ScratchBuffer<Elements<Element>>, _ targets: ScratchBuffer<Elements<Element>>,
    _ slots: ScratchBuffer<UInt32>, isCanonical: Bool
  ) throws(RepeatedPlaces) -> Bool {
    let table = IdentityTable<Element>(
      slots: slots, places: unresolved.source, elements: sources, isCanonical: isCanonical)
    for number in 0..<groups.count {
      let group = groups[number]
      let elements = sources[number]
      for entry in Int(group.sourceStart)..<Int(group.sourceEnd) {
        let id = elements[Int(unresolved.source[entry].index)].diffID
        guard let hash = table.hash.hash(id, of: Element.self) else { return false }
        let twin = table.insert(entry, id, hash)
        if twin >= 0 {
          throw RepeatedPlaces(
            side: .source, first: unresolved.source[twin], second: unresolved.source[entry])
        }
      }
    }
    for number in 0..<groups.count {
      guard try find(groups[number], targets[number], in: table) else { return false }
    }
    return true
  }

  /// Looks up the unresolved target elements of one pair.
  @inlinable
  mutating func find<Element: Diffable>(
    _ group: Group, _ elements: Elements<Element>, in table: IdentityTable<Element>
  ) throws(RepeatedPlaces) -> Bool {
    let partners = partners
    let isTaken = isTaken
    let places = unresolved.target
    for entry in Int(group.targetStart)..<Int(group.targetEnd) {
      let index = Int(places[entry].index)
      let id = elements[index].diffID
      guard let hash = table.hash.hash(id, of: Element.self) else { return false }
      let partner = table.find(id, hash)
      partners[entry] = Int32(truncatingIfNeeded: partner)
      if partner < 0 { continue }
      if isTaken[partner] { throw repeatedTarget(partner: partner, second: entry) }
      isTaken.insert(partner)
      matchedCount &+= 1
      if !elements[index].hasSameContent(as: table.element(partner)) {
        changedFar.append(Int32(truncatingIfNeeded: entry))
      }
    }
    return true
  }

  @usableFromInline
  func repeatedTarget(partner: Int, second: Int) -> RepeatedPlaces {
    var first = 0
    while Int(partners[first]) != partner { first += 1 }
    return RepeatedPlaces(
      side: .target, first: unresolved.target[first], second: unresolved.target[second])
  }
}

/// Two places of one list with the same identity.
@usableFromInline
struct RepeatedPlaces: Error {
  @usableFromInline let side: DuplicateIdentifier.Side
  @usableFromInline let first: Place
  @usableFromInline let second: Place

  @inlinable
  init(side: DuplicateIdentifier.Side, first: Place, second: Place) {
    self.side = side
    self.first = first
    self.second = second
  }
}
