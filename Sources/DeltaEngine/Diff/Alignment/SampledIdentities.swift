/// Every 16th identity of a source list, by hash: a coarse index for resynchronizing after a gap.
///
/// Of a list of 32,768 elements or more it is every 64th: such a list is not in the caches, and each
/// sample waits for memory.
///
/// Slots hold the top 12 bits of the hash and the sample's number plus one; 0 is empty. Non-ASCII
/// strings are not sampled: such lists are matched by the hash table alone.
@usableFromInline struct SampledIdentities<Element: Diffable> {
  @usableFromInline let slots: ScratchBuffer<UInt32>
  @usableFromInline let hash = IdentityHash(isCanonical: false, isHint: true)
  @usableFromInline var mask = 0
  /// The source index of sample 0, or -1 before the index is built.
  @usableFromInline var start = -1
  @usableFromInline var isUsable = false
  /// The distance between samples.
  @usableFromInline let spacing: Int

  /// The shortest list worth indexing.
  @inlinable static var countMin: Int { 128 }
  @inlinable static var numberBits: UInt32 { 20 }

  /// Creates an index with room for any list of up to this many elements.
  @inlinable init(elementCountMax: Int, in arena: inout Arena) {
    spacing = elementCountMax < 1 << 15 ? 16 : 64
    slots = arena.allocate(Self.slotCount(elementCountMax / spacing + 1))
  }

  /// Returns the number of slots for this many samples.
  @inlinable static func slotCount(_ sampleCount: Int) -> Int {
    1 << (Int.bitWidth - (2 * min(sampleCount, 1 << numberBits - 1) - 1).leadingZeroBitCount)
  }

  /// Clears the index for the next pair.
  @inlinable mutating func reset() {
    start = -1
    isUsable = false
  }

  /// Builds the index of a source from a position on, unless it is already built.
  @inlinable mutating func prepare(_ source: Elements<Element>, from index: Int) {
    if start >= 0 { return }
    start = index
    if source.count - index < Self.countMin { return }
    let slotCount = Self.slotCount((source.count - index) / spacing + 1)
    if slotCount > slots.capacity { return }
    mask = slotCount - 1
    slots.fill(slotCount, with: 0)
    var number: UInt32 = 0
    var next = index
    while next < source.count, number < 1 << Self.numberBits - 1 {
      if let hash = hash.hash(source[next].diffID, of: Element.self) {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot + 1) & mask }
        slots[slot] = tag(hash) | (number + 1)
      }
      number += 1
      next += spacing
    }
    isUsable = true
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
        let index = start + number * spacing
        if Element.isSame(source[index].diffID, id) { return index }
      }
      slot = (slot + 1) & mask
    }
    return nil
  }
}
