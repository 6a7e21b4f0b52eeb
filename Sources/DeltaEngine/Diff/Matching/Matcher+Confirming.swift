extension Matcher {
  /// Inserts source elements into a hash table.
  @inlinable func enter(
    _ numbers: some Sequence<Int>, _ hashes: HashList, into table: IdentityTable<Element>
  ) throws(RepeatedPlaces) {
    for number in numbers {
      let duplicate = table.insert(number, hashes[number])
      if duplicate >= 0 {
        throw RepeatedPlaces(inSource: alignment, first: duplicate, second: number)
      }
    }
  }

  /// Inserts all source elements into a direct-address table.
  @inlinable func enter(into span: IdentitySpan<Element>) throws(RepeatedPlaces) {
    for number in 0..<sources.count {
      let duplicate = span.insert(number, sources[number].diffID)
      if duplicate >= 0 {
        throw RepeatedPlaces(inSource: alignment, first: duplicate, second: number)
      }
    }
  }

  /// Looks up some target elements.
  @inlinable mutating func lookUp(
    _ numbers: some Sequence<Int>, _ hashes: HashList, in table: IdentityTable<Element>
  ) throws(RepeatedPlaces) {
    // A copy lets the loop keep it in registers.
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

  /// Confirms candidates for partners; if one is wrong, `find` returns the actual partner.
  @inlinable @inline(__always) mutating func confirmCandidates(
    in arena: inout Arena, find: (Int) -> Int
  ) throws(RepeatedPlaces) {
    let step = sources.areFetched ? 16 : max(targets.count, 1)
    let seen: ScratchBuffer<UInt8> = arena.allocate(1)
    for start in stride(from: 0, to: targets.count, by: step) {
      let numbers = start..<min(start &+ step, targets.count)
      if sources.areFetched { seen[0] = sources.fetch(partners.numbers, numbers) }
      try confirmCandidates(numbers, find: find)
    }
  }

  /// Confirms the candidates of some target elements.
  @inlinable @inline(__always) mutating func confirmCandidates(
    _ numbers: Range<Int>, find: (Int) -> Int
  ) throws(RepeatedPlaces) {
    // Copies let the loop keep them in registers.
    var partners = partners
    let (sources, targets) = (sources, targets)
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

  /// Creates the error for two target elements with the same partner: its holder and another.
  @inlinable @inline(never)
  func repeatedTarget(partner: Int, besides other: Int) -> RepeatedPlaces {
    var holder = 0
    while holder == other || partners[holder] != partner { holder += 1 }
    return RepeatedPlaces(
      inTarget: alignment, first: min(holder, other), second: max(holder, other))
  }
}
