/// Finds repeated ids with an open-addressing table of their seeded hashes.
///
/// The bytes of ids are compared only if all 64 bits of their hashes are equal.
struct RepeatedIDs: ~Copyable {
  struct ID {
    var slice: Snapshot.Slice
    var hash: UInt64
  }

  private var slots: [UInt32]
  private let mask: Int

  /// - Parameter count: The maximum number of ids.
  init(count: Int) {
    // At most half of the slots are used.
    let size = 1 << (Int.bitWidth - max(count * 2 - 1, 1).leadingZeroBitCount)
    slots = [UInt32](repeating: 0, count: size)
    mask = size - 1
  }

  /// Inserts an element, unless there is one with an equal id, which is returned.
  @inline(__always)
  mutating func insert(
    _ element: Int, in bytes: borrowing ByteOutput, _ id: (Int) -> ID
  ) -> Int? {
    let new = id(element)
    var slot = Int(truncatingIfNeeded: new.hash) & mask
    while slots[slot] != 0 {
      let other = Int(slots[slot]) - 1
      let known = id(other)
      if known.hash == new.hash, bytes.isEqual(known.slice.range, new.slice.range) { return other }
      slot = (slot + 1) & mask
    }
    slots[slot] = UInt32(element + 1)
    return nil
  }
}
