import Synchronization

/// The scratch memory of one diff: one block, carved from the front, given back whole.
///
/// A block is taken from and returned to a pool of one, so that diffs in a steady state allocate
/// nothing but their results. Memory that is carved and never written is never touched: a block's
/// size is address space, not resident memory.
///
/// Invariant: `used <= capacity`; carved buffers do not overlap and die with the workspace.
@usableFromInline
@safe
struct Workspace: ~Copyable {
  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline let capacity: Int
  @usableFromInline var used = 0

  /// The largest block that the pool keeps.
  private static let pooledBytesMax = 128 << 20

  /// The address of the block in the pool, 0 when it is out; a block's first word is its capacity.
  private static let pool = Atomic<UInt>(0)
  private static let headerBytes = 64

  /// Takes the pooled block when it is large enough, else a new one.
  @usableFromInline
  init(byteCount: Int) {
    let address = Self.pool.exchange(0, ordering: .acquiring)
    if let block = unsafe UnsafeMutableRawPointer(bitPattern: address) {
      let pooled = unsafe block.load(as: Int.self)
      if pooled >= byteCount {
        unsafe base = unsafe block + Self.headerBytes
        capacity = pooled
        return
      }
      unsafe block.deallocate()
    }
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: byteCount + Self.headerBytes, alignment: 64)
    unsafe block.storeBytes(of: byteCount, as: Int.self)
    unsafe base = unsafe block + Self.headerBytes
    capacity = byteCount
  }

  @inlinable
  deinit { unsafe Self.giveBack(base, capacity) }

  /// Puts a block into the pool, and frees the one that another thread may have put there.
  @usableFromInline
  @unsafe
  static func giveBack(_ base: UnsafeMutableRawPointer, _ capacity: Int) {
    let block = unsafe base - headerBytes
    guard capacity <= pooledBytesMax else {
      unsafe block.deallocate()
      return
    }
    let other = pool.exchange(UInt(bitPattern: block), ordering: .acquiringAndReleasing)
    unsafe UnsafeMutableRawPointer(bitPattern: other)?.deallocate()
  }

  /// Carves a buffer, uninitialised: whatever is read from it must have been written before.
  ///
  /// - Precondition: It fits. The caller sized the workspace by `Workspace.bytes(…)`.
  @inlinable
  mutating func carve<Element: BitwiseCopyable>(
    _ count: Int, of type: Element.Type = Element.self
  ) -> ScratchBuffer<Element> {
    let start = (used + 15) & ~15
    used = start + count * MemoryLayout<Element>.stride
    precondition(used <= capacity, "workspace of \(capacity) bytes: \(used) needed")
    let pointer = unsafe (base + start).bindMemory(to: Element.self, capacity: count)
    return unsafe ScratchBuffer(base: pointer, capacity: count)
  }

  /// The bytes that a buffer takes, its alignment included.
  @inlinable
  static func bytes<Element: BitwiseCopyable>(_ count: Int, of type: Element.Type) -> Int {
    count * MemoryLayout<Element>.stride + 16
  }
}
