/// The elements of a list, without bounds checks in release builds.
///
/// Invariant: the array that owns the storage stays alive and unchanged: inside the body of
/// `withElements`, or while `RetainedLists` retains it.
@usableFromInline @safe struct Elements<Element>: BitwiseCopyable {
  @usableFromInline let base: UnsafePointer<Element>
  @usableFromInline let count: Int

  @inlinable @unsafe init(_ buffer: UnsafeBufferPointer<Element>) {
    // An empty array has no storage; the pointer is then never dereferenced.
    unsafe base =
      unsafe buffer.baseAddress
      ?? UnsafePointer(bitPattern: MemoryLayout<Element>.alignment)
      .unsafelyUnwrapped
    count = buffer.count
  }

  /// An empty list.
  @inlinable static var none: Elements {
    unsafe Elements(UnsafeBufferPointer(start: nil, count: 0))
  }

  /// Returns the elements from an index on.
  ///
  /// - Precondition: `index <= count`.
  @inlinable @inline(__always) func suffix(from index: Int) -> Elements {
    assert(index >= 0 && index <= count)
    return unsafe Elements(base: base + index, count: count &- index)
  }

  @inlinable @unsafe init(base: UnsafePointer<Element>, count: Int) {
    unsafe self.base = unsafe base
    self.count = count
  }

  @inlinable subscript(index: Int) -> Element {
    @inline(__always) unsafeAddress { unsafe address(of: index) }
  }

  @inlinable @inline(__always) @unsafe func address(of index: Int) -> UnsafePointer<Element> {
    assert(index >= 0 && index < count)
    return unsafe base + index
  }
}

extension ContiguousArray {
  /// Calls a closure with the elements, which must not escape it.
  @inlinable @inline(__always) func withElements<Result, Failure>(
    _ body: (Elements<Element>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBufferPointer { buffer throws(Failure) in
      try body(unsafe Elements(buffer))
    }
  }
}
