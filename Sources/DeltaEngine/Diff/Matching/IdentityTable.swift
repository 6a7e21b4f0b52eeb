/// A hash table of unresolved source elements, with open addressing in groups of four slots at a
/// load of two fifths, so that nearly every lookup ends in the first group.
///
/// A slot is 0 if it is empty; otherwise it holds an element's number plus one in the low bits, and
/// the low bits of its hash above, so that almost every comparison of identities succeeds. The high
/// bits of the hash select the group. The four slots of a group, which fill up in order, are
/// examined together without a branch on which of them matches.
@usableFromInline struct IdentityTable<Element: Diffable> {
  @usableFromInline let slots: ScratchBuffer<UInt32>
  /// The position of an element's slot, and the part of its hash stored there.
  @usableFromInline let layout: TableLayout
  @usableFromInline let elements: UnresolvedElements<Element>

  /// Creates an empty table with room for `count` of the elements.
  @inlinable init(_ elements: UnresolvedElements<Element>, count: Int, in arena: inout Arena) {
    slots = arena.allocate(TableLayout.slotCount(count))
    self.elements = elements
    layout = TableLayout(slotCount: slots.capacity, numberCount: elements.count)
    slots.fill(slots.capacity, with: 0)
  }

  /// Inserts an element; returns the number of one with the same identity, or -1.
  @inlinable @inline(__always) func insert(_ number: Int, _ hash: UInt32) -> Int {
    let tag = layout.tag(hash)
    var slot = layout.slot(hash)
    while true {
      let group = slots.four(at: slot)
      let duplicate = find(elements[number].diffID, tag, in: group, below: number)
      if duplicate >= 0 { return duplicate }
      let used = Int(truncatingIfNeeded: group.usedCount)
      if used < 4 {
        slots[slot &+ used] = tag | UInt32(truncatingIfNeeded: number &+ 1)
        return -1
      }
      slot = layout.slot(behind: slot)
    }
  }

  /// Returns the number of the element with the same identity as one of the other side, or -1.
  @inlinable @inline(__always)
  func find(_ others: UnresolvedElements<Element>, _ other: Int, _ hash: UInt32) -> Int {
    let tag = layout.tag(hash)
    var slot = layout.slot(hash)
    while true {
      let group = slots.four(at: slot)
      let found = find(others[other].diffID, tag, in: group, below: elements.count)
      if found >= 0 || group.w == 0 { return found }
      slot = layout.slot(behind: slot)
    }
  }

  /// Looks up an element whose hash has been overwritten.
  @inlinable
  func find(_ others: UnresolvedElements<Element>, _ other: Int, by hash: IdentityHash) -> Int {
    find(others, other, hash.hash(others, other))
  }

  /// Stores for each hash the number of an element that probably has it, or -1.
  ///
  /// Candidates have to be confirmed; if that fails, use `find`. The numbers may overwrite the
  /// hashes.
  @inlinable
  func findCandidates(_ hashes: HashList, count: Int, into numbers: ScratchBuffer<Int32>) {
    let (slots, layout) = (slots, layout)
    for entry in 0..<count {
      let tag = layout.tag(hashes[entry])
      var slot = layout.slot(hashes[entry])
      var group = slots.four(at: slot)
      var found = layout.tagged(tag, in: group).union
      while found == 0, group.w != 0 {
        slot = layout.slot(behind: slot)
        group = slots.four(at: slot)
        found = layout.tagged(tag, in: group).union
      }
      numbers[entry] = Int32(bitPattern: found) &- 1
    }
  }

  /// Returns the number of the element with an identity in a group of slots, or -1.
  ///
  /// Nearly always at most one slot has the tag, so the bitwise or of those that have it is its
  /// content. Otherwise it is the number of another element, possibly one not yet inserted, as
  /// numbers are inserted in ascending order; then each slot is compared.
  @inlinable @inline(__always) func find(
    _ id: Element.DiffID, _ tag: UInt32, in group: SIMD4<UInt32>, below end: Int
  ) -> Int {
    let tagged = layout.tagged(tag, in: group)
    let number = Int(truncatingIfNeeded: tagged.union) &- 1
    if number < 0 { return -1 }
    if number < end, Element.isSame(elements[number].diffID, id) { return number }
    return findEach(id, tagged)
  }

  @inlinable @inline(never) func findEach(_ id: Element.DiffID, _ tagged: SIMD4<UInt32>) -> Int {
    for lane in 0..<4 where tagged[lane] != 0 {
      let number = Int(truncatingIfNeeded: tagged[lane]) &- 1
      if Element.isSame(elements[number].diffID, id) { return number }
    }
    return -1
  }
}
