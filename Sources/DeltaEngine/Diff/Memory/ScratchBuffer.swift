/// A buffer in an arena, with bounds checked in debug builds.
///
/// Invariant: it is not used after its arena has ended.
@usableFromInline @safe struct ScratchBuffer<Element: BitwiseCopyable> {
  @usableFromInline let base: UnsafeMutablePointer<Element>
  @usableFromInline let capacity: Int

  @inlinable @unsafe init(base: UnsafeMutablePointer<Element>, capacity: Int) {
    unsafe self.base = unsafe base
    self.capacity = capacity
  }

  @inlinable subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index >= 0 && index < capacity)
      return unsafe base[index]
    }
    @inline(__always) nonmutating set {
      assert(index >= 0 && index < capacity)
      unsafe base[index] = newValue
    }
  }

  /// An empty buffer.
  @inlinable static var none: ScratchBuffer {
    unsafe ScratchBuffer(
      base: UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped,
      capacity: 0)
  }

  /// Loads 16 elements.
  @inlinable @inline(__always)
  func block(at index: Int) -> SIMD16<Element> where Element: SIMDScalar {
    assert(index >= 0 && index + 16 <= capacity)
    return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: SIMD16<Element>.self)
  }

  /// Sets the first `count` elements.
  @inlinable func fill(_ count: Int, with value: Element) { fill(0..<count, with: value) }

  /// Sets a range of elements.
  @inlinable func fill(_ range: Range<Int>, with value: Element) {
    assert(range.upperBound <= capacity)
    unsafe (base + range.lowerBound).update(repeating: value, count: range.count)
  }
}
