/// The elements of a list, without a bounds check in release builds.
///
/// Invariant: the array whose storage this is stays alive and unchanged while this is used. Whoever
/// makes one holds that array: see `Matcher`.
@usableFromInline
@safe
struct Elements<Element>: BitwiseCopyable {
  @usableFromInline let base: UnsafePointer<Element>
  @usableFromInline let count: Int

  @inlinable
  @unsafe
  init(_ buffer: UnsafeBufferPointer<Element>) {
    // An empty array has no storage; the pointer is then never read.
    unsafe base =
      unsafe buffer.baseAddress
      ?? UnsafePointer(bitPattern: MemoryLayout<Element>.alignment)
      .unsafelyUnwrapped
    count = buffer.count
  }

  @inlinable subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress {
      assert(index >= 0 && index < count)
      return unsafe base + index
    }
  }
}
