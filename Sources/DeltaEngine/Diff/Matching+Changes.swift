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

extension MatchedChanges {
  /// Whether elements came, went or moved.
  @inlinable var hasMembership: Bool { !(removed.isEmpty && added.isEmpty && moved.isEmpty) }
}

extension Matching {
  /// Decides the moves and lists all changes, each list ascending.
  ///
  /// - Parameter sourceSectionCount: The number of source sections that groups speak of.
  /// - Returns: The changes, moves minimal.
  mutating func changes(sourceSectionCount: Int) -> MatchedChanges {
    var changes = MatchedChanges()
    if isEmpty { return changes }
    changes.removed = .filled(sparingOneBehind: unresolved.source.count - partners.count) {
      appendRemoved(to: &$0, sourceSectionCount: sourceSectionCount)
    }
    changes.changed = changedPairs()
    // The backbone alone is a common order, so no more move than were matched by hash.
    changes.added = .filled(sparingOneBehind: unresolved.target.count - partners.count) { added in
      changes.moved = .filled(sparingOneBehind: partners.count) { moved in
        appendAddedAndMoved(&added, &moved)
      }
    }
    return changes
  }

  /// Removed elements by source section: groups stand in the target's order.
  private mutating func appendRemoved(
    to removed: inout Output<ItemPath<Source>>, sourceSectionCount: Int
  ) {
    if removed.isNothing { return }
    let used = workspace.used
    defer { workspace.used = used }
    let groupOfSection: ScratchBuffer<Int32> = workspace.carve(sourceSectionCount)
    groupOfSection.fill(sourceSectionCount, with: -1)
    for number in 0..<groups.count where groups[number].sourceSection >= 0 {
      groupOfSection[Int(groups[number].sourceSection)] = Int32(truncatingIfNeeded: number)
    }
    let isTaken = partners.isTaken
    let places = unresolved.source
    for section in 0..<sourceSectionCount where groupOfSection[section] >= 0 {
      let group = groups[Int(groupOfSection[section])]
      if partners.count == 0 {
        for number in group.sourceRange {
          removed.append(ItemPath(section: group.sourceSection, item: places[number]))
        }
        continue
      }
      for number in group.sourceRange {
        removed.append(
          ItemPath(section: group.sourceSection, item: places[number]),
          keepingIf: !isTaken[number])
      }
    }
  }

  /// Merges the changes seen in lockstep with those of elements matched by hash; by pairs, which
  /// stand in the target's order.
  private func changedPairs() -> [ItemPathPair] {
    var far = 0
    return .filled(capacity: unresolved.changed.count + partners.changed.count) {
      for number in 0..<groups.count where groups[number].targetSection >= 0 {
        appendChanged(to: &$0, groups[number], &far)
      }
    }
  }

  private func appendChanged(
    to changed: inout Output<ItemPathPair>, _ group: Group, _ far: inout Int
  ) {
    for number in Int(group.changedStart)..<Int(group.changedEnd) {
      let pair = unresolved.changed[number]
      appendFar(to: &changed, group, &far, before: pair.target)
      changed.append(
        ItemPathPair(
          source: ItemPath(section: group.sourceSection, item: pair.source),
          target: ItemPath(section: group.targetSection, item: pair.target)))
    }
    appendFar(to: &changed, group, &far, before: .max)
  }

  /// The changed elements of a pair that were matched by hash and stand before an index.
  @inline(__always)
  private func appendFar(
    to changed: inout Output<ItemPathPair>, _ group: Group, _ far: inout Int, before index: Int32
  ) {
    while far < partners.changed.count {
      let number = Int(partners.changed[far])
      if number >= group.targetEnd || unresolved.target[number] >= index { return }
      changed.append(pathPair(number, partners[number], targetPath(number)))
      far += 1
    }
  }

  /// The place of an unresolved target element.
  @inline(__always)
  private func targetPath(_ number: Int) -> ItemPath<Target> {
    ItemPath(
      section: groups[targetGroup(of: number)].targetSection, item: unresolved.target[number])
  }

  /// The places of an unresolved target element and its partner.
  @inline(__always)
  private func pathPair(
    _ number: Int, _ partner: Int, _ target: ItemPath<Target>
  ) -> ItemPathPair {
    let section = groups[sourceGroup(of: partner)].sourceSection
    return ItemPathPair(
      source: ItemPath(section: section, item: unresolved.source[partner]), target: target)
  }

  /// All added and moved elements: pair by pair where some stay in theirs, all at once between.
  private mutating func appendAddedAndMoved(
    _ added: inout Output<ItemPath<Target>>, _ moved: inout Output<ItemPathPair>
  ) {
    let used = workspace.used
    var start = 0
    for number in 0..<groups.count where partners.areHome[number] {
      let group = groups[number]
      appendAway(start..<Int(group.targetStart), &added, &moved)
      start = Int(group.targetEnd)
      workspace.used = used
      var order = HomeOrder(group, unresolved, partners.numbers, in: &workspace)
      order.decide(in: &workspace)
      appendAddedAndMoved(&added, &moved, group, order)
    }
    appendAway(start..<unresolved.target.count, &added, &moved)
  }

  /// The unresolved elements of pairs in which none stays: each is added, or moved from elsewhere.
  private func appendAway(
    _ numbers: Range<Int>, _ added: inout Output<ItemPath<Target>>,
    _ moved: inout Output<ItemPathPair>
  ) {
    if moved.isNothing {
      appendAdded(numbers, &added)
    } else if added.isNothing {
      for number in numbers {
        moved.append(pathPair(number, partners[number], targetPath(number)))
      }
    } else {
      appendAddedOrMoved(numbers, &added, &moved)
    }
  }

  private func appendAdded(_ numbers: Range<Int>, _ added: inout Output<ItemPath<Target>>) {
    if !hasOnePair {
      for number in numbers { added.append(targetPath(number)) }
      return
    }
    let (section, places) = (groups[0].targetSection, unresolved.target)
    for number in numbers { added.append(ItemPath(section: section, item: places[number])) }
  }

  /// Nobody guesses which of them were added, so both are written and one is kept.
  private func appendAddedOrMoved(
    _ numbers: Range<Int>, _ added: inout Output<ItemPath<Target>>,
    _ moved: inout Output<ItemPathPair>
  ) {
    // Copies: the loop then keeps them in registers.
    var (addedHere, movedHere) = (added, moved)
    for number in numbers {
      let partner = partners[number]
      let target = targetPath(number)
      addedHere.append(target, keepingIf: partner < 0)
      movedHere.append(pathPair(number, max(partner, 0), target), keepingIf: partner >= 0)
    }
    (added, moved) = (addedHere, movedHere)
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
      partners.numbers, unresolved.source, unresolved.target, groups
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
