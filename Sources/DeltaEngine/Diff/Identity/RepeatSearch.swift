/// Looks for a hash that occurs twice, among many of which hardly any does.
///
/// Hashes that are *entered* are compared with each other and with those that are *probed*; the
/// probed ones are known to differ from each other. A filter with a bit for each entered hash says
/// of nearly all that they occur once, and never says so of one that occurs twice. What is left is
/// filtered once more by other bits, and the few that are left then are compared.
///
/// Equal identities have equal hashes, so "no" is certain. "Yes" is a reason to compare identities:
/// of different ones, two have the same 64 bits by chance alone.
@usableFromInline struct RepeatSearch {
  @usableFromInline let filter: IdentityFilter
  /// Entered hashes whose bit was not set yet.
  @usableFromInline var first: ScratchList<UInt64>
  /// All other hashes whose bit was set already.
  @usableFromInline var again: ScratchList<UInt64>

  /// A search among so many hashes.
  @usableFromInline init(enteredCount: Int, probedCount: Int, in arena: inout Arena) {
    filter = IdentityFilter(wordCount: Self.wordCount(enteredCount), in: &arena)
    first = ScratchList(arena.allocate(enteredCount + 1))
    again = ScratchList(arena.allocate(enteredCount + probedCount + 1))
  }

  /// 32 to 64 bits for each hash, and at least 4 KiB, so that a few hardly ever hit.
  private static func wordCount(_ count: Int) -> Int {
    min(1 << 26, max(512, 1 << (Int.bitWidth - (count / 2).leadingZeroBitCount)))
  }

  /// Enters a hash.
  ///
  /// - Precondition: No more are entered than was announced.
  @inlinable @inline(__always) mutating func enter(_ hash: UInt64) {
    let isRepeated = filter.testAndInsert(UInt32(truncatingIfNeeded: hash &>> 32))
    first.append(hash, keepingIf: !isRepeated)
    again.append(hash, keepingIf: isRepeated)
  }

  /// Probes a hash.
  ///
  /// - Precondition: No more are probed than was announced.
  @inlinable @inline(__always) mutating func probe(_ hash: UInt64) {
    if filter.count(UInt32(truncatingIfNeeded: hash &>> 32)) != 0 { again.append(hash) }
  }

  /// Whether any entered hash occurs twice, or was probed too.
  @usableFromInline func hasRepeated(in arena: inout Arena) -> Bool {
    if again.isEmpty { return false }
    let filter = IdentityFilter(wordCount: Self.wordCount(again.count), in: &arena)
    let slotCount = 1 << (Int.bitWidth - (4 * again.count - 1).leadingZeroBitCount)
    let slots: ScratchBuffer<UInt64> = arena.allocate(slotCount)
    slots.fill(slotCount, with: 0)
    for number in 0..<again.count {
      filter.insert(UInt32(truncatingIfNeeded: again[number]))
      if Self.insert(again[number], into: slots) { return true }
    }
    for number in 0..<first.count {
      let hash = first[number]
      if filter.count(UInt32(truncatingIfNeeded: hash)) == 0 { continue }
      if Self.find(hash, in: slots).isFound { return true }
    }
    return false
  }

  /// Enters a hash into a table.
  ///
  /// - Returns: Whether it was there.
  private static func insert(_ hash: UInt64, into slots: ScratchBuffer<UInt64>) -> Bool {
    let place = find(hash, in: slots)
    slots[place.slot] = hash
    return place.isFound
  }

  /// The slot of a hash, or the empty one where it would be; 0 marks an empty slot.
  private static func find(
    _ hash: UInt64, in slots: ScratchBuffer<UInt64>
  ) -> (slot: Int, isFound: Bool) {
    if hash == 0 { return (0, true) }
    let mask = slots.capacity - 1
    var slot = Int(truncatingIfNeeded: hash &>> 16) & mask
    while slots[slot] != 0 {
      if slots[slot] == hash { return (slot, true) }
      slot = (slot + 1) & mask
    }
    return (slot, false)
  }
}
