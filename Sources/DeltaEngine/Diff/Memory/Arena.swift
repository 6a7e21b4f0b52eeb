/// The scratch memory of one diff: buffers are allocated consecutively and freed together.
///
/// Each stage allocates its own buffers; no total is computed in advance. When a block is full, the
/// arena continues in one at least twice as large, so any input fits. The last block is the largest
/// and is pooled for the next diff, so that in a steady state little but results is allocated.
/// Memory that is never written is never touched: a block's size is address space, not resident
/// memory.
///
/// Invariant: `used <= capacity`; buffers do not overlap, and are valid until the end of the arena
/// or of the `scoped` body that allocated them.
@usableFromInline @safe struct Arena: ~Copyable {
  /// The current block, after its header.
  @usableFromInline private(set) var base: UnsafeMutableRawPointer
  @usableFromInline private(set) var capacity: Int
  @usableFromInline var used = 0

  /// The address of the pooled block, or 0 if it is in use.
  private static let pool = Locked<UInt>(0)
  /// The size of the largest block that is pooled, in bytes.
  private static let pooledBytesMax = 128 << 20
  private static let firstBytes = 64 << 10
  private static let headerBytes = 64

  /// Calls a closure with an arena that lives until it returns.
  @inlinable static func with<Result, Failure>(
    _ body: (inout Arena) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var arena = Arena()
    return try body(&arena)
  }

  /// Takes the pooled block, or allocates one.
  @usableFromInline init() {
    let pooled = unsafe UnsafeMutableRawPointer(bitPattern: Self.pool.exchange(0))
    unsafe base = unsafe pooled ?? Self.makeBlock(byteCount: Self.firstBytes, previous: nil)
    capacity = unsafe Self.header(of: base).pointee.byteCount
  }

  // Inlinable, because the optimizer would otherwise not inline functions that own an arena.
  @inlinable deinit { unsafe Self.giveBack(base) }

  /// Allocates an uninitialized buffer; elements must be written before they are read.
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

  /// Frees what the closure has allocated once it returns.
  @inlinable mutating func scoped<Result, Failure>(
    _ body: (inout Arena) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (block, mark) = unsafe (UInt(bitPattern: base), used)
    // A block begun in the closure holds nothing older, so all of it is free.
    defer { used = unsafe UInt(bitPattern: base) == block ? mark : 0 }
    return try body(&self)
  }
}

// MARK: - Blocks

extension Arena {
  /// The header of a block.
  @unsafe private struct Header {
    var byteCount: Int
    /// The preceding block, which is full.
    var previous: UnsafeMutableRawPointer?
  }

  /// Continues in a new block; earlier blocks are kept until the arena ends.
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

  /// Pools the last block, and frees the others and any block that another thread has pooled.
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
