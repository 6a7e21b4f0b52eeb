/// Identities that are whole numbers close together, as row numbers and interned ids are: a table
/// with a place for each number of their span needs no hash, and no number stands in another's way.
@usableFromInline
struct IdentitySpan {
  /// The lowest of the source's numbers.
  @usableFromInline let low: UInt64
  /// Per number from the lowest on: the unresolved source element's number plus one, or 0; behind
  /// the last number stands a 0 for all others.
  @usableFromInline let entries: ScratchBuffer<UInt32>
  @usableFromInline let count: Int

  @inlinable
  init(low: UInt64, entries: ScratchBuffer<UInt32>, count: Int) {
    self.low = low
    self.entries = entries
    self.count = count
    entries.fill(count + 1, with: 0)
  }

  /// The entry of a number, that behind the last one if it is outside.
  @inlinable
  @inline(__always)
  func entry(of number: UInt64) -> Int {
    Int(truncatingIfNeeded: min(number &- low, UInt64(truncatingIfNeeded: count)))
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
  @inlinable
  @inline(__always)
  static func number(of id: DiffID) -> UInt64 {
    MemoryLayout<DiffID>.size == 4
      ? UInt64(unsafe unsafeBitCast(id, to: UInt32.self))
      : unsafe unsafeBitCast(id, to: UInt64.self)
  }
}

extension IdentitySpan {
  /// Enters an identity; gives the number of the element that has it, or -1.
  @inlinable
  @inline(__always)
  func insert<Element: Diffable>(
    _ number: Int, _ id: Element.DiffID, of type: Element.Type
  ) -> Int {
    let entry = entry(of: Element.number(of: id))
    let twin = Int(entries[entry]) &- 1
    if twin < 0 { entries[entry] = UInt32(truncatingIfNeeded: number &+ 1) }
    return twin
  }

  /// For each of the other side's elements the number of the one that is the same, or -1.
  @inlinable
  func guess<Element: Diffable>(
    _ others: UnresolvedElements<Element>, into numbers: ScratchBuffer<Int32>
  ) {
    for number in 0..<others.count {
      let entry = entry(of: Element.number(of: others[number].diffID))
      numbers[number] = Int32(bitPattern: entries[entry]) &- 1
    }
  }
}

extension Matching {
  /// The span has at most so many numbers for each element.
  @inlinable static var spanFactor: Int { 4 }

  /// An empty span of elements' identities; `nil` when they are no numbers or are too far apart.
  @inlinable
  mutating func span<Element: Diffable>(
    of elements: UnresolvedElements<Element>
  ) -> IdentitySpan? {
    guard Element.identityIsNumber else { return nil }
    let limit = UInt64(truncatingIfNeeded: Self.spanFactor &* elements.count)
    var (low, high) = (UInt64.max, UInt64.min)
    for number in 0..<elements.count {
      let id = Element.number(of: elements[number].diffID)
      low = min(low, id)
      high = max(high, id)
      if high &- low >= limit { return nil }
    }
    let count = Int(truncatingIfNeeded: high &- low) + 1
    return IdentitySpan(low: low, entries: workspace.carve(count + 1), count: count)
  }
}
