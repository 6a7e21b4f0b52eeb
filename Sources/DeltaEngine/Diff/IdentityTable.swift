/// The unresolved source elements by identity: open addressing with linear probing, at most half
/// full, so that most lookups of what is not there end at the first slot.
///
/// A slot is 0 when empty, else an element's number plus one in the low bits and the top bits of its
/// hash above, so that almost every comparison of identities is one that succeeds.
@usableFromInline
struct IdentityTable<Element: Diffable> {
  @usableFromInline let slots: ScratchBuffer<UInt32>
  @usableFromInline let mask: Int
  @usableFromInline let numberMask: UInt32
  /// Per number: the index in its list, and the list.
  @usableFromInline let indices: ScratchBuffer<Int32>
  @usableFromInline let groups: ScratchBuffer<Int32>
  @usableFromInline let hasOneList: Bool
  @usableFromInline let elements: ScratchBuffer<Elements<Element>>

  /// An empty table for numbers below `numberCount`.
  @inlinable
  init(
    slots: ScratchBuffer<UInt32>, slotCount: Int, numberCount: Int, indices: ScratchBuffer<Int32>,
    groups: ScratchBuffer<Int32>, hasOneList: Bool, elements: ScratchBuffer<Elements<Element>>
  ) {
    self.slots = slots
    self.indices = indices
    self.groups = groups
    self.hasOneList = hasOneList
    self.elements = elements
    mask = slotCount - 1
    numberMask = UInt32(1 << (Int.bitWidth - (numberCount + 1).leadingZeroBitCount) - 1)
    slots.fill(slotCount, with: 0)
  }

  /// The element of a number, where it lies: nothing is copied, no reference is counted.
  @inlinable subscript(number: Int) -> Element {
    @inline(__always) unsafeAddress {
      let list = elements[hasOneList ? 0 : Int(groups[number])]
      return unsafe list.base + Int(indices[number])
    }
  }

  /// Enters an element; gives the number of one with the same identity, or -1.
  @inlinable
  @inline(__always)
  func insert(_ number: Int, _ hash: UInt32) -> Int {
    let tag = hash & ~numberMask
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let content = slots[slot]
      if content == 0 { break }
      if content & ~numberMask == tag {
        let other = Int(truncatingIfNeeded: content & numberMask) &- 1
        if Element.isSame(self[other].diffID, self[number].diffID) { return other }
      }
      slot = (slot &+ 1) & mask
    }
    slots[slot] = tag | UInt32(truncatingIfNeeded: number &+ 1)
    return -1
  }

  /// The number of the element with the identity of one of a list, or -1.
  @inlinable
  @inline(__always)
  func find(_ list: Elements<Element>, _ index: Int, _ hash: UInt32) -> Int {
    let tag = hash & ~numberMask
    var slot = Int(truncatingIfNeeded: hash) & mask
    while true {
      let content = slots[slot]
      if content == 0 { return -1 }
      if content & ~numberMask == tag {
        let other = Int(truncatingIfNeeded: content & numberMask) &- 1
        if Element.isSame(self[other].diffID, list[index].diffID) { return other }
      }
      slot = (slot &+ 1) & mask
    }
  }
}

/// The slots of a table for so many elements: a power of two, twice the elements at least.
@inlinable
func tableSlotCount(_ count: Int) -> Int {
  1 << (Int.bitWidth - (2 * count).leadingZeroBitCount)
}
