/// Lists inserted and moved elements, pair by pair.
struct MoveLists {
  private let alignment: Alignment
  private let partners: Partners
  private(set) var inserted: Output<ItemPath<TargetSpace>>
  private(set) var moved: Output<ItemPathPair>

  init(
    _ alignment: Alignment, _ partners: Partners, inserted: Output<ItemPath<TargetSpace>>,
    moved: Output<ItemPathPair>
  ) {
    self.alignment = alignment
    self.partners = partners
    self.inserted = inserted
    self.moved = moved
  }

  /// Determines the moves and fills both lists.
  mutating func fill(in arena: inout Arena) {
    for number in 0..<alignment.pairs.count {
      let pair = alignment.pairs[number]
      if !partners.hasOwn[number] {
        appendEach(pair.targetRange, pair, nil)
        continue
      }
      arena.scoped { arena in
        var order = LongestCommonOrder(pair, alignment.unresolved, partners.numbers, in: &arena)
        order.decide(in: &arena)
        append(pair, order)
      }
    }
  }

  /// Appends a pair's unresolved elements and moved segments in the target's order.
  private mutating func append(_ pair: SectionPair, _ order: LongestCommonOrder) {
    var start = Int(pair.targetStart)
    if var segments = order.movedSegments() {
      while let end = segments.next() {
        appendEach(start..<end, pair, order)
        segments.append(to: &moved)
        start = end
      }
    }
    appendEach(start..<Int(pair.targetEnd), pair, order)
  }

  /// Appends the inserted and the moved elements among these numbers.
  private mutating func appendEach(
    _ numbers: Range<Int>, _ pair: SectionPair, _ order: LongestCommonOrder?
  ) {
    // Copies let the loop keep them in registers.
    var (inserted, moved) = (inserted, moved)
    let (partners, targets) = (partners.numbers, alignment.unresolved.target)
    let (staying, keys) = (order?.staying, order?.keys ?? .none)
    for number in numbers {
      let target = ItemPath<TargetSpace>(section: pair.targetSection, item: targets[number])
      let partner = Int(partners[number])
      if partner < 0 {
        inserted.append(target)
        continue
      }
      if let staying, partner >= pair.sourceStart, partner < pair.sourceEnd,
        staying[Int(keys[partner])]
      {
        continue
      }
      moved.append(ItemPathPair(source: alignment.sourcePath(partner), target: target))
    }
    (self.inserted, self.moved) = (inserted, moved)
  }
}
