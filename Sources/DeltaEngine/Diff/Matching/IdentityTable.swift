/// The unresolved source elements by identity: open addressing in groups of four slots, two fifths
/// full, so that nearly every lookup ends in the first group.
///
/// A slot is 0 when empty, else an element's number plus one in the low bits and the low bits of
/// its hash above, so that almost every comparison of identities is one that succeeds; the high
/// bits of the hash tell the group. The four slots of a group are looked at together, without a
/// branch that depends on which of them it is; they fill up in order.
@usableFromInline struct IdentityTable<Element: Diffable> {
  @usableFromInline let slots: ScratchBuffer<UInt32>
  /// Where an element's slot is, and what of its hash is in it.
  @usableFromInline let layout: TableLayout
  @usableFromInline let elements: UnresolvedElements<Element>

  /// An empty table with room for `count` of the elements.
  @inlinable init(_ elements: UnresolvedElements<Element>, count: Int, in arena: inout Arena) {
    slots = arena.allocate(TableLayout.slotCount(count))
    self.elements = elements
    layout = TableLayout(slotCount: slots.capacity, numberCount: elements.count)
    slots.fill(slots.capacity, with: 0)
  }

  /// Enters an element; gives the number of one with the same identity, or -1.
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

  /// The number of the element with the identity of one of the other side, or -1.
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

  /// The same for an element whose hash is no longer known.
  @inlinable
  func find(_ others: UnresolvedElements<Element>, _ other: Int, by hash: IdentityHash) -> Int {
    find(others, other, hash.hash(others, other))
  }

  /// For each hash the number of an element that has it, as far as the table tells, or -1.
  ///
  /// The candidates have to be confirmed; where that fails, `find` knows. Their numbers may take
  /// the place of the hashes.
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

  /// The number of the element with an identity in a group of slots, or -1.
  ///
  /// Nearly always one slot at most has the tag, so that the union of those that have it is its
  /// content. Where it is not, it names some other element, perhaps one that is not entered yet:
  /// numbers are entered in ascending order. Then each is asked.
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
