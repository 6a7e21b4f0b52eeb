/// A set of hashes that may say yes too often: one bit a hash, some 16 bits for each.
///
/// It answers for some forty thousand elements from the first-level cache, where a table does not
/// fit, and for what is not there it answers without a branch that mispredicts (Bloom 1970,
/// with one hash function).
struct IdentityFilter {
  let bits: ScratchBuffer<UInt64>
  let shift: UInt32

  /// The set of some hashes.
  init(_ hashes: HashList, _ numbers: some Collection<Int>, in arena: inout Arena) {
    let words = Self.wordCount(numbers.count)
    bits = arena.allocate(words)
    shift = UInt32(truncatingIfNeeded: 26 - words.trailingZeroBitCount)
    bits.fill(words, with: 0)
    for number in numbers { insert(hashes[number]) }
  }

  private static func wordCount(_ count: Int) -> Int {
    min(1 << 26, 1 << (Int.bitWidth - (count / 4).leadingZeroBitCount))
  }

  @inline(__always) func insert(_ hash: UInt32) {
    let bit = hash &>> shift
    bits[Int(bit &>> 6)] |= 1 &<< UInt64(bit & 63)
  }

  /// 1 when a hash may be in the set, else 0.
  @inline(__always) func count(_ hash: UInt32) -> Int {
    let bit = hash &>> shift
    return Int(truncatingIfNeeded: bits[Int(bit &>> 6)] &>> UInt64(bit & 63)) & 1
  }
}
