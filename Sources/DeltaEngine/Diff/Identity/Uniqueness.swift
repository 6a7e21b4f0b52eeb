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
      var search = RepeatSearch(enteredCount: total, probedCount: 0, in: &arena)
      for list in lists { list.withElements { $0.enter(into: &search) } }
      return search.hasRepeated(in: &arena)
    }
  }

  /// Returns the error for an id that occurs twice.
  @inlinable static func duplicate(
    inLists lists: [ContiguousArray<Self>], _ side: DuplicateIdentifier.Side,
    kind: DuplicateIdentifier.Kind
  ) -> DuplicateIdentifier {
    do {
      try findRepeated(inLists: lists, side, kind: kind)
    } catch {
      return error
    }
    preconditionFailure("an id's type has values that are equal and hash differently")
  }

  /// Compares all ids; in a list without two equal hashes there is nothing to find.
  @inlinable @inline(never) static func findRepeated(
    inLists lists: [ContiguousArray<Self>], _ side: DuplicateIdentifier.Side,
    kind: DuplicateIdentifier.Kind
  ) throws(DuplicateIdentifier) {
    var places: [DiffID: [Int]] = [:]
    for (section, list) in lists.enumerated() {
      for (index, element) in list.enumerated() {
        let place = kind == .section ? [index] : [section, index]
        guard let first = places.updateValue(place, forKey: element.diffID) else { continue }
        throw DuplicateIdentifier(
          kind: kind, side: side, id: "\(element.diffID)", first: first, second: place)
      }
    }
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
