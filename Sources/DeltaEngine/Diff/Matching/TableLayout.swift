/// The positions and contents of slots in a hash table with groups of four slots.
@usableFromInline struct TableLayout {
  @usableFromInline let slotCount: Int
  /// The bits of a slot that hold a number plus one; those above hold a part of the hash.
  @usableFromInline let numberBits: UInt32

  @inlinable init(slotCount: Int, numberCount: Int) {
    self.slotCount = slotCount
    numberBits = UInt32(truncatingIfNeeded: Int.bitWidth - (numberCount + 1).leadingZeroBitCount)
  }

  /// Returns the number of slots for this many elements: whole groups, two and a half slots per
  /// element.
  @inlinable static func slotCount(_ elementCount: Int) -> Int { (elementCount * 5 / 8 + 1) * 4 }

  /// Returns where the group of a hash starts: its high bits, as a fraction of all groups (Lemire
  /// 2019).
  @inlinable @inline(__always) func slot(_ hash: UInt32) -> Int {
    let groupCount = UInt64(truncatingIfNeeded: slotCount) &>> 2
    return Int(truncatingIfNeeded: (UInt64(hash) &* groupCount) &>> 32) &<< 2
  }

  /// Returns where the next group starts.
  @inlinable @inline(__always)
  func slot(behind slot: Int) -> Int { slot &+ 4 == slotCount ? 0 : slot &+ 4 }

  /// Returns the part of a hash stored in a slot: its low bits, above a number.
  @inlinable @inline(__always) func tag(_ hash: UInt32) -> UInt32 { hash &<< numberBits }

  /// Returns the numbers plus one of the slots in a group that have a tag; 0 for the others.
  @inlinable @inline(__always)
  func tagged(_ tag: UInt32, in group: SIMD4<UInt32>) -> SIMD4<UInt32> {
    let numbers = group & SIMD4(repeating: (1 &<< numberBits) &- 1)
    return numbers.replacing(with: 0, where: group &- numbers .!= SIMD4(repeating: tag))
  }
}
