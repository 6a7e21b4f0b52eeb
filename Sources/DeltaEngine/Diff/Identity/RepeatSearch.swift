/// Searches many hashes, hardly any of which repeat, for one that occurs twice.
///
/// *Entered* hashes are compared with each other and with *probed* ones; probed hashes are known to
/// differ from each other. A filter with one bit per entered hash rules out nearly all that occur
/// once, and never one that occurs twice. The remaining ones are filtered again by other bits, and
/// the few left then are compared.
///
/// As equal identities have equal hashes, a negative result is certain. After a positive one the
/// identities must be compared: different ones share 64 bits only by chance.
@usableFromInline struct RepeatSearch {
  @usableFromInline let filter: IdentityFilter
  /// Entered hashes whose bit was not set.
  @usableFromInline var first: ScratchList<UInt64>
  /// Entered and probed hashes whose bit was already set.
  @usableFromInline var again: ScratchList<UInt64>

  /// Creates a search for these numbers of hashes.
  @usableFromInline init(enteredCount: Int, probedCount: Int, in arena: inout Arena) {
    filter = IdentityFilter(wordCount: Self.wordCount(enteredCount), in: &arena)
    first = ScratchList(arena.allocate(enteredCount + 1))
    again = ScratchList(arena.allocate(enteredCount + probedCount + 1))
  }

  /// Returns a size of 32 to 64 bits per hash, but at least 4 KiB, so that false hits are rare even
  /// for few.
  private static func wordCount(_ count: Int) -> Int {
    min(1 << 26, max(512, 1 << (Int.bitWidth - (count / 2).leadingZeroBitCount)))
  }

  /// Enters a hash.
  ///
  /// - Precondition: At most `enteredCount` hashes are entered.
  @inlinable @inline(__always) mutating func enter(_ hash: UInt64) {
    let isRepeated = filter.testAndInsert(UInt32(truncatingIfNeeded: hash &>> 32))
    first.append(hash, keepingIf: !isRepeated)
    again.append(hash, keepingIf: isRepeated)
  }

  /// Probes a hash.
  ///
  /// - Precondition: At most `probedCount` hashes are probed.
  @inlinable @inline(__always) mutating func probe(_ hash: UInt64) {
    let mayRepeat = filter.count(UInt32(truncatingIfNeeded: hash &>> 32)) != 0
    again.append(hash, keepingIf: mayRepeat)
  }

  /// Returns whether an entered hash occurs twice, or was also probed.
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

  /// Inserts a hash into a table.
  ///
  /// - Returns: Whether it was already present.
  private static func insert(_ hash: UInt64, into slots: ScratchBuffer<UInt64>) -> Bool {
    let place = find(hash, in: slots)
    slots[place.slot] = hash
    return place.isFound
  }

  /// Returns the slot of a hash, or the empty slot where it belongs; 0 marks an empty slot.
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
