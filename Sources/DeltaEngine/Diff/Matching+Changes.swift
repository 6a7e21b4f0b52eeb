/// What a matching says, by places: removed and added ones, moved and changed pairs.
///
/// A path's section is that of the group; lists of sections use section 0 and the item as index.
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

extension Matching {
  /// Decides the moves and lists all changes, each list ascending.
  ///
  /// - Parameter sourceSectionCount: The number of source sections that groups speak of.
  /// - Returns: The changes, moves minimal.
  mutating func changes(sourceSectionCount: Int) -> MatchedChanges {
    var changes = MatchedChanges()
    if isEmpty { return changes }
    appendRemoved(to: &changes, sourceSectionCount: sourceSectionCount)
    changes.added.reserveCapacity(unresolved.target.count - matchedCount)
    changes.moved.reserveCapacity(matchedCount)
    changes.changed.reserveCapacity(unresolved.changed.count + changedFar.count)
    var farChange = 0
    let isHome = Bits(words: workspace.carve(Bits.wordCount(unresolved.source.count)))
    isHome.clear(unresolved.source.count)
    let used = workspace.used
    for number in 0..<groups.count where groups[number].targetSection >= 0 {
      let group = groups[number]
      appendChanged(to: &changes, group, &farChange)
      if group.targetStart == group.targetEnd { continue }
      workspace.used = used
      appendAddedAndMoved(to: &changes, group, isHome)
    }
    return changes
  }

  /// Removed elements by source section: groups stand in the target's order.
  private mutating func appendRemoved(
    to changes: inout MatchedChanges, sourceSectionCount: Int
  ) {
    let count = unresolved.source.count - matchedCount
    if count == 0 { return }
    changes.removed.reserveCapacity(count)
    let used = workspace.used
    defer { workspace.used = used }
    let groupOfSection: ScratchBuffer<Int32> = workspace.carve(sourceSectionCount)
    groupOfSection.fill(sourceSectionCount, with: -1)
    for number in 0..<groups.count where groups[number].sourceSection >= 0 {
      groupOfSection[Int(groups[number].sourceSection)] = Int32(truncatingIfNeeded: number)
    }
    for section in 0..<sourceSectionCount where groupOfSection[section] >= 0 {
      let group = groups[Int(groupOfSection[section])]
      for number in group.sourceRange where !isTaken[number] {
        changes.removed.append(
          ItemPath(section: section, item: Int(unresolved.source[number].index)))
      }
    }
  }

  /// Merges the changes seen in lockstep with those of elements matched by hash.
  private func appendChanged(
    to changes: inout MatchedChanges, _ group: Group, _ farChange: inout Int
  ) {
    let start = changes.changed.count
    for number in Int(group.changedStart)..<Int(group.changedEnd) {
      let pair = unresolved.changed[number]
      changes.changed.append(
        ItemPathPair(
          source: ItemPath(section: Int(group.sourceSection), item: Int(pair.source)),
          target: ItemPath(section: Int(group.targetSection), item: Int(pair.target))))
    }
    let far = farChange
    while farChange < changedFar.count, changedFar[farChange] < group.targetEnd {
      changes.changed.append(pathPair(Int(changedFar[farChange]), group))
      farChange += 1
    }
    if far < farChange, group.changedStart < group.changedEnd {
      changes.changed[start...].sort { $0.target < $1.target }
    }
  }

  /// The places of an unresolved target element and its partner.
  @inline(__always)
  func pathPair(_ number: Int, _ group: Group) -> ItemPathPair {
    let source = unresolved.source[Int(partners[number])]
    return ItemPathPair(
      source: ItemPath(
        section: Int(groups[Int(source.group)].sourceSection), item: Int(source.index)),
      target: ItemPath(
        section: Int(group.targetSection), item: Int(unresolved.target[number].index)))
  }

  private mutating func appendAddedAndMoved(
    to changes: inout MatchedChanges, _ group: Group, _ isHome: Bits
  ) {
    var order = HomeOrder(group, unresolved, partners, isHome)
    order.decide(in: &workspace)
    let start = changes.moved.count
    for number in group.targetRange {
      if partners[number] < 0 {
        changes.added.append(
          ItemPath(
            section: Int(group.targetSection), item: Int(unresolved.target[number].index)))
      } else if !order.stays(number) {
        changes.moved.append(pathPair(number, group))
      }
    }
    if order.appendMovedSegments(to: &changes.moved) {
      changes.moved[start...].sort { $0.target < $1.target }
    }
  }
}

extension Group {
  /// The numbers of this pair's unresolved source elements.
  var sourceRange: Range<Int> { Int(sourceStart)..<Int(sourceEnd) }
  /// The numbers of this pair's unresolved target elements.
  var targetRange: Range<Int> { Int(targetStart)..<Int(targetEnd) }
}
