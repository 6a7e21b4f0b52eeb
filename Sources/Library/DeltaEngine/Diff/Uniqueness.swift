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
    try findRepeated(inLists: [items], side, kind: .item)
  }

  @inlinable static func findRepeated(
    inLists lists: [[Self]], _ side: DuplicateIdentifier.Side, kind: DuplicateIdentifier.Kind
  ) throws(DuplicateIdentifier) {
    var places: [DiffID: (section: Int, item: Int)] = [:]
    places.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for (section, list) in lists.enumerated() {
      for (index, element) in list.enumerated() {
        guard let first = places.updateValue((section, index), forKey: element.diffID) else {
          continue
        }
        throw DuplicateIdentifier(
          kind: kind, side: side, id: "\(element.diffID)",
          first: kind == .section ? [first.item] : [first.section, first.item],
          second: kind == .section ? [index] : [section, index])
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
    try findRepeated(inLists: [sections], side, kind: .section)
    try Item.findRepeated(inLists: sections.map { $0.items }, side, kind: .item)
  }
}
