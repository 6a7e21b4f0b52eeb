/// What is known about the uniqueness of ids in two versions.
public enum Uniqueness: Hashable, Sendable {
  /// Nothing: all ids of the source are checked, and those of the target as by `sourceChecked`.
  case checked
  /// The ids of the source have been checked, as when it was the target of an earlier delta.
  ///
  /// Ids in both versions are then unique in the target too; only inserted elements are compared
  /// with each other and all others. A duplicate in the target is refused as reliably as by
  /// `checked`; one in the source is a broken promise, as described for `promised`.
  case sourceChecked
  /// The caller guarantees unique ids in both versions; ids that line up are not hashed.
  ///
  /// A broken promise never traps: a duplicate is refused if it is encountered, or else the delta
  /// leads to the target with an id deleted and inserted.
  case promised
}

extension Diffable {
  /// Checks a flat list for an id that occurs twice.
  ///
  /// - Parameters:
  ///   - items: The list.
  ///   - side: The version to name in the error.
  /// - Throws: `DuplicateIdentifier` with both positions.
  /// - Complexity: O(*n*) expected.
  @inlinable public static func checkUniqueness(
    of items: [Self], _ side: DuplicateIdentifier.Side
  ) throws(DuplicateIdentifier) {
    try checkUniqueness(ofLists: [ContiguousArray(items)], side, kind: .item)
  }

  /// Checks all lists together for an id that occurs twice, by hash first and, only after a hit, by
  /// identity.
  @inlinable static func checkUniqueness(
    ofLists lists: [ContiguousArray<Self>], _ side: DuplicateIdentifier.Side,
    kind: DuplicateIdentifier.Kind
  ) throws(DuplicateIdentifier) {
    if seemsRepeated(inLists: lists) { try findRepeated(inLists: lists, side, kind: kind) }
  }

  /// Returns whether two ids have equal hashes.
  @inlinable static func seemsRepeated(inLists lists: [ContiguousArray<Self>]) -> Bool {
    let total = lists.reduce(0) { $0 + $1.count }
    if total < 2 { return false }
    return Arena.with { arena in
      RepeatSearch.run(enteredCount: total, probedCount: 0, in: &arena) { search, hash in
        for list in lists {
          let areHashed = list.withElements { $0.enter(into: &search, by: hash) }
          if !areHashed { return false }
        }
        return true
      }
    }
  }

  /// Compares all ids, using a hash table.
  @inlinable @inline(never) static func findRepeated(
    inLists lists: [ContiguousArray<Self>], _ side: DuplicateIdentifier.Side,
    kind: DuplicateIdentifier.Kind
  ) throws(DuplicateIdentifier) {
    let total = lists.reduce(0) { $0 + $1.count }
    let duplicate = Arena.with { arena in
      RetainedLists<Self>.scoped(capacity: lists.count, in: &arena) { retained, arena in
        let all = UnresolvedElements(all: lists, count: total, &retained, in: &arena)
        return all.firstRepeated(in: &arena)
      }
    }
    guard let (first, second) = duplicate else { return }
    throw DuplicateIdentifier(
      kind: kind, side: side, id: "\(lists[Int(second.pair)][Int(second.index)].diffID)",
      first: kind.path(first), second: kind.path(second))
  }
}

extension UnresolvedElements {
  /// Creates the elements of all lists, each list as one of a pair.
  @inlinable init(
    all lists: [ContiguousArray<Element>], count: Int, _ retained: inout RetainedLists<Element>,
    in arena: inout Arena
  ) {
    var indices = ScratchList<Int32>(arena.allocate(count))
    let pairs: ScratchBuffer<Int32> = arena.allocate(count)
    let elements: ScratchBuffer<Elements<Element>> = arena.allocate(lists.count)
    for (number, list) in lists.enumerated() {
      elements[number] = retained.retain(list)
      for index in list.indices {
        pairs[indices.count] = Int32(truncatingIfNeeded: number)
        indices.append(Int32(truncatingIfNeeded: index))
      }
    }
    self.init(lists: elements, indices: indices, pairs: pairs, hasOneList: false)
  }

  /// Returns the first two elements with the same id, or `nil` if there are none.
  @inlinable func firstRepeated(in arena: inout Arena) -> (first: Place, second: Place)? {
    for isCanonical in [false, true] {
      let table = IdentityTable(self, count: count, in: &arena)
      let duplicate = firstRepeated(IdentityHash(isCanonical: isCanonical), table)
      guard let duplicate else { continue }
      return duplicate.second < 0 ? nil : (place(duplicate.first), place(duplicate.second))
    }
    return nil
  }

  @inlinable func place(_ number: Int) -> Place {
    Place(pair: pair(of: number), index: Int(indices[number]))
  }

  /// Returns the numbers of the first two elements with the same id, or -1 if there are none; `nil`
  /// if an id cannot be hashed this way.
  @inlinable func firstRepeated(
    _ hash: IdentityHash, _ table: IdentityTable<Element>
  ) -> (first: Int, second: Int)? {
    for number in 0..<count {
      guard let hash = hash.hash(self[number].diffID, of: Element.self) else { return nil }
      let duplicate = table.insert(number, UInt32(truncatingIfNeeded: hash))
      if duplicate >= 0 { return (duplicate, number) }
    }
    return (-1, -1)
  }
}

extension DiffableSection {
  /// Checks a sectioned list for a section id, then for an item id, that occurs twice.
  ///
  /// - Parameters:
  ///   - sections: The list.
  ///   - side: The version to name in the error.
  /// - Throws: `DuplicateIdentifier` with both positions.
  /// - Complexity: O(*n*) expected.
  @inlinable public static func checkUniqueness(
    of sections: [Self], _ side: DuplicateIdentifier.Side
  ) throws(DuplicateIdentifier) {
    try checkUniqueness(ofLists: [ContiguousArray(sections)], side, kind: .section)
    try Item.checkUniqueness(
      ofLists: sections.map { ContiguousArray($0.items) }, side, kind: .item)
  }
}

extension DuplicateIdentifier.Kind {
  /// Returns a position as in the error: `[section]` or `[section, item]`.
  @usableFromInline func path(_ place: Place) -> [Int] {
    self == .section ? [Int(place.index)] : [Int(place.pair), Int(place.index)]
  }
}
