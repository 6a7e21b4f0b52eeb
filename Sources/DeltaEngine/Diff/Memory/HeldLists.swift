/// Lists that are held until `release`, in room of a workspace, so that pointers into them stay
/// good: a section may make its list anew whenever it is asked.
///
/// Invariant: `release` comes before the workspace is given back; at most `capacity` are held.
@usableFromInline
@safe
struct HeldLists<Element>: ~Copyable {
  @usableFromInline let base: UnsafeMutablePointer<ContiguousArray<Element>>
  @usableFromInline let capacity: Int
  @usableFromInline var count = 0

  @inlinable
  init(capacity: Int, in workspace: inout Workspace) {
    let words: ScratchBuffer<UInt> = workspace.carve(capacity)
    unsafe base = UnsafeMutableRawPointer(words.base).assumingMemoryBound(
      to: ContiguousArray<Element>.self)
    self.capacity = capacity
  }

  /// Holds a list from here on.
  @inlinable
  @inline(__always)
  mutating func hold(_ list: ContiguousArray<Element>) -> Elements<Element> {
    precondition(count < capacity)
    let elements = unsafe list.withUnsafeBufferPointer { unsafe Elements($0) }
    unsafe (base + count).initialize(to: list)
    count &+= 1
    return elements
  }

  /// Lets all lists go.
  @inlinable
  mutating func release() {
    unsafe base.deinitialize(count: count)
    count = 0
  }
}
