/// The room of an array that is being filled: appending is a store and an increment.
///
/// Invariant: no more is appended than there is room for; the storage outlives this, which exists
/// only inside `Array.filled`.
@safe struct Output<Element: BitwiseCopyable> {
  private let base: UnsafeMutablePointer<Element>
  private let capacity: Int
  fileprivate(set) var count = 0

  @unsafe fileprivate init(_ buffer: UnsafeMutableBufferPointer<Element>) {
    // Without room there is no storage; the pointer is then never written.
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

  /// Writes an element behind the last one and keeps it only if asked to: an append without branch.
  ///
  /// - Precondition: There is room for one more than is kept.
  @inline(__always) mutating func append(_ element: Element, keepingIf isKept: Bool) {
    assert(count < capacity)
    unsafe (base + count).initialize(to: element)
    count &+= Int(bit(isKept))
  }

  /// Whether there is room for nothing.
  var isNothing: Bool { capacity == 0 }
}

extension Array where Element: BitwiseCopyable {
  /// As `filled(capacity:)`, with room for one more that is written and not kept; without any room
  /// when `count` is 0.
  @inline(__always)
  static func filled(sparingOneBehind count: Int, _ body: (inout Output<Element>) -> Void)
    -> [Element]
  {
    filled(capacity: count == 0 ? 0 : count + 1, body)
  }

  /// An array with room for `capacity` elements, filled with as many as the body appends.
  @inline(__always)
  static func filled(capacity: Int, _ body: (inout Output<Element>) -> Void) -> [Element] {
    if capacity == 0 {
      // The empty array's storage is shared by all threads: nothing may be written there, not even
      // a count of 0.
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
