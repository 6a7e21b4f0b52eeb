extension Matching {
  /// All added and moved elements: pair by pair where some stay in theirs, all at once between.
  mutating func appendAddedAndMoved(
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
