/// A growing list in an arena.
@usableFromInline struct ScratchList<Element: BitwiseCopyable> {
  @usableFromInline let buffer: ScratchBuffer<Element>
  @usableFromInline var count = 0

  @inlinable var isEmpty: Bool { count == 0 }

  @inlinable init(_ buffer: ScratchBuffer<Element>) { self.buffer = buffer }

  @inlinable @inline(__always) mutating func append(_ element: Element) {
    buffer[count] = element
    count &+= 1
  }

  /// Writes an element after the last one, but keeps it only if asked to: a branch-free append.
  ///
  /// - Precondition: There is room for one element more than is kept.
  @inlinable @inline(__always) mutating func append(_ element: Element, keepingIf isKept: Bool) {
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
  /// The elements as a collection of `Int`.
  @inlinable var numbers: ScratchNumbers { ScratchNumbers(self) }
}

/// A view of a list in an arena as `Int`s; unlike a lazy map it allocates no closure.
@usableFromInline struct ScratchNumbers: RandomAccessCollection {
  @usableFromInline let list: ScratchList<Int32>

  @inlinable init(_ list: ScratchList<Int32>) { self.list = list }

  @inlinable var startIndex: Int { 0 }
  @inlinable var endIndex: Int { list.count }
  @inlinable subscript(index: Int) -> Int {
    @inline(__always) get { Int(list[index]) }
  }
}
