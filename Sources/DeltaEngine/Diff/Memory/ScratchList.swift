/// A growing list in a workspace.
@usableFromInline
struct ScratchList<Element: BitwiseCopyable> {
  @usableFromInline let buffer: ScratchBuffer<Element>
  @usableFromInline var count = 0

  @inlinable var isEmpty: Bool { count == 0 }

  @inlinable
  init(_ buffer: ScratchBuffer<Element>) { self.buffer = buffer }

  @inlinable
  @inline(__always)
  mutating func append(_ element: Element) {
    buffer[count] = element
    count &+= 1
  }

  /// Writes an element behind the last one and keeps it only if asked to: an append without branch.
  ///
  /// - Precondition: There is room for one more than is kept.
  @inlinable
  @inline(__always)
  mutating func append(_ element: Element, keepingIf isKept: Bool) {
    buffer[count] = element
    count &+= Int(bit(isKept))
  }

  @inlinable subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index < count)
      return buffer[index]
    }
    @inline(__always) nonmutating set {
      assert(index < count)
      buffer[index] = newValue
    }
  }
}

extension ScratchList<Int32> {
  /// Sorts the elements, ascending.
  @usableFromInline
  func sort() {
    var elements = unsafe UnsafeMutableBufferPointer(start: buffer.base, count: count)
    unsafe elements.sort()
  }

  /// The elements as numbers.
  @inlinable var numbers: LazyMapCollection<Range<Int>, Int> {
    (0..<count).lazy.map { Int(self[$0]) }
  }
}
