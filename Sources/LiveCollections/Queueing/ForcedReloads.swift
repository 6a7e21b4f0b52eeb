import DeltaEngine

/// A content after an edit, and what the edit wants drawn anew.
struct Edited<Element: Sendable>: Sendable {
  var content: [Element]
  /// Finds, in the content after all edits, what is to be drawn anew though it is equal.
  var reloads: (@Sendable (_ content: [Element]) -> ForcedReloads)?

  init(
    _ content: [Element], reloads: (@Sendable (_ content: [Element]) -> ForcedReloads)? = nil
  ) {
    self.content = content
    self.reloads = reloads
  }
}

/// What is to be drawn anew although it is equal.
struct ForcedReloads: Sendable {
  var items: Set<ItemPath<Target>> = []
  var sections: Set<Int> = []

  var isEmpty: Bool { items.isEmpty && sections.isEmpty }

  mutating func formUnion(_ other: ForcedReloads) {
    items.formUnion(other.items)
    sections.formUnion(other.sections)
  }
}

extension ForcedReloads {
  /// Where the items with these ids are.
  init<Item: UniquelyIdentifiable>(of ids: Set<Item.UniqueIDType>, in content: [Item]) {
    for (index, item) in content.enumerated() where ids.contains(item.uniqueID) {
      items.insert(ItemPath(section: 0, item: index))
    }
  }

  /// Where the items and sections with these ids are.
  init<Section: UniquelyIdentifiableSection>(
    ofItems itemIDs: Set<Section.DataType.UniqueIDType>,
    ofSections sectionIDs: Set<Section.UniqueIDType>, in content: [Section]
  ) {
    for (index, section) in content.enumerated() {
      if sectionIDs.contains(section.uniqueID) { sections.insert(index) }
      if itemIDs.isEmpty { continue }
      for (place, item) in section.items.enumerated() where itemIDs.contains(item.uniqueID) {
        items.insert(ItemPath(section: index, item: place))
      }
    }
  }
}

extension Delta {
  /// The delta with items drawn anew although they are equal.
  ///
  /// - Parameters:
  ///   - paths: The items' places in the target.
  ///   - itemCounts: The number of items in each section of the target.
  /// - Returns: The delta with these reloads, staged anew.
  func forcing(_ paths: Set<ItemPath<Target>>, itemCounts: [Int]) -> Delta {
    if paths.isEmpty { return self }
    return isEmpty ? Delta(reloading: paths, itemCounts: itemCounts) : reloading(paths)
  }
}
