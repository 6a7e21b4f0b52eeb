/// The uninitialized storage of an array being filled: an append is a store and an increment.
///
/// Invariant: appends do not exceed the capacity. The storage outlives this, which exists only
/// inside `Array.filled`.
@safe struct Output<Element: BitwiseCopyable> {
  private let base: UnsafeMutablePointer<Element>
  private let capacity: Int
  fileprivate(set) var count = 0

  @unsafe fileprivate init(_ buffer: UnsafeMutableBufferPointer<Element>) {
    // Without capacity there is no storage; the pointer is then never dereferenced.
    unsafe base =
      unsafe buffer.baseAddress
      ?? UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped
    capacity = buffer.count
  }

  @inline(__always) mutating func append(_ element: Element) {
    assert(count < capacity)
    unsafe (base + count).initialize(to: element)
    count &+= 1
  }
}

extension Array where Element: BitwiseCopyable {
  /// Creates an array by appending up to `capacity` elements in a closure.
  @inline(__always)
  static func filled(capacity: Int, _ body: (inout Output<Element>) -> Void) -> [Element] {
    if capacity == 0 {
      // The empty array's storage is shared by all threads; not even a count of 0 may be written to
      // it.
      var output = unsafe Output(UnsafeMutableBufferPointer<Element>(start: nil, count: 0))
      body(&output)
      return []
    }
    return unsafe [Element](unsafeUninitializedCapacity: capacity) { buffer, count in
      var output = unsafe Output(buffer)
      body(&output)
      count = output.count
    }
  }
}
