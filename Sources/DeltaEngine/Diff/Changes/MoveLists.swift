/// Lists inserted and moved elements, pair by pair where a pair keeps some of its elements.
struct MoveLists {
  private let alignment: Alignment
  private let partners: Partners
  private(set) var inserted: Output<ItemPath<Target>>
  private(set) var moved: Output<ItemPathPair>

  /// Creates the lists.
  init(
    _ alignment: Alignment, _ partners: Partners, inserted: Output<ItemPath<Target>>,
    moved: Output<ItemPathPair>
  ) {
    self.alignment = alignment
    self.partners = partners
    self.inserted = inserted
    self.moved = moved
  }

  /// Determines the moves and fills both lists.
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

  /// Appends the unresolved elements of pairs that keep none of them: each is inserted, or moved
  /// from another pair.
  private mutating func appendFromElsewhere(_ numbers: Range<Int>) {
    if moved.isNothing {
      appendInserted(numbers)
    } else if inserted.isNothing {
      for number in numbers {
        moved.append(
          ItemPathPair(
            source: alignment.sourcePath(partners[number]), target: alignment.targetPath(number)))
      }
    } else {
      appendInsertedOrMoved(numbers)
    }
  }

  private mutating func appendInserted(_ numbers: Range<Int>) {
    if !alignment.hasOnePair {
      for number in numbers { inserted.append(alignment.targetPath(number)) }
      return
    }
    let (section, places) = (alignment.pairs[0].targetSection, alignment.unresolved.target)
    for number in numbers { inserted.append(ItemPath(section: section, item: places[number])) }
  }

  /// Writes both candidates and keeps one, as branches would be mispredicted.
  private mutating func appendInsertedOrMoved(_ numbers: Range<Int>) {
    // Copies let the loop keep them in registers.
    var (insertedHere, movedHere) = (inserted, moved)
    for number in numbers {
      let partner = partners[number]
      let target = alignment.targetPath(number)
      insertedHere.append(target, keepingIf: partner < 0)
      movedHere.append(
        ItemPathPair(source: alignment.sourcePath(max(partner, 0)), target: target),
        keepingIf: partner >= 0)
    }
    (inserted, moved) = (insertedHere, movedHere)
  }

  /// Appends a pair's unresolved elements and moved segments in the target's order.
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

  /// Appends the inserted and the moved elements among these numbers.
  private mutating func appendEach(
    _ numbers: Range<Int>, _ pair: SectionPair, _ order: LongestCommonOrder
  ) {
    // Copies let the loop keep them in registers.
    var (insertedHere, movedHere) = (inserted, moved)
    let (partners, sources, targets) = (
      partners.numbers, alignment.unresolved.source, alignment.unresolved.target
    )
    let (staying, keys) = (order.staying, order.keys)
    for number in numbers {
      let target = ItemPath<Target>(section: pair.targetSection, item: targets[number])
      let partner = Int(partners[number])
      if partner < 0 {
        insertedHere.append(target)
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
    (inserted, moved) = (insertedHere, movedHere)
  }
}
