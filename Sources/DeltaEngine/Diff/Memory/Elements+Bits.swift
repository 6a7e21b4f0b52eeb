extension Elements {
  /// Whether elements are plain data.
  @inlinable static var comparesBits: Bool { _isPOD(Element.self) }

  /// The number of elements compared at once.
  @inlinable static var blockCount: Int { 16 }

  /// Whether 16 elements from an index on have equal bits in both lists.
  ///
  /// - Precondition: `comparesBits`, and both lists have 16 elements from there on.
  @inlinable @inline(__always) func hasEqualBlock(_ other: Elements, at index: Int) -> Bool {
    assert(index >= 0 && index + Self.blockCount <= min(count, other.count))
    let wordCount = Self.blockCount &* MemoryLayout<Element>.stride / MemoryLayout<UInt64>.size
    let one = unsafe UnsafeRawPointer(base + index)
    let another = unsafe UnsafeRawPointer(other.base + index)
    var difference: UInt64 = 0
    for word in 0..<wordCount {
      difference |=
        unsafe one.loadUnaligned(fromByteOffset: word &<< 3, as: UInt64.self)
        ^ another.loadUnaligned(fromByteOffset: word &<< 3, as: UInt64.self)
    }
    return difference == 0
  }
}
