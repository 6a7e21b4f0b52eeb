/// The two indices of a survivor in its pair's lists.
@usableFromInline struct IndexPair: BitwiseCopyable {
  @usableFromInline var source: Int32
  @usableFromInline var target: Int32

  @inlinable @inline(__always) init(source: Int, target: Int) {
    self.source = Int32(truncatingIfNeeded: source)
    self.target = Int32(truncatingIfNeeded: target)
  }
}

/// The elements of all pairs that are not aligned, and aligned ones whose contents differ.
///
/// Each list ascends within its pair. All other elements are *anchors*: the *n*-th anchor of the
/// source is the *n*-th of the target.
@usableFromInline struct Unresolved {
  /// Indices in the pair's source list.
  @usableFromInline var source: ScratchList<Int32>
  /// Indices in the pair's target list.
  @usableFromInline var target: ScratchList<Int32>
  @usableFromInline var changed: ScratchList<IndexPair>

  @inlinable init(
    source: ScratchBuffer<Int32>, target: ScratchBuffer<Int32>, changed: ScratchBuffer<IndexPair>
  ) {
    self.source = ScratchList(source)
    self.target = ScratchList(target)
    self.changed = ScratchList(changed)
  }
}
