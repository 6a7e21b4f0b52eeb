/// Searches many hashes, hardly any of which repeat, for one that occurs twice.
///
/// *Entered* hashes are compared with each other and with *probed* ones; probed hashes are known to
/// differ from each other. A filter with one bit per entered hash (Bloom 1970, with one function)
/// rules out nearly all that occur once, and never one that occurs twice. The few others are entered
/// into a table and compared with all.
///
/// As equal identities have equal hashes, a negative result is certain. After a positive one the
/// identities must be compared: different ones share 64 bits only by chance.
@usableFromInline struct RepeatSearch {
  @usableFromInline let hash = IdentityHash()
  /// A bit for each entered hash, in a power of two of words.
  @usableFromInline let filter: ScratchBuffer<UInt64>
  /// Entered hashes whose bit was not set.
  @usableFromInline var first: ScratchList<UInt64>
  /// Entered and probed hashes whose bit was already set.
  @usableFromInline var again: ScratchList<UInt64>

  /// Creates a search for these numbers of hashes.
  @usableFromInline init(enteredCount: Int, probedCount: Int, in arena: inout Arena) {
    filter = arena.allocate(Self.wordCount(enteredCount))
    filter.fill(filter.capacity, with: 0)
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
    let (index, bit) = place(of: hash)
    let word = filter[index]
    filter[index] = word | bit
    let isRepeated = word & bit != 0
    first.append(hash, keepingIf: !isRepeated)
    again.append(hash, keepingIf: isRepeated)
  }

  /// Probes a hash.
  ///
  /// - Precondition: At most `probedCount` hashes are probed.
  @inlinable @inline(__always) mutating func probe(_ hash: UInt64) {
    let (index, bit) = place(of: hash)
    again.append(hash, keepingIf: filter[index] & bit != 0)
  }

  /// Returns the index of the word of the filter that has a hash's bit, and the bit.
  @inlinable @inline(__always) func place(of hash: UInt64) -> (index: Int, bit: UInt64) {
    (Int(truncatingIfNeeded: hash &>> 38) & (filter.capacity &- 1), 1 &<< (hash &>> 32))
  }

  /// Returns whether an entered hash occurs twice, or was also probed.
  @usableFromInline func hasRepeated(in arena: inout Arena) -> Bool {
    if again.isEmpty { return false }
    let table = HashTable(count: again.count, in: &arena)
    // A second filter, by other bits.
    let marks = Bits(words: arena.allocate(512))
    marks.clear(1 << 15)
    for number in 0..<again.count {
      let hash = again[number]
      marks.insert(Int(truncatingIfNeeded: hash & 0x7FFF))
      if table.insert(number, hash, unless: { again[$0] == hash }) >= 0 { return true }
    }
    for number in 0..<first.count where marks[Int(truncatingIfNeeded: first[number] & 0x7FFF)] {
      if table.find(first[number], where: { again[$0] == first[number] }) >= 0 { return true }
    }
    return false
  }
}

extension Elements where Element: Diffable {
  /// Enters the hashes of all identities.
  @inlinable func enter(into search: inout RepeatSearch) {
    precondition(search.first.count + count < search.first.buffer.capacity)
    // A copy: the loop then keeps it in registers.
    var copy = search
    for index in 0..<count { copy.enter(copy.hash.hash(self[index].diffID, of: Element.self)) }
    search = copy
  }

  /// Probes the hashes of all identities.
  @inlinable func probe(_ search: inout RepeatSearch) {
    precondition(search.again.count + count < search.again.buffer.capacity)
    var copy = search
    for index in 0..<count { copy.probe(copy.hash.hash(self[index].diffID, of: Element.self)) }
    search = copy
  }
}

extension Matcher {
  /// Whether an element that was added may have the identity of another one of the target, when
  /// those of the source are unique.
  ///
  /// All other elements of the target are elements of the source, each of them once. So an added
  /// one has its identity in common with another added one, or with one of the source.
  ///
  /// - Parameters:
  ///   - sourceCount: The number of elements of the source, those that line up among them.
  ///   - arena: Where to work.
  ///   - probeSource: Probes all elements of the source.
  /// - Returns: False only when no added one has.
  @inlinable func mayRepeatAdded(
    sourceCount: Int, in arena: inout Arena, probeSource: (inout RepeatSearch) -> Void
  ) -> Bool {
    let addedCount = targets.count - partners.count
    if addedCount == 0 { return false }
    return arena.scoped { arena in
      var search = RepeatSearch(enteredCount: addedCount, probedCount: sourceCount, in: &arena)
      for number in 0..<targets.count where partners[number] < 0 {
        search.enter(search.hash.hash(targets[number].diffID, of: Element.self))
      }
      probeSource(&search)
      return search.hasRepeated(in: &arena)
    }
  }
}
