/// The unresolved elements of one side by number, accessed in place without copying or reference
/// counting.
@usableFromInline struct UnresolvedElements<Element: Diffable> {
  /// The list of each pair.
  @usableFromInline let lists: ScratchBuffer<Elements<Element>>
  /// For each number, the index in its list.
  @usableFromInline let indices: ScratchBuffer<Int32>
  /// For each number, its pair; not stored if there is only one pair.
  @usableFromInline let pairs: ScratchBuffer<Int32>
  @usableFromInline let hasOneList: Bool
  @usableFromInline let count: Int

  @inlinable init(
    lists: ScratchBuffer<Elements<Element>>, indices: ScratchList<Int32>,
    pairs: ScratchBuffer<Int32>, hasOneList: Bool
  ) {
    self.lists = lists
    self.indices = indices.buffer
    self.pairs = pairs
    self.hasOneList = hasOneList
    count = indices.count
  }

  @inlinable @inline(__always)
  func pair(of number: Int) -> Int { hasOneList ? 0 : Int(pairs[number]) }

  @inlinable subscript(number: Int) -> Element {
    @inline(__always) unsafeAddress {
      unsafe lists[pair(of: number)].address(of: Int(indices[number]))
    }
  }
}
