/// Lists added and moved elements: pair by pair where some stay in theirs, all at once between.
struct MoveLists {
  private let alignment: Alignment
  private let partners: Partners
  private(set) var added: Output<ItemPath<Target>>
  private(set) var moved: Output<ItemPathPair>

  /// Two empty lists.
  init(
    _ alignment: Alignment, _ partners: Partners, added: Output<ItemPath<Target>>,
    moved: Output<ItemPathPair>
  ) {
    self.alignment = alignment
    self.partners = partners
    self.added = added
    self.moved = moved
  }

  /// Decides the moves and fills both lists.
  mutating func fill(in arena: inout Arena) {
    var start = 0
    for number in 0..<alignment.pairs.count where partners.hasOwn[number] {
      let pair = alignment.pairs[number]
      appendFromElsewhere(start..<Int(pair.targetStart))
      start = Int(pair.targetEnd)
      arena.scoped { arena in
        var order = LongestCommonOrder(
          pair, alignment.unresolved, partners.numbers, in: &arena)
        order.decide(in: &arena)
        append(pair, order)
      }
    }
    appendFromElsewhere(start..<alignment.unresolved.target.count)
  }

  /// The unresolved elements of pairs in which none stays: each is added, or moved from elsewhere.
  private mutating func appendFromElsewhere(_ numbers: Range<Int>) {
    if moved.isNothing {
      appendAdded(numbers)
    } else if added.isNothing {
      for number in numbers {
        moved.append(
          ItemPathPair(
            source: alignment.sourcePath(partners[number]), target: alignment.targetPath(number)))
      }
    } else {
      appendAddedOrMoved(numbers)
    }
  }

  private mutating func appendAdded(_ numbers: Range<Int>) {
    if !alignment.hasOnePair {
      for number in numbers { added.append(alignment.targetPath(number)) }
      return
    }
    let (section, places) = (alignment.pairs[0].targetSection, alignment.unresolved.target)
    for number in numbers { added.append(ItemPath(section: section, item: places[number])) }
  }

  /// No predictor knows which of them were added, so both are written and one is kept.
  private mutating func appendAddedOrMoved(_ numbers: Range<Int>) {
    // Copies: the loop then keeps them in registers.
    var (addedHere, movedHere) = (added, moved)
    for number in numbers {
      let partner = partners[number]
      let target = alignment.targetPath(number)
      addedHere.append(target, keepingIf: partner < 0)
      movedHere.append(
        ItemPathPair(source: alignment.sourcePath(max(partner, 0)), target: target),
        keepingIf: partner >= 0)
    }
    (added, moved) = (addedHere, movedHere)
  }

  /// The unresolved elements of a pair and the segments that move, as they stand in the target.
  private mutating func append(_ pair: SectionPair, _ order: LongestCommonOrder) {
    guard var segments = order.movedSegments() else {
      return appendEach(pair.targetRange, pair, order)
    }
    var start = Int(pair.targetStart)
    while let end = segments.next() {
      appendEach(start..<end, pair, order)
      segments.append(to: &moved)
      start = end
    }
    appendEach(start..<Int(pair.targetEnd), pair, order)
  }

  /// The unresolved elements of these numbers: added ones, and those that do not stay.
  private mutating func appendEach(
    _ numbers: Range<Int>, _ pair: SectionPair, _ order: LongestCommonOrder
  ) {
    // Copies: the loop then keeps them in registers.
    var (addedHere, movedHere) = (added, moved)
    let (partners, sources, targets) = (
      partners.numbers, alignment.unresolved.source, alignment.unresolved.target
    )
    let (staying, keys) = (order.staying, order.keys)
    for number in numbers {
      let target = ItemPath<Target>(section: pair.targetSection, item: targets[number])
      let partner = Int(partners[number])
      if partner < 0 {
        addedHere.append(target)
        continue
      }
      if partner >= pair.sourceStart, partner < pair.sourceEnd {
        if let staying, staying[Int(keys[partner])] { continue }
        let source = ItemPath<Source>(section: pair.sourceSection, item: sources[partner])
        movedHere.append(ItemPathPair(source: source, target: target))
        continue
      }
      movedHere.append(ItemPathPair(source: alignment.sourcePath(partner), target: target))
    }
    (added, moved) = (addedHere, movedHere)
  }
}
