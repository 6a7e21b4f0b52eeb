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
  func targetPath(_ number: Int) -> ItemPath<Target> {
    ItemPath(
      section: groups[targetGroup(of: number)].targetSection, item: unresolved.target[number])
  }

  /// The places of an unresolved target element and its partner.
  @inline(__always)
  func pathPair(
    _ number: Int, _ partner: Int, _ target: ItemPath<Target>
  ) -> ItemPathPair {
    let section = groups[sourceGroup(of: partner)].sourceSection
    return ItemPathPair(
      source: ItemPath(section: section, item: unresolved.source[partner]), target: target)
  }

}
