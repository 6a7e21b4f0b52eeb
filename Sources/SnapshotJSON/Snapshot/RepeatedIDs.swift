/// Finds repeated ids: an open-addressing table on the seeded hashes of ids.
///
/// Ids are compared as bytes only where all 64 bits of their hashes are equal.
struct RepeatedIDs: ~Copyable {
  /// An id: where its bytes are, and their hash.
  struct ID {
    var slice: Snapshot.Slice
    var hash: UInt64
  }

  private var slots: [UInt32]
  private let mask: Int

  /// - Parameter count: How many ids will be put in, at most.
  init(count: Int) {
    // Never more than half full.
    let size = 1 << (Int.bitWidth - max(count * 2 - 1, 1).leadingZeroBitCount)
    slots = [UInt32](repeating: 0, count: size)
    mask = size - 1
  }

  /// Puts an element in, unless one with an equal id is.
  ///
  /// - Parameters:
  ///   - element: Its number.
  ///   - bytes: What the slices of ids refer to.
  ///   - id: The id of an element.
  /// - Returns: The element with an equal id, or nil.
  @inline(__always)
  mutating func insert(
    _ element: Int, in bytes: borrowing ByteOutput, _ id: (Int) -> ID
  ) -> Int? {
    let new = id(element)
    var slot = Int(truncatingIfNeeded: new.hash) & mask
    while slots[slot] != 0 {
      let other = Int(slots[slot]) - 1
      let known = id(other)
      if known.hash == new.hash, bytes.isEqual(known.slice, new.slice) { return other }
      slot = (slot + 1) & mask
    }
    slots[slot] = UInt32(element + 1)
    return nil
  }
}
