/// A set of hashes with false positives: a Bloom filter with one bit per hash.
///
/// At some 16 bits per element it fits the first-level cache for up to some forty thousand
/// elements, when a hash table no longer does, and it rules out elements without a mispredicted
/// branch (Bloom 1970, with one hash function).
@usableFromInline struct IdentityFilter {
  @usableFromInline let bits: ScratchBuffer<UInt64>
  /// The number of words, less one.
  @usableFromInline let mask: UInt32

  /// Creates an empty filter of this many words, a power of two of at most 2²⁶.
  init(wordCount: Int, in arena: inout Arena) {
    bits = arena.allocate(wordCount)
    mask = UInt32(truncatingIfNeeded: wordCount - 1)
    bits.fill(wordCount, with: 0)
  }

  /// Creates a filter containing some of the hashes.
  init(_ hashes: HashList, _ numbers: some Collection<Int>, in arena: inout Arena) {
    self.init(wordCount: Self.wordCount(numbers.count), in: &arena)
    for number in numbers { insert(hashes[number]) }
  }

  private static func wordCount(_ count: Int) -> Int {
    min(1 << 26, 1 << (Int.bitWidth - (count / 4).leadingZeroBitCount))
  }

  /// Returns the index of the word that has a hash's bit, which is chosen by the last six bits.
  @inlinable @inline(__always) func wordIndex(_ hash: UInt32) -> Int {
    Int(truncatingIfNeeded: hash &>> 6 & mask)
  }

  @inline(__always) func insert(_ hash: UInt32) { _ = testAndInsert(hash) }

  /// Inserts a hash.
  ///
  /// - Returns: Whether its bit was already set.
  @inlinable @inline(__always) func testAndInsert(_ hash: UInt32) -> Bool {
    let index = wordIndex(hash)
    let mask: UInt64 = 1 &<< UInt64(hash)
    let word = bits[index]
    bits[index] = word | mask
    return word & mask != 0
  }

  /// Returns 1 if a hash may be in the set, else 0.
  @inlinable @inline(__always) func count(_ hash: UInt32) -> Int {
    Int(truncatingIfNeeded: bits[wordIndex(hash)] &>> UInt64(hash)) & 1
  }
}
