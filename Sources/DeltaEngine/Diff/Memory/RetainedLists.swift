/// Lists retained until the end of a scope, so that their elements stay in place: a section may
/// create its list anew each time it is accessed.
///
/// Invariant: the first `count` elements of `base` are initialized, at most `capacity`; nothing
/// that `retain` returned is used after the body of `scoped`.
@usableFromInline @safe struct RetainedLists<Element>: ~Copyable {
  @usableFromInline let base: UnsafeMutablePointer<ContiguousArray<Element>>
  @usableFromInline let capacity: Int
  @usableFromInline var count = 0

  @inlinable init(capacity: Int, in arena: inout Arena) {
    let words: ScratchBuffer<UInt> = arena.allocate(capacity)
    unsafe base = UnsafeMutableRawPointer(words.base).bindMemory(
      to: ContiguousArray<Element>.self, capacity: capacity)
    self.capacity = capacity
  }

  @inlinable deinit { unsafe base.deinitialize(count: count) }

  /// Calls a closure that retains up to `capacity` lists, and releases them afterwards.
  @inlinable static func scoped<Result, Failure>(
    capacity: Int, in arena: inout Arena,
    _ body: (inout RetainedLists, inout Arena) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var retained = RetainedLists(capacity: capacity, in: &arena)
    return try body(&retained, &arena)
  }

  /// Retains a list until the end of the scope.
  ///
  /// - Returns: Its elements, whose address is stable while the list is retained.
  @inlinable @inline(__always)
  mutating func retain(_ list: ContiguousArray<Element>) -> Elements<Element> {
    precondition(count < capacity)
    unsafe (base + count).initialize(to: list)
    count &+= 1
    return unsafe list.withUnsafeBufferPointer { unsafe Elements($0) }
  }
}
