/// The scratch memory of one diff: buffers are allocated one behind the other and freed together.
///
/// A stage declares its buffers once, by allocating them. Nothing is added up beforehand: where a
/// block has no room left, the arena goes on in one at least twice as large, so that no input is
/// too much for it. The last block is the largest; a pool of one keeps it for the next diff, so
/// that diffs in a steady state allocate little but their results. Memory that is allocated and
/// never written is never touched: a block's size is address space, not resident memory.
///
/// Invariant: `used <= capacity`; buffers do not overlap, and die with the arena or with the
/// `scoped` body in which they were allocated.
@usableFromInline @safe struct Arena: ~Copyable {
  /// The block in use, behind its header.
  @usableFromInline private(set) var base: UnsafeMutableRawPointer
  @usableFromInline private(set) var capacity: Int
  @usableFromInline var used = 0

  /// The address of the block in the pool, 0 when it is out.
  private static let pool = Locked<UInt>(0)
  /// The largest block that the pool keeps.
  private static let pooledBytesMax = 128 << 20
  private static let firstBytes = 64 << 10
  private static let headerBytes = 64

  /// Gives a body an arena, which ends with it.
  @inlinable static func with<Result, Failure>(
    _ body: (inout Arena) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var arena = Arena()
    return try body(&arena)
  }

  /// Takes the pooled block, or a new one.
  @usableFromInline init() {
    let pooled = unsafe UnsafeMutableRawPointer(bitPattern: Self.pool.exchange(0))
    unsafe base = unsafe pooled ?? Self.makeBlock(byteCount: Self.firstBytes, previous: nil)
    capacity = unsafe Self.header(of: base).pointee.byteCount
  }

  // Inlinable: the optimizer refuses to inline a body that owns an arena without it.
  @inlinable deinit { unsafe Self.giveBack(base) }

  /// Allocates a buffer, uninitialised: whatever is read from it must have been written before.
  @inlinable mutating func allocate<Element: BitwiseCopyable>(
    _ count: Int, of type: Element.Type = Element.self
  ) -> ScratchBuffer<Element> {
    let byteCount = count * MemoryLayout<Element>.stride
    var start = (used + 15) & ~15
    if byteCount > capacity - start {
      grow(by: byteCount)
      start = 0
    }
    used = start + byteCount
    let pointer = unsafe (base + start).bindMemory(to: Element.self, capacity: count)
    return unsafe ScratchBuffer(base: pointer, capacity: count)
  }

  /// Frees what the body allocates, once it has run.
  @inlinable mutating func scoped<Result, Failure>(
    _ body: (inout Arena) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (block, mark) = unsafe (UInt(bitPattern: base), used)
    // A block that was begun in the body holds nothing from before it: all of it is free again.
    defer { used = unsafe UInt(bitPattern: base) == block ? mark : 0 }
    return try body(&self)
  }
}

// MARK: - Blocks

extension Arena {
  /// What stands before each block.
  @unsafe private struct Header {
    var byteCount: Int
    /// The block that was full when this one was begun.
    var previous: UnsafeMutableRawPointer?
  }

  /// Goes on in a new block; the ones before it stay until the arena ends.
  @usableFromInline mutating func grow(by byteCount: Int) {
    unsafe base = unsafe Self.makeBlock(byteCount: max(2 * capacity, byteCount), previous: base)
    capacity = unsafe Self.header(of: base).pointee.byteCount
  }

  @unsafe private static func makeBlock(
    byteCount: Int, previous: UnsafeMutableRawPointer?
  ) -> UnsafeMutableRawPointer {
    let block = UnsafeMutableRawPointer.allocate(
      byteCount: byteCount + headerBytes, alignment: headerBytes)
    let base = unsafe block + headerBytes
    unsafe header(of: base).initialize(to: Header(byteCount: byteCount, previous: previous))
    return unsafe base
  }

  @unsafe
  private static func header(of base: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
    unsafe (base - headerBytes).assumingMemoryBound(to: Header.self)
  }

  /// Puts the last block into the pool, and frees the others and the one that another thread may
  /// have put there.
  @usableFromInline @unsafe static func giveBack(_ base: UnsafeMutableRawPointer) {
    var previous = unsafe header(of: base).pointee.previous
    while let full = unsafe previous {
      unsafe previous = unsafe header(of: full).pointee.previous
      unsafe (full - headerBytes).deallocate()
    }
    unsafe header(of: base).pointee.previous = nil
    guard unsafe header(of: base).pointee.byteCount <= pooledBytesMax else {
      return unsafe (base - headerBytes).deallocate()
    }
    let other = pool.exchange(UInt(bitPattern: base))
    if let other = unsafe UnsafeMutableRawPointer(bitPattern: other) {
      unsafe (other - headerBytes).deallocate()
    }
  }
}
