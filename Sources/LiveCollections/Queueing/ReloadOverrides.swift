import DeltaEngine

/// What is to be reloaded although it is equal.
struct ReloadOverrides: Sendable {
  var items: Set<ItemPath<Target>> = []
  var sections: Set<Int> = []

  var isEmpty: Bool { items.isEmpty && sections.isEmpty }

  mutating func formUnion(_ other: ReloadOverrides) {
    items.formUnion(other.items)
    sections.formUnion(other.sections)
  }
}

extension ReloadOverrides {
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
  /// The delta with items reloaded although they are equal.
  ///
  /// - Parameters:
  ///   - paths: The items' places in the target.
  ///   - itemCounts: The number of items in each section of the target.
  /// - Returns: The delta with these reloads.
  func overriding(_ paths: Set<ItemPath<Target>>, itemCounts: [Int]) -> Delta {
    if paths.isEmpty { return self }
    return isEmpty ? Delta(reloading: paths, itemCounts: itemCounts) : reloading(paths)
  }
}
