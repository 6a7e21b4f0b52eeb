/// Two indices of one survivor, in its pair's lists.
@usableFromInline struct IndexPair: BitwiseCopyable {
  @usableFromInline var source: Int32
  @usableFromInline var target: Int32

  @inlinable @inline(__always) init(source: Int, target: Int) {
    self.source = Int32(truncatingIfNeeded: source)
    self.target = Int32(truncatingIfNeeded: target)
  }
}

/// What does not line up between the lists of all pairs, and what lines up with other content.
///
/// Each list ascends within its pair. All other elements are *anchors*: the n-th element of the
/// source that is not here is the n-th of the target that is not.
@usableFromInline struct Unresolved {
  /// Indices in the source's list of the pair.
  @usableFromInline var source: ScratchList<Int32>
  /// Indices in the target's list of the pair.
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
