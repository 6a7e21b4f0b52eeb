/// Lists that are retained until a scope ends, so that their elements stay where they are: a section
/// may make its list anew whenever it is asked for it.
///
/// Invariant: nothing that `retain` returned is used after the body of `scoped`.
@usableFromInline struct RetainedLists<Element>: ~Copyable {
  @usableFromInline var lists: [ContiguousArray<Element>] = []

  @inlinable init(capacity: Int) { lists.reserveCapacity(capacity) }

  /// Runs a body that retains lists, and releases them behind it.
  @inlinable static func scoped<Result, Failure>(
    capacity: Int, _ body: (inout RetainedLists) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var retained = RetainedLists(capacity: capacity)
    defer { withExtendedLifetime(retained.lists) {} }
    return try body(&retained)
  }

  /// Retains a list from here on.
  ///
  /// - Returns: Its elements; where they are does not change while the list is retained.
  @inlinable @inline(__always)
  mutating func retain(_ list: ContiguousArray<Element>) -> Elements<Element> {
    lists.append(list)
    return unsafe list.withUnsafeBufferPointer { unsafe Elements($0) }
  }
}
