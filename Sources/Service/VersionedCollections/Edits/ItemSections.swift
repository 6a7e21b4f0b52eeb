import DeltaEngine

/// The section of each item in a draft, so that edits need not search all items.
///
/// Items and sections are identified by their small numbers in the collection's `IDTable`, which
/// are used as array indices. An item's position within its section is not stored, because every
/// insertion before it changes that.
struct ItemSections {
  /// The section's number by item number; `UInt32.max` for items that do not exist.
  private var sections: [UInt32] = []
  private(set) var count = 0

  init() {}

  /// The section of an item; nil if the item does not exist.
  subscript(item: UInt32) -> UInt32? {
    get {
      guard Int(item) < sections.count, sections[Int(item)] != .max else { return nil }
      return sections[Int(item)]
    }
    set {
      if self[item] != nil { count -= 1 }
      if newValue != nil { count += 1 }
      if Int(item) >= sections.count {
        let added = max(Int(item) + 1 - sections.count, sections.count)
        sections.append(contentsOf: repeatElement(.max, count: added))
      }
      sections[Int(item)] = newValue ?? .max
    }
  }
}
