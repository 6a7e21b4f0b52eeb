/// An ordered set of small integers: a bitmap with two levels of summary bits.
///
/// It is a tree of fan-out 64 whose top level is scanned; for up to 16 million integers that level
/// has 64 words.
struct OrderedBits {
  private let low: ScratchBuffer<UInt64>
  private let middle: ScratchBuffer<UInt64>
  private let high: ScratchBuffer<UInt64>
  private let highCount: Int

  /// Creates an empty set of integers below `count`.
  init(count: Int, in arena: inout Arena) {
    let lowCount = Bits.wordCount(count)
    let middleCount = Bits.wordCount(lowCount)
    highCount = Bits.wordCount(middleCount)
    low = arena.allocate(lowCount)
    middle = arena.allocate(middleCount)
    high = arena.allocate(highCount)
    low.fill(lowCount, with: 0)
    middle.fill(middleCount, with: 0)
    high.fill(highCount, with: 0)
  }

  @inline(__always) func insert(_ number: Int) {
    let word = number >> 6
    let bits = low[word]
    low[word] = bits | 1 << UInt64(number & 63)
    if bits == 0 {
      middle[word >> 6] |= 1 << UInt64(word & 63)
      high[word >> 12] |= 1 << UInt64(word >> 6 & 63)
    }
  }

  @inline(__always) func remove(_ number: Int) {
    let word = number >> 6
    low[word] &= ~(1 << UInt64(number & 63))
    if low[word] != 0 { return }
    middle[word >> 6] &= ~(1 << UInt64(word & 63))
    if middle[word >> 6] == 0 { high[word >> 12] &= ~(1 << UInt64(word >> 6 & 63)) }
  }

  /// Returns the largest member below a number, or -1.
  @inline(__always) func predecessor(of number: Int) -> Int {
    let word = number >> 6
    let bits = low[word] & (1 << UInt64(number & 63) &- 1)
    if bits != 0 { return word << 6 + top(bits) }
    return predecessorFar(word)
  }

  /// Returns the smallest member above a number, or -1.
  @inline(__always) func successor(of number: Int) -> Int {
    let word = number >> 6
    let bits = low[word] & ~(1 << UInt64(number & 63) | (1 << UInt64(number & 63) &- 1))
    if bits != 0 { return word << 6 + bits.trailingZeroBitCount }
    return successorFar(word)
  }

  /// The largest member, or -1.
  var last: Int {
    guard let word = (0..<highCount).last(where: { high[$0] != 0 }) else { return -1 }
    let middleWord = word << 6 + top(high[word])
    let lowWord = middleWord << 6 + top(middle[middleWord])
    return lowWord << 6 + top(low[lowWord])
  }

  private func predecessorFar(_ word: Int) -> Int {
    let bits = middle[word >> 6] & (1 << UInt64(word & 63) &- 1)
    if bits != 0 {
      let lowWord = (word >> 6) << 6 + top(bits)
      return lowWord << 6 + top(low[lowWord])
    }
    var row = word >> 12
    var rowBits = high[row] & (1 << UInt64(word >> 6 & 63) &- 1)
    while rowBits == 0 {
      row -= 1
      if row < 0 { return -1 }
      rowBits = high[row]
    }
    let middleWord = row << 6 + top(rowBits)
    let lowWord = middleWord << 6 + top(middle[middleWord])
    return lowWord << 6 + top(low[lowWord])
  }

  private func successorFar(_ word: Int) -> Int {
    let bits = middle[word >> 6] & above(word & 63)
    if bits != 0 {
      let lowWord = (word >> 6) << 6 + bits.trailingZeroBitCount
      return lowWord << 6 + low[lowWord].trailingZeroBitCount
    }
    var row = word >> 12
    var rowBits = high[row] & above(word >> 6 & 63)
    while rowBits == 0 {
      row += 1
      if row == highCount { return -1 }
      rowBits = high[row]
    }
    let middleWord = row << 6 + rowBits.trailingZeroBitCount
    let lowWord = middleWord << 6 + middle[middleWord].trailingZeroBitCount
    return lowWord << 6 + low[lowWord].trailingZeroBitCount
  }

  @inline(__always) private func top(_ bits: UInt64) -> Int { 63 - bits.leadingZeroBitCount }

  /// Returns a mask of all bits above one.
  @inline(__always) private func above(_ bit: Int) -> UInt64 {
    let mask: UInt64 = 1 << UInt64(bit)
    return ~(mask | (mask &- 1))
  }
}
