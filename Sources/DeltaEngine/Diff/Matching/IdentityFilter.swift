/// A set of hashes that may say yes too often: one bit a hash, some 16 bits for each.
///
/// It answers for some forty thousand elements from the first-level cache, where a table does not
/// fit, and for what is not there it answers without a branch that nobody can guess (Bloom 1970,
/// with one hash function).
@usableFromInline
struct IdentityFilter {
  @usableFromInline let bits: ScratchBuffer<UInt64>
  @usableFromInline let shift: UInt32

  /// An empty set, large enough for so many hashes.
  @inlinable
  init(_ bits: ScratchBuffer<UInt64>, count: Int) {
    let words = Self.wordCount(count)
    self.bits = bits
    shift = UInt32(truncatingIfNeeded: 26 - words.trailingZeroBitCount)
    bits.fill(words, with: 0)
  }

  @inlinable
  static func wordCount(_ count: Int) -> Int {
    min(1 << 26, 1 << (Int.bitWidth - (count / 4).leadingZeroBitCount))
  }

  @usableFromInline
  static func byteCount(_ count: Int) -> Int { wordCount(count) * 8 + 16 }

  @inlinable
  @inline(__always)
  func insert(_ hash: UInt32) {
    let bit = hash &>> shift
    bits[Int(bit &>> 6)] |= 1 &<< UInt64(bit & 63)
  }

  /// 1 when a hash may be in the set, else 0.
  @inlinable
  @inline(__always)
  func count(_ hash: UInt32) -> Int {
    let bit = hash &>> shift
    return Int(truncatingIfNeeded: bits[Int(bit &>> 6)] &>> UInt64(bit & 63)) & 1
  }
}

/// The numbers of the unresolved elements that may have a partner; all others have none.
@usableFromInline
struct Candidates {
  @usableFromInline let source: ScratchList<Int32>
  @usableFromInline let target: ScratchList<Int32>
}

extension Matching {
  /// Fewer elements than this are matched at once.
  private static var filteredCountMin: Int { 128 }
  /// Where more elements than this were met among other neighbours, most of them have partners.
  private static var strayCountMax: Int { 48 }

  /// What a filter of each side leaves of the other; `nil` when many elements seem to have partners,
  /// so that a filter would cost and not spare.
  @usableFromInline
  mutating func candidates(_ hashes: Hashes) -> Candidates? {
    let (sourceCount, targetCount) = (unresolved.source.count, unresolved.target.count)
    if min(sourceCount, targetCount) < Self.filteredCountMin || strayCount > Self.strayCountMax {
      return nil
    }
    let used = workspace.used
    let filter = filter(hashes.source, 0..<sourceCount)
    if Self.seemsCommon(hashes.target, targetCount, filter) {
      workspace.used = used
      return nil
    }
    let target = passing(hashes.target, targetCount, filter)
    keepOnly(target, in: hashes.target.buffer, targetCount)
    let source = passing(hashes.source, sourceCount, self.filter(hashes.target, target.numbers))
    return Candidates(source: source, target: target)
  }

  private mutating func filter(
    _ hashes: HashList, _ numbers: some Collection<Int>
  ) -> IdentityFilter {
    let words: ScratchBuffer<UInt64> = workspace.carve(IdentityFilter.wordCount(numbers.count))
    let filter = IdentityFilter(words, count: numbers.count)
    for number in numbers { filter.insert(hashes[number]) }
    return filter
  }

  /// Whether more than two fifths of a sample pass.
  private static func seemsCommon(
    _ hashes: HashList, _ count: Int, _ filter: IdentityFilter
  ) -> Bool {
    let stride = count / 64
    var passed = 0
    for sample in 0..<64 { passed += filter.count(hashes[sample * stride]) }
    return passed > 26
  }

  /// Says of all targets but those that are left that they have no partner.
  private func keepOnly(
    _ kept: ScratchList<Int32>, in partners: ScratchBuffer<Int32>, _ count: Int
  ) {
    var start = 0
    for number in kept.numbers {
      partners.fill(start..<number, with: -1)
      start = number &+ 1
    }
    partners.fill(start..<count, with: -1)
  }

  /// The numbers of the hashes that pass.
  private mutating func passing(
    _ hashes: HashList, _ count: Int, _ filter: IdentityFilter
  ) -> ScratchList<Int32> {
    let numbers: ScratchBuffer<Int32> = workspace.carve(count + 1)
    var passed = 0
    for number in 0..<count {
      numbers[passed] = Int32(truncatingIfNeeded: number)
      passed &+= filter.count(hashes[number])
    }
    var list = ScratchList(numbers)
    list.count = passed
    return list
  }
}
