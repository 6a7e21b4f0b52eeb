extension Matching {
  /// Enters unresolved source elements into a table.
  @inlinable
  func enter<Element: Diffable>(
    _ numbers: some Sequence<Int>, _ hashes: HashList,
    into table: IdentityTable<Element>
  ) throws(RepeatedPlaces) {
    for number in numbers {
      let twin = table.insert(number, hashes[number])
      if twin >= 0 { throw repeatedSource(first: twin, second: number) }
    }
  }

  /// Enters unresolved source elements into a span.
  @inlinable
  func enter<Element: Diffable>(
    _ sources: UnresolvedElements<Element>, into span: IdentitySpan
  ) throws(RepeatedPlaces) {
    for number in 0..<sources.count {
      let twin = span.insert(number, sources[number].diffID, of: Element.self)
      if twin >= 0 { throw repeatedSource(first: twin, second: number) }
    }
  }

  /// Looks up some unresolved target elements.
  @inlinable
  mutating func lookUp<Element: Diffable>(
    _ numbers: some Sequence<Int>, _ hashes: HashList,
    _ targets: UnresolvedElements<Element>, in table: IdentityTable<Element>
  ) throws(RepeatedPlaces) {
    // A copy: the loop then keeps it in registers.
    var partners = partners
    for number in numbers {
      let partner = table.find(targets, number, hashes[number])
      partners.numbers[number] = Int32(truncatingIfNeeded: partner)
      if partner < 0 { continue }
      if !partners.take(partner, for: number, table.elements, targets) {
        throw repeatedTarget(partner: partner, besides: number)
      }
    }
    self.partners = partners
  }

  /// Asks the partners that were guessed whether they are; `find` tells the right one else.
  @inlinable
  @inline(__always)
  mutating func confirm<Element: Diffable>(
    _ sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>,
    find: (Int) -> Int
  ) throws(RepeatedPlaces) {
    let step = sources.areFetched ? 16 : max(targets.count, 1)
    let seen: ScratchBuffer<UInt8> = workspace.carve(1)
    for start in stride(from: 0, to: targets.count, by: step) {
      let numbers = start..<min(start &+ step, targets.count)
      if sources.areFetched { seen[0] = sources.fetch(partners.numbers, numbers) }
      try confirm(numbers, sources, targets, find: find)
    }
  }

  /// The same for some of the target's elements.
  @inlinable
  @inline(__always)
  mutating func confirm<Element: Diffable>(
    _ numbers: Range<Int>, _ sources: UnresolvedElements<Element>,
    _ targets: UnresolvedElements<Element>, find: (Int) -> Int
  ) throws(RepeatedPlaces) {
    // A copy: the loop then keeps it in registers.
    var partners = partners
    for number in numbers {
      var partner = partners[number]
      if partner < 0 { continue }
      let isSame =
        partner < sources.count && Element.isSame(sources[partner].diffID, targets[number].diffID)
      if !isSame {
        partner = find(number)
        partners.numbers[number] = Int32(truncatingIfNeeded: partner)
        if partner < 0 { continue }
      }
      if !partners.take(partner, for: number, sources, targets) {
        throw repeatedTarget(partner: partner, besides: number)
      }
    }
    self.partners = partners
  }
}
