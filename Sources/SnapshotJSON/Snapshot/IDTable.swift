#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Finds ids that stand twice: an open-addressing table on the seeded hashes of ids.
///
/// Ids are compared as bytes only where all 64 bits of their hashes are equal.
struct IDTable: ~Copyable {
  /// An id: where its bytes are, and their hash.
  struct ID {
    var slice: Snapshot.Slice
    var hash: UInt64
  }

  private var slots: [UInt32]
  private let mask: Int
  private let bytes: UnsafePointer<UInt8>

  /// - Parameters:
  ///   - count: How many ids will be put in, at most.
  ///   - bytes: What the slices refer to.
  init(count: Int, bytes: UnsafePointer<UInt8>) {
    // Never more than half full.
    let size = 1 << (Int.bitWidth - max(count * 2 - 1, 1).leadingZeroBitCount)
    slots = [UInt32](repeating: 0, count: size)
    mask = size - 1
    self.bytes = bytes
  }

  /// Puts an element in, unless one with an equal id is; then returns that one.
  @inline(__always)
  mutating func insert(_ element: Int, _ id: (Int) -> ID) -> Int? {
    let new = id(element)
    var slot = Int(truncatingIfNeeded: new.hash) & mask
    while slots[slot] != 0 {
      let other = Int(slots[slot]) - 1
      let known = id(other)
      if known.hash == new.hash, isEqual(known.slice, new.slice) { return other }
      slot = (slot + 1) & mask
    }
    slots[slot] = UInt32(element + 1)
    return nil
  }

  private func isEqual(_ lhs: Snapshot.Slice, _ rhs: Snapshot.Slice) -> Bool {
    lhs.count == rhs.count && memcmp(bytes + lhs.offset, bytes + rhs.offset, lhs.count) == 0
  }
}
