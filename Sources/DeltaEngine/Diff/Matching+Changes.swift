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
    changes.removed = .filled(capacity: unresolved.source.count - matchedCount) { removed in
      appendRemoved(to: &removed, sourceSectionCount: sourceSectionCount)
    }
    changes.changed = changedPairs()
    // The backbone alone is a common order, so no more move than were matched by hash.
    changes.added = .filled(capacity: unresolved.target.count - matchedCount) { added in
      changes.moved = .filled(capacity: matchedCount) { moved in
        appendAddedAndMoved(&added, &moved)
      }
    }
    return changes
  }

  /// Removed elements by source section: groups stand in the target's order.
  private mutating func appendRemoved(
    to removed: inout Output<ItemPath<Source>>, sourceSectionCount: Int
  ) {
    let used = workspace.used
    defer { workspace.used = used }
    let groupOfSection: ScratchBuffer<Int32> = workspace.carve(sourceSectionCount)
    groupOfSection.fill(sourceSectionCount, with: -1)
    for number in 0..<groups.count where groups[number].sourceSection >= 0 {
      groupOfSection[Int(groups[number].sourceSection)] = Int32(truncatingIfNeeded: number)
    }
    let isTaken = isTaken
    let places = unresolved.source
    for section in 0..<sourceSectionCount where groupOfSection[section] >= 0 {
      let group = groups[Int(groupOfSection[section])]
      for number in group.sourceRange where !isTaken[number] {
        removed.append(ItemPath(section: group.sourceSection, item: places[number]))
      }
    }
  }

  /// Merges the changes seen in lockstep with those of elements matched by hash.
  private func changedPairs() -> [ItemPathPair] {
    var far = 0
    var changed: [ItemPathPair] = .filled(capacity: unresolved.changed.count + changedFar.count) {
      for number in 0..<groups.count where groups[number].targetSection >= 0 {
        appendChanged(to: &$0, groups[number], &far)
      }
    }
    if !changedFar.isEmpty, !unresolved.changed.isEmpty {
      changed.sort { $0.target < $1.target }
    }
    return changed
  }

  private func appendChanged(
    to changed: inout Output<ItemPathPair>, _ group: Group, _ far: inout Int
  ) {
    for number in Int(group.changedStart)..<Int(group.changedEnd) {
      let pair = unresolved.changed[number]
      changed.append(
        ItemPathPair(
          source: ItemPath(section: group.sourceSection, item: pair.source),
          target: ItemPath(section: group.targetSection, item: pair.target)))
    }
    while far < changedFar.count, changedFar[far] < group.targetEnd {
      changed.append(pathPair(Int(changedFar[far]), group))
      far += 1
    }
  }

  /// The places of an unresolved target element and its partner.
  @inline(__always)
  private func pathPair(_ number: Int, _ group: Group) -> ItemPathPair {
    let partner = Int(partners[number])
    return ItemPathPair(
      source: ItemPath(
        section: groups[sourceGroup(of: partner)].sourceSection, item: unresolved.source[partner]),
      target: ItemPath(section: group.targetSection, item: unresolved.target[number]))
  }

  private mutating func appendAddedAndMoved(
    _ added: inout Output<ItemPath<Target>>, _ moved: inout Output<ItemPathPair>
  ) {
    let used = workspace.used
    for number in 0..<groups.count where groups[number].targetSection >= 0 {
      let group = groups[number]
      if group.targetStart == group.targetEnd { continue }
      workspace.used = used
      if matchedCount == 0 {
        appendAdded(&added, group)
        continue
      }
      var order = HomeOrder(group, unresolved, partners, in: &workspace)
      order.decide(in: &workspace)
      appendAddedAndMoved(&added, &moved, group, order)
    }
  }

  /// All unresolved elements of a pair, when none was matched.
  private func appendAdded(_ added: inout Output<ItemPath<Target>>, _ group: Group) {
    let places = unresolved.target
    for number in group.targetRange {
      added.append(ItemPath(section: group.targetSection, item: places[number]))
    }
  }

  /// The unresolved elements of a pair and the segments that move, as they stand in the target.
  private func appendAddedAndMoved(
    _ added: inout Output<ItemPath<Target>>, _ moved: inout Output<ItemPathPair>, _ group: Group,
    _ order: HomeOrder
  ) {
    guard var segments = order.movedSegments() else {
      appendEach(group.targetRange, &added, &moved, group, order)
      return
    }
    var start = Int(group.targetStart)
    while let end = segments.next() {
      appendEach(start..<end, &added, &moved, group, order)
      segments.append(to: &moved)
      start = end
    }
    appendEach(start..<Int(group.targetEnd), &added, &moved, group, order)
  }

  /// The unresolved elements of these numbers: added ones, and those that do not stay.
  private func appendEach(
    _ numbers: Range<Int>, _ added: inout Output<ItemPath<Target>>,
    _ moved: inout Output<ItemPathPair>, _ group: Group, _ order: HomeOrder
  ) {
    // Copies: the loop then keeps them in registers.
    var (addedHere, movedHere) = (added, moved)
    let (partners, sources, targets, groups) = (
      partners, unresolved.source, unresolved.target, groups
    )
    let (staying, keys) = (order.staying, order.keys)
    for number in numbers {
      let target = ItemPath<Target>(section: group.targetSection, item: targets[number])
      let partner = Int(partners[number])
      if partner < 0 {
        addedHere.append(target)
        continue
      }
      let index = sources[partner]
      if partner >= group.sourceStart, partner < group.sourceEnd {
        if let staying, staying[Int(keys[partner])] { continue }
        movedHere.append(
          ItemPathPair(source: ItemPath(section: group.sourceSection, item: index), target: target))
        continue
      }
      let section = groups[sourceGroup(of: partner)].sourceSection
      movedHere.append(
        ItemPathPair(source: ItemPath(section: section, item: index), target: target))
    }
    (added, moved) = (addedHere, movedHere)
  }
}
