/// A direct-address table for identities that are integers close together, such as row numbers and
/// interned ids: it needs no hashing and has no collisions.
@usableFromInline struct IdentitySpan<Element: Diffable> {
  /// The lowest identity of the source.
  @usableFromInline let low: UInt64
  /// For each integer from the lowest on, an unresolved source element's number plus one, or 0.
  ///
  /// A final 0 stands for all other integers.
  @usableFromInline let entries: ScratchBuffer<UInt32>
  @usableFromInline let count: Int

  /// The maximum size of the table relative to the number of elements.
  @inlinable static var numbersPerElementMax: Int { 4 }

  /// Creates an empty table; returns `nil` if identities are not integers or too far apart.
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

  /// Returns the index of an identity's entry; that of the final entry if it is out of range.
  @inlinable @inline(__always) func entry(of id: Element.DiffID) -> Int {
    let offset = Element.number(of: id) &- low
    return Int(truncatingIfNeeded: min(offset, UInt64(truncatingIfNeeded: count)))
  }

  /// Inserts an identity; returns the number of the element that already has it, or -1.
  @inlinable @inline(__always) func insert(_ number: Int, _ id: Element.DiffID) -> Int {
    let entry = entry(of: id)
    let duplicate = Int(entries[entry]) &- 1
    if duplicate < 0 { entries[entry] = UInt32(truncatingIfNeeded: number &+ 1) }
    return duplicate
  }

  /// Stores for each element of the other side the number of the same element, or -1.
  @inlinable func findCandidates(
    _ others: UnresolvedElements<Element>, into numbers: ScratchBuffer<Int32>
  ) {
    for number in 0..<others.count {
      numbers[number] = Int32(bitPattern: entries[entry(of: others[number].diffID)]) &- 1
    }
  }
}

extension Diffable {
  /// Whether identities are words that can be treated as integers.
  @inlinable static var identityIsNumber: Bool {
    guard identityKind == .bits else { return false }
    return MemoryLayout<DiffID>.size == 4 || MemoryLayout<DiffID>.size == 8
  }

  /// Returns the bits of an identity as an integer.
  ///
  /// - Precondition: `identityIsNumber`.
  @inlinable @inline(__always) static func number(of id: DiffID) -> UInt64 {
    MemoryLayout<DiffID>.size == 4
      ? UInt64(unsafe unsafeBitCast(id, to: UInt32.self))
      : unsafe unsafeBitCast(id, to: UInt64.self)
  }
}
