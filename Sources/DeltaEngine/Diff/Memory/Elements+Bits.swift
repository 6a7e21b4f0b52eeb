#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

extension Elements {
  /// Whether elements are plain data.
  @inlinable static var comparesBits: Bool { _isPOD(Element.self) }

  /// The number of elements compared at once.
  @inlinable static var blockCount: Int { 16 }

  /// Whether the first `count` elements have equal bits in both lists, using the C library's
  /// optimized comparison.
  ///
  /// - Precondition: `comparesBits`, and `count` is within both lists.
  @inlinable func hasEqualBytes(_ other: Elements, count: Int) -> Bool {
    unsafe areEqual(base, other.base, byteCount: count &* MemoryLayout<Element>.stride)
  }

  /// Returns a mask of the first 16 elements whose bits differ between two lists.
  ///
  /// - Precondition: `comparesBits`, and both lists have 16 elements.
  @inlinable @inline(__always) func unequalBits(_ other: Elements) -> UInt32 {
    if hasEqualBlock(other) { return 0 }
    if MemoryLayout<Element>.stride == 16 { return unequalVectors(other) }
    var mask: UInt32 = 0
    for index in 0..<Self.blockCount {
      mask |= bit(!hasEqualBits(other, at: index)) &<< UInt32(truncatingIfNeeded: index)
    }
    return mask
  }

  /// Returns the mask for elements of one vector each, as fast as testing whether any differs.
  @inlinable @inline(__always) func unequalVectors(_ other: Elements) -> UInt32 {
    let one = unsafe UnsafeRawPointer(base)
    let another = unsafe UnsafeRawPointer(other.base)
    var masks = SIMD4<UInt32>.zero
    var offset = (Self.blockCount - 4) * 16
    while offset >= 0 {
      let (here, there) = unsafe (one + offset, another + offset)
      let low = unsafe Self.unequalWords(here, there, 0) | Self.unequalWords(here, there, 1)
      let high = unsafe Self.unequalWords(here, there, 2) | Self.unequalWords(here, there, 3)
      masks = masks &<< 4 | low | high
      offset &-= 64
    }
    return masks.x | masks.y | masks.z | masks.w
  }

  /// Sets bit `number` in the lanes in which two 16-byte vectors differ.
  @inlinable @inline(__always) @unsafe static func unequalWords(
    _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ number: Int
  ) -> SIMD4<UInt32> {
    let vector = unsafe one.loadUnaligned(fromByteOffset: number &<< 4, as: SIMD4<UInt32>.self)
    let duplicate = unsafe other.loadUnaligned(fromByteOffset: number &<< 4, as: SIMD4<UInt32>.self)
    let mark = SIMD4<UInt32>(repeating: 1 &<< UInt32(truncatingIfNeeded: number))
    return SIMD4<UInt32>.zero.replacing(with: mark, where: vector .!= duplicate)
  }

  @inlinable @inline(__always) func hasEqualBlock(_ other: Elements) -> Bool {
    let wordCount = Self.blockCount &* MemoryLayout<Element>.stride / MemoryLayout<UInt64>.size
    let one = unsafe UnsafeRawPointer(base)
    let another = unsafe UnsafeRawPointer(other.base)
    var difference: UInt64 = 0
    for word in 0..<wordCount {
      difference |=
        unsafe one.loadUnaligned(fromByteOffset: word &<< 3, as: UInt64.self)
        ^ another.loadUnaligned(fromByteOffset: word &<< 3, as: UInt64.self)
    }
    return difference == 0
  }

  /// Whether an element has equal bits in both lists.
  ///
  /// - Precondition: `comparesBits`.
  @inlinable @inline(__always) func hasEqualBits(_ other: Elements, at index: Int) -> Bool {
    let one = unsafe UnsafeRawPointer(base + index)
    let another = unsafe UnsafeRawPointer(other.base + index)
    let stride = MemoryLayout<Element>.stride
    var difference: UInt64 = 0
    var offset = 0
    while offset &+ 8 <= stride {
      difference |=
        unsafe one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        ^ another.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    if offset &+ 4 <= stride {
      difference |= unsafe UInt64(
        one.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          ^ another.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      offset &+= 4
    }
    while offset < stride {
      difference |= unsafe UInt64(
        one.load(fromByteOffset: offset, as: UInt8.self)
          ^ another.load(fromByteOffset: offset, as: UInt8.self))
      offset &+= 1
    }
    return difference == 0
  }
}

@usableFromInline @unsafe
func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, byteCount: Int) -> Bool {
  unsafe memcmp(one, other, byteCount) == 0
}
