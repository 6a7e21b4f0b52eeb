/// A set of small integers, one bit each.
@usableFromInline struct Bits {
  @usableFromInline let words: ScratchBuffer<UInt64>

  @inlinable init(words: ScratchBuffer<UInt64>) { self.words = words }

  /// Returns the number of words for integers below `count`.
  @inlinable static func wordCount(_ count: Int) -> Int { (count + 63) >> 6 }

  @inlinable func clear(_ count: Int) { words.fill(Self.wordCount(count), with: 0) }

  @inlinable subscript(number: Int) -> Bool {
    @inline(__always) get { words[number >> 6] >> UInt64(number & 63) & 1 == 1 }
  }

  @inlinable @inline(__always)
  func insert(_ number: Int) { words[number >> 6] |= 1 << UInt64(number & 63) }
}

/// Converts a `Bool`, stored as a byte of 0 or 1, to an integer without a branch.
@inlinable @inline(__always)
func bit(_ isSet: Bool) -> UInt32 { UInt32(unsafe unsafeBitCast(isSet, to: UInt8.self)) }
