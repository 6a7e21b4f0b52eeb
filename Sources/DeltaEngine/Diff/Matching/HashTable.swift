/// A hash table of numbers, with linear probing at a load of at most a quarter: nearly every lookup
/// ends at its first slot.
///
/// A slot is 0 if it is empty. Otherwise it holds a number plus one in the low bits and a part of
/// its hash above, so that almost every comparison of what the numbers stand for succeeds.
@usableFromInline struct HashTable {
  @usableFromInline let slots: ScratchBuffer<UInt32>
  /// The bits of a slot that hold a number plus one.
  @usableFromInline let numberMask: UInt32

  /// Creates an empty table for numbers below `count`.
  @inlinable init(count: Int, in arena: inout Arena) {
    let numberBits = Int.bitWidth - count.leadingZeroBitCount
    slots = arena.allocate(4 << numberBits)
    numberMask = 1 &<< UInt32(truncatingIfNeeded: numberBits) &- 1
    slots.fill(slots.capacity, with: 0)
  }

  /// Returns the number with a hash for which a condition holds, or -1.
  @inlinable @inline(__always) func find(_ hash: UInt64, where isSame: (Int) -> Bool) -> Int {
    Int(truncatingIfNeeded: slots[slot(of: hash, where: isSame)] & numberMask) &- 1
  }

  /// Inserts a number, unless there is one with its hash for which a condition holds.
  ///
  /// - Returns: That number, or -1.
  @inlinable @inline(__always)
  func insert(_ number: Int, _ hash: UInt64, unless isSame: (Int) -> Bool) -> Int {
    let slot = slot(of: hash, where: isSame)
    let found = Int(truncatingIfNeeded: slots[slot] & numberMask) &- 1
    if found < 0 { slots[slot] = tag(hash) | UInt32(truncatingIfNeeded: number &+ 1) }
    return found
  }

  /// Returns the slot of the number with a hash for which a condition holds, or else the empty slot
  /// where it belongs.
  @inlinable @inline(__always) func slot(of hash: UInt64, where isSame: (Int) -> Bool) -> Int {
    let (slots, tag, mask) = (slots, tag(hash), slots.capacity &- 1)
    var slot = Int(truncatingIfNeeded: hash &>> 32) & mask
    while slots[slot] != 0 {
      let content = slots[slot]
      if content & ~numberMask == tag, isSame(Int(content & numberMask) &- 1) { break }
      slot = (slot &+ 1) & mask
    }
    return slot
  }

  @inlinable @inline(__always) func tag(_ hash: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: hash) & ~numberMask
  }
}
