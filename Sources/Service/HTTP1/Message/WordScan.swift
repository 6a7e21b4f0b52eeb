// Scans eight bytes at a time: the two loops that touch every byte of a head.

extension Span<UInt8> {
  /// Returns the position of the first line feed at or after `start`, or `nil`.
  @inline(__always)
  func lineFeed(from start: Int) -> Int? {
    var index = start
    let bytes = unsafe self.bytes
    while index &+ 8 <= count {
      let word = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: UInt64.self)
      let different = word.littleEndian ^ 0x0A0A_0A0A_0A0A_0A0A
      let zero = (different &- 0x0101_0101_0101_0101) & ~different & 0x8080_8080_8080_8080
      if zero != 0 { return index &+ zero.trailingZeroBitCount &>> 3 }
      index &+= 8
    }
    return firstIndex(of: 0x0A, from: index)
  }

  /// Whether all bytes of a range are allowed in a field value.
  @inline(__always)
  func isFieldValue(_ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    let bytes = unsafe self.bytes
    while index &+ 8 <= range.upperBound {
      let word = unsafe bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: UInt64.self)
      let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
      let low = (word &- 0x2020_2020_2020_2020) & ~word
      let suspects = (low | ((delete &- 0x0101_0101_0101_0101) & ~delete)) & 0x8080_8080_8080_8080
      // A tab is flagged too; the slow loop below decides.
      if suspects != 0 { break }
      index &+= 8
    }
    while index < range.upperBound {
      if unsafe !self[unchecked: index].isFieldValue { return false }
      index &+= 1
    }
    return true
  }
}
