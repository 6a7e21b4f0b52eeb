import DeltaEngine

/// What is to be reloaded although it is equal.
struct ReloadOverrides: Sendable {
  var items: [ItemPath<TargetSpace>: ItemReloadStyle] = [:]
  var sections: Set<Int> = []

  var isEmpty: Bool { items.isEmpty && sections.isEmpty }

  mutating func formUnion(_ other: ReloadOverrides) {
    items.merge(other.items) { $0.combined(with: $1) }
    sections.formUnion(other.sections)
  }
}

extension ReloadOverrides {
  /// Where the items and sections with these ids are.
  init<Section: UniquelyIdentifiableSection>(
    ofItems styles: [Section.DataType.UniqueIDType: ItemReloadStyle],
    ofSections sectionIDs: Set<Section.UniqueIDType>, in content: [Section]
  ) {
    for (index, section) in content.enumerated() {
      if sectionIDs.contains(section.uniqueID) { sections.insert(index) }
      if styles.isEmpty { continue }
      for (place, item) in section.items.enumerated() {
        if let style = styles[item.uniqueID] {
          items[ItemPath(section: index, item: place)] = style
        }
      }
    }
  }
}

extension Dictionary where Value == ItemReloadStyle {
  /// The same style for each of these ids.
  init(_ ids: some Sequence<Key>, _ style: ItemReloadStyle) {
    self.init(ids.map { ($0, style) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Delta {
  /// The delta with items reloaded although they are equal.
  ///
  /// - Parameters:
  ///   - paths: The items' places in the target.
  ///   - itemCounts: The number of items in each section of the target.
  /// - Returns: The delta with these reloads.
  func overriding(_ paths: Set<ItemPath<TargetSpace>>, itemCounts: [Int]) -> Delta {
    if paths.isEmpty { return self }
    return isEmpty ? Delta(reloading: paths, itemCounts: itemCounts) : reloading(paths)
  }
}
