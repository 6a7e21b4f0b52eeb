/// Every 16th identity of a source list, by hash: a coarse index for resynchronizing after a gap.
///
/// It grows with the search: few gaps are long, and each sample is a wait for memory.
///
/// Slots hold the top 12 bits of the hash and the sample's number plus one; 0 is empty. Non-ASCII
/// strings are not sampled: such lists are matched by the hash table alone.
@usableFromInline struct SampledIdentities<Element: Diffable> {
  @usableFromInline let slots: ScratchBuffer<UInt32>
  @usableFromInline let hash = IdentityHash(isCanonical: false, isHint: true)
  @usableFromInline var mask = 0
  /// The source index of sample 0, or -1 before the index is prepared.
  @usableFromInline var start = -1
  /// The number of the next sample to enter.
  @usableFromInline var next = 0
  @usableFromInline var isUsable = false

  /// The distance between samples.
  @inlinable static var spacing: Int { 16 }
  /// The shortest list worth indexing.
  @inlinable static var countMin: Int { 128 }
  @inlinable static var numberBits: UInt32 { 20 }

  /// Creates an index with room for any list of up to this many elements.
  @inlinable init(elementCountMax: Int, in arena: inout Arena) {
    slots = arena.allocate(Self.slotCount(elementCountMax))
  }

  /// Returns the number of slots for a list of this many elements.
  @inlinable static func slotCount(_ elementCount: Int) -> Int {
    let samples = min(elementCount / spacing + 1, 1 << numberBits - 1)
    return 1 << (Int.bitWidth - (2 * samples - 1).leadingZeroBitCount)
  }

  /// Clears the index for the next pair.
  @inlinable mutating func reset() {
    start = -1
    isUsable = false
  }

  /// Prepares an index of a source from a position on, unless there is already one.
  @inlinable mutating func prepare(_ source: Elements<Element>, from index: Int) {
    if start >= 0 { return }
    start = index
    next = 0
    if source.count - index < Self.countMin { return }
    let slotCount = Self.slotCount(source.count - index)
    if slotCount > slots.capacity { return }
    mask = slotCount - 1
    slots.fill(slotCount, with: 0)
    isUsable = true
  }

  /// Enters the samples of a range of the source that are not yet entered; those before the range
  /// are left out for good.
  @inlinable mutating func enter(_ range: Range<Int>, of source: Elements<Element>) {
    next = max(next, (range.lowerBound - start) / Self.spacing)
    let end = min(range.upperBound, source.count)
    while start + next * Self.spacing < end, next < 1 << Self.numberBits - 1 {
      let id = source[start + next * Self.spacing].diffID
      next += 1
      guard let hash = hash.hash(id, of: Element.self) else { continue }
      var slot = Int(truncatingIfNeeded: hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = tag(hash) | UInt32(truncatingIfNeeded: next)
    }
  }

  @inlinable @inline(__always) func tag(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash >> 52) << Self.numberBits
  }

  /// Returns the source index of a sampled identity, or `nil`.
  @inlinable func index(of id: Element.DiffID, in source: Elements<Element>) -> Int? {
    guard let hash = hash.hash(id, of: Element.self) else { return nil }
    let tag = tag(hash)
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] != 0 {
      let content = slots[slot]
      if content & ~(1 << Self.numberBits - 1) == tag {
        let number = Int(content & (1 << Self.numberBits - 1)) - 1
        let index = start + number * Self.spacing
        if Element.isSame(source[index].diffID, id) { return index }
      }
      slot = (slot + 1) & mask
    }
    return nil
  }
}
