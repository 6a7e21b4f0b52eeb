/// A set of hashes that may say yes too often: one bit a hash.
///
/// With some 16 bits for each, it answers for some forty thousand elements from the first-level
/// cache, where a table does not fit, and for what is not there it answers without a branch that
/// mispredicts (Bloom 1970, with one hash function).
@usableFromInline struct IdentityFilter {
  @usableFromInline let bits: ScratchBuffer<UInt64>
  @usableFromInline let shift: UInt32

  /// An empty set of so many words: a power of two, at most 2²⁶.
  init(wordCount: Int, in arena: inout Arena) {
    bits = arena.allocate(wordCount)
    shift = UInt32(truncatingIfNeeded: 26 - wordCount.trailingZeroBitCount)
    bits.fill(wordCount, with: 0)
  }

  /// The set of some hashes.
  init(_ hashes: HashList, _ numbers: some Collection<Int>, in arena: inout Arena) {
    self.init(wordCount: Self.wordCount(numbers.count), in: &arena)
    for number in numbers { insert(hashes[number]) }
  }

  private static func wordCount(_ count: Int) -> Int {
    min(1 << 26, 1 << (Int.bitWidth - (count / 4).leadingZeroBitCount))
  }

  @inline(__always) func insert(_ hash: UInt32) {
    let bit = hash &>> shift
    bits[Int(bit &>> 6)] |= 1 &<< UInt64(bit & 63)
  }

  /// Enters a hash.
  ///
  /// - Returns: Whether its bit was set already.
  @inlinable @inline(__always) func testAndInsert(_ hash: UInt32) -> Bool {
    let bit = hash &>> shift
    let mask: UInt64 = 1 &<< UInt64(bit & 63)
    let word = bits[Int(bit &>> 6)]
    bits[Int(bit &>> 6)] = word | mask
    return word & mask != 0
  }

  /// 1 when a hash may be in the set, else 0.
  @inlinable @inline(__always) func count(_ hash: UInt32) -> Int {
    let bit = hash &>> shift
    return Int(truncatingIfNeeded: bits[Int(bit &>> 6)] &>> UInt64(bit & 63)) & 1
  }
}
