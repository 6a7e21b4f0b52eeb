/// Identities that are whole numbers close together, as row numbers and interned ids are: a table
/// with a place for each number of their span needs no hash, and no number stands in another's way.
@usableFromInline struct IdentitySpan<Element: Diffable> {
  /// The lowest of the source's numbers.
  @usableFromInline let low: UInt64
  /// Per number from the lowest on: the unresolved source element's number plus one, or 0; behind
  /// the last number stands a 0 for all others.
  @usableFromInline let entries: ScratchBuffer<UInt32>
  @usableFromInline let count: Int

  /// The span has at most so many numbers for each element.
  @inlinable static var numbersPerElementMax: Int { 4 }

  /// An empty span of elements' identities; `nil` when they are no numbers or are too far apart.
  @inlinable init?(of elements: UnresolvedElements<Element>, in arena: inout Arena) {
    guard Element.identityIsNumber else { return nil }
    let limit = UInt64(truncatingIfNeeded: Self.numbersPerElementMax &* elements.count)
    var (low, high) = (UInt64.max, UInt64.min)
    for number in 0..<elements.count {
      let id = Element.number(of: elements[number].diffID)
      low = min(low, id)
      high = max(high, id)
      if high &- low >= limit { return nil }
    }
    self.low = low
    count = Int(truncatingIfNeeded: high &- low) + 1
    entries = arena.allocate(count + 1)
    entries.fill(count + 1, with: 0)
  }

  /// The entry of an identity, that behind the last one if it is outside.
  @inlinable @inline(__always) func entry(of id: Element.DiffID) -> Int {
    let offset = Element.number(of: id) &- low
    return Int(truncatingIfNeeded: min(offset, UInt64(truncatingIfNeeded: count)))
  }

  /// Enters an identity; gives the number of the element that has it, or -1.
  @inlinable @inline(__always) func insert(_ number: Int, _ id: Element.DiffID) -> Int {
    let entry = entry(of: id)
    let duplicate = Int(entries[entry]) &- 1
    if duplicate < 0 { entries[entry] = UInt32(truncatingIfNeeded: number &+ 1) }
    return duplicate
  }

  /// For each of the other side's elements the number of the one that is the same, or -1.
  @inlinable func findCandidates(
    _ others: UnresolvedElements<Element>, into numbers: ScratchBuffer<Int32>
  ) {
    for number in 0..<others.count {
      numbers[number] = Int32(bitPattern: entries[entry(of: others[number].diffID)]) &- 1
    }
  }
}

extension Diffable {
  /// Whether identities are words that can be numbers.
  @inlinable static var identityIsNumber: Bool {
    guard identityKind == .bits else { return false }
    return MemoryLayout<DiffID>.size == 4 || MemoryLayout<DiffID>.size == 8
  }

  /// An identity as a number: that of its bits.
  ///
  /// - Precondition: `identityIsNumber`.
  @inlinable @inline(__always) static func number(of id: DiffID) -> UInt64 {
    MemoryLayout<DiffID>.size == 4
      ? UInt64(unsafe unsafeBitCast(id, to: UInt32.self))
      : unsafe unsafeBitCast(id, to: UInt64.self)
  }
}
