/// The unresolved source elements by identity: open addressing in groups of four slots, at most half
/// full, so that nearly every lookup ends in the first group.
///
/// A slot is 0 when empty, else an element's number plus one in the low bits and the top bits of its
/// hash above, so that almost every comparison of identities is one that succeeds. The four slots of
/// a group are looked at together, without a branch that depends on which of them it is; they fill
/// up in order.
@usableFromInline
struct IdentityTable<Element: Diffable> {
  @usableFromInline let slots: ScratchBuffer<UInt32>
  @usableFromInline let mask: Int
  @usableFromInline let numberMask: UInt32
  @usableFromInline let elements: UnresolvedElements<Element>

  /// An empty table with room for `count` of the elements.
  @inlinable
  init(_ elements: UnresolvedElements<Element>, count: Int, in workspace: inout Workspace) {
    self.init(elements, slots: workspace.carve(tableSlotCount(count)))
  }

  /// An empty table in a buffer of `tableSlotCount` slots.
  @inlinable
  init(_ elements: UnresolvedElements<Element>, slots: ScratchBuffer<UInt32>) {
    self.slots = slots
    self.elements = elements
    mask = slots.capacity - 1
    numberMask = UInt32(1 << (Int.bitWidth - (elements.count + 1).leadingZeroBitCount) - 1)
    slots.fill(slots.capacity, with: 0)
  }

  /// Enters an element; gives the number of one with the same identity, or -1.
  @inlinable
  @inline(__always)
  func insert(_ number: Int, _ hash: UInt32) -> Int {
    let tag = hash & ~numberMask
    var slot = Int(truncatingIfNeeded: hash &<< 2) & mask
    while true {
      let group = slots.four(at: slot)
      let twin = find(elements[number].diffID, tag, in: group, besides: number)
      if twin >= 0 { return twin }
      let used = Int(truncatingIfNeeded: group.usedCount)
      if used < 4 {
        slots[slot &+ used] = tag | UInt32(truncatingIfNeeded: number &+ 1)
        return -1
      }
      slot = (slot &+ 4) & mask
    }
  }

  /// The number of the element with the identity of one of the other side, or -1.
  @inlinable
  @inline(__always)
  func find(_ others: UnresolvedElements<Element>, _ other: Int, _ hash: UInt32) -> Int {
    let tag = hash & ~numberMask
    var slot = Int(truncatingIfNeeded: hash &<< 2) & mask
    while true {
      let group = slots.four(at: slot)
      let found = find(others[other].diffID, tag, in: group, besides: -1)
      if found >= 0 || group.w == 0 { return found }
      slot = (slot &+ 4) & mask
    }
  }

  /// For each hash the number of an element that has it, as far as the table tells, or -1.
  ///
  /// The numbers have to be confirmed; where that fails, `find` knows.
  @inlinable
  func guess(_ hashes: ScratchBuffer<UInt32>, count: Int, into numbers: ScratchBuffer<Int32>) {
    let (slots, mask, numberMask) = (slots, mask, numberMask)
    for entry in 0..<count {
      let hash = hashes[entry]
      var slot = Int(truncatingIfNeeded: hash &<< 2) & mask
      var group = slots.four(at: slot)
      var found = Self.tagged(hash & ~numberMask, in: group, numberMask).union
      while found == 0, group.w != 0 {
        slot = (slot &+ 4) & mask
        group = slots.four(at: slot)
        found = Self.tagged(hash & ~numberMask, in: group, numberMask).union
      }
      numbers[entry] = Int32(bitPattern: found) &- 1
    }
  }

  /// Of a group of slots, the numbers plus one that have a tag; 0 for the others.
  @inlinable
  @inline(__always)
  static func tagged(
    _ tag: UInt32, in group: SIMD4<UInt32>, _ numberMask: UInt32
  ) -> SIMD4<UInt32> {
    let numbers = group & SIMD4(repeating: numberMask)
    return numbers.replacing(with: 0, where: group &- numbers .!= SIMD4(repeating: tag))
  }

  /// The number of the element with an identity in a group of slots, or -1.
  ///
  /// Nearly always one slot at most has the tag, so that the union of those that have it is its
  /// content. Where it is not, it names some other element, perhaps the one that is about to be
  /// entered; then each is asked.
  @inlinable
  @inline(__always)
  func find(
    _ id: Element.DiffID, _ tag: UInt32, in group: SIMD4<UInt32>, besides other: Int
  ) -> Int {
    let tagged = Self.tagged(tag, in: group, numberMask)
    let number = Int(truncatingIfNeeded: tagged.union) &- 1
    if number < 0 { return -1 }
    if number != other, number < elements.count, Element.isSame(elements[number].diffID, id) {
      return number
    }
    return findEach(id, tagged)
  }

  @inlinable
  @inline(never)
  func findEach(_ id: Element.DiffID, _ tagged: SIMD4<UInt32>) -> Int {
    for lane in 0..<4 where tagged[lane] != 0 {
      let number = Int(truncatingIfNeeded: tagged[lane]) &- 1
      if Element.isSame(elements[number].diffID, id) { return number }
    }
    return -1
  }
}

/// The slots of a table for so many elements: a power of two, twice the elements at least.
@inlinable
func tableSlotCount(_ count: Int) -> Int {
  max(4, 1 << (Int.bitWidth - (2 * count).leadingZeroBitCount))
}
