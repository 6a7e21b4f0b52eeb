public import DeltaEngine

extension CollectionSectionData {
  /// The sections, in order.
  public var sections: [SectionType] { pipeline.store.content }

  /// The sections once the update that is under way is shown.
  ///
  /// `nil` when none is under way, or it is not calculated yet.
  public var calculatingSections: [SectionType]? { pipeline.wanted }

  /// The items of all sections, in order.
  ///
  /// - Complexity: O(n), n the number of items.
  public var items: [SectionType.DataType] { sections.flatMap(\.items) }

  /// The number of sections.
  public var sectionCount: Int { sections.count }

  /// The number of items in all sections.
  ///
  /// - Complexity: O(n), n the number of sections.
  public var count: Int { sections.reduce(0) { $0 + $1.items.count } }

  /// Whether there are no sections.
  public var isEmpty: Bool { sections.isEmpty }

  /// The number of items in a section; 0 for a section that is not there.
  public func itemCount(forSection section: Int) -> Int {
    let sections = sections
    return sections.indices.contains(section) ? sections[section].items.count : 0
  }

  /// The section at an index.
  ///
  /// - Parameter section: `0..<sectionCount`; anything else is a caller's bug and traps.
  public subscript(section: Int) -> SectionType {
    let sections = sections
    precondition(
      sections.indices.contains(section), "section \(section) of \(sections.count)")
    return sections[section]
  }

  /// The item at a place.
  ///
  /// - Parameters:
  ///   - section: `0..<sectionCount`; anything else is a caller's bug and traps.
  ///   - item: `0..<itemCount(forSection: section)`, likewise.
  public subscript(section: Int, item: Int) -> SectionType.DataType {
    let items = self[section].items
    precondition(
      items.indices.contains(item), "item \(item) of \(items.count) in section \(section)")
    return items[item]
  }

  /// The item at a place, as deltas and delegates name it.
  ///
  /// - Parameter path: A place that is there; anything else is a caller's bug and traps.
  public subscript<Space>(path: ItemPath<Space>) -> SectionType.DataType {
    self[path.section, path.item]
  }

  /// The item at a place, or `nil` when there is none.
  ///
  /// For callers on another thread than the one that updates.
  public func item(_ item: Int, inSection section: Int) -> SectionType.DataType? {
    let sections = sections
    guard sections.indices.contains(section) else { return nil }
    let items = sections[section].items
    return items.indices.contains(item) ? items[item] : nil
  }
}
