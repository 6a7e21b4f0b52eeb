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
  private static let pooledBytesMax = 64 << 20

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

/// A buffer in a workspace, with bounds checked in debug builds.
///
/// Invariant: it is used only while its workspace lives.
@usableFromInline
@safe
struct ScratchBuffer<Element: BitwiseCopyable> {
  @usableFromInline let base: UnsafeMutablePointer<Element>
  @usableFromInline let capacity: Int

  @inlinable
  @unsafe
  init(base: UnsafeMutablePointer<Element>, capacity: Int) {
    unsafe self.base = unsafe base
    self.capacity = capacity
  }

  @inlinable subscript(index: Int) -> Element {
    @inline(__always) get {
      assert(index >= 0 && index < capacity)
      return unsafe base[index]
    }
    @inline(__always) nonmutating set {
      assert(index >= 0 && index < capacity)
      unsafe base[index] = newValue
    }
  }

  /// No element.
  @inlinable static var none: ScratchBuffer {
    unsafe ScratchBuffer(
      base: UnsafeMutablePointer(bitPattern: MemoryLayout<Element>.alignment).unsafelyUnwrapped,
      capacity: 0)
  }

  /// 16 elements at once.
  @inlinable
  @inline(__always)
  func block(at index: Int) -> SIMD16<Element> where Element: SIMDScalar {
    assert(index >= 0 && index + 16 <= capacity)
    return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: SIMD16<Element>.self)
  }

  /// Four elements at once.
  @inlinable
  @inline(__always)
  func four(at index: Int) -> SIMD4<Element> where Element: SIMDScalar {
    assert(index >= 0 && index + 4 <= capacity)
    return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: SIMD4<Element>.self)
  }

  /// Sets a range of elements, and up to eight behind its start or end: mostly one store, and no
  /// branch that depends on how many there are.
  ///
  /// - Precondition: There is room for eight behind the range, whose contents do not matter.
  @inlinable
  @inline(__always)
  func fillByEights(_ range: Range<Int>, with value: Element) where Element: SIMDScalar {
    var start = range.lowerBound
    repeat {
      assert(start + 8 <= capacity)
      unsafe UnsafeMutableRawPointer(base + start).storeBytes(
        of: SIMD8(repeating: value), as: SIMD8<Element>.self)
      start &+= 8
    } while start < range.upperBound
  }

  /// Sets the first `count` elements.
  @inlinable
  func fill(_ count: Int, with value: Element) {
    assert(count <= capacity)
    unsafe base.update(repeating: value, count: count)
  }
}

/// A growing list in a workspace.
@usableFromInline
struct ScratchList<Element: BitwiseCopyable> {
  @usableFromInline let buffer: ScratchBuffer<Element>
  @usableFromInline var count = 0

  @inlinable var isEmpty: Bool { count == 0 }

  @inlinable
  init(_ buffer: ScratchBuffer<Element>) { self.buffer = buffer }

  @inlinable
  @inline(__always)
  mutating func append(_ element: Element) {
    buffer[count] = element
    count &+= 1
  }

  /// Writes an element behind the last one and keeps it only if asked to: an append without branch.
  ///
  /// - Precondition: There is room for one more than is kept.
  @inlinable
  @inline(__always)
  mutating func append(_ element: Element, keepingIf isKept: Bool) {
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
  /// Sorts the elements, ascending.
  @usableFromInline
  func sort() {
    var elements = unsafe UnsafeMutableBufferPointer(start: buffer.base, count: count)
    unsafe elements.sort()
  }

  /// The elements as numbers.
  @inlinable var numbers: LazyMapCollection<Range<Int>, Int> {
    (0..<count).lazy.map { Int(self[$0]) }
  }
}
