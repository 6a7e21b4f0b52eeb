public import DeltaEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Where items are, by id, and which item is where, as list views and their data sources ask.

extension CollectionData {
  /// The index of the item with an id.
  ///
  /// - Complexity: O(n).
  public func index(of id: ItemType.UniqueIDType) -> Int? {
    items.firstIndex { $0.uniqueID == id }
  }

  /// The item with an id.
  ///
  /// - Complexity: O(n).
  public func item(for id: ItemType.UniqueIDType) -> ItemType? {
    items.first { $0.uniqueID == id }
  }

  /// The place in the view of the item with an id.
  ///
  /// - Complexity: O(n).
  public func indexPath(for id: ItemType.UniqueIDType) -> IndexPath? {
    index(of: id).map { IndexPath(indexes: [section, $0]) }
  }

  /// The id of the item at a place in the view; `nil` where there is none.
  public func itemIdentifier(for path: IndexPath) -> ItemType.UniqueIDType? {
    guard path.count == 2, path[0] == section else { return nil }
    return item(at: path[1])?.uniqueID
  }

  /// The item at a place in the view.
  ///
  /// - Parameter path: A place in the collection's section; anything else is a caller's bug and
  ///   traps.
  public subscript(path: IndexPath) -> ItemType {
    precondition(path.count == 2 && path[0] == section, "\(path) is not in section \(section)")
    return self[path[1]]
  }
}

extension CollectionData {
  /// The place in the view of the last item; `nil` without items.
  public var lastIndexPath: IndexPath? {
    let count = count
    return count == 0 ? nil : IndexPath(indexes: [section, count - 1])
  }
}

extension CollectionSectionData {
  /// The place in the view of the last item, in whichever section; `nil` without items.
  ///
  /// - Complexity: O(sections).
  public var lastIndexPath: IndexPath? { sections.lastIndexPath }

  /// The index of the section with an id.
  ///
  /// - Complexity: O(sections).
  public func sectionIndex(of id: SectionType.UniqueIDType) -> Int? {
    sections.firstIndex { $0.uniqueID == id }
  }

  /// The item with an id.
  ///
  /// - Complexity: O(n).
  public func item(for id: SectionType.DataType.UniqueIDType) -> SectionType.DataType? {
    for section in sections {
      if let item = section.items.first(where: { $0.uniqueID == id }) { return item }
    }
    return nil
  }

  /// The place in the view of the item with an id.
  ///
  /// - Complexity: O(n).
  public func indexPath(for id: SectionType.DataType.UniqueIDType) -> IndexPath? {
    for (index, section) in sections.enumerated() {
      if let item = section.items.firstIndex(where: { $0.uniqueID == id }) {
        return IndexPath(indexes: [index, item])
      }
    }
    return nil
  }

  /// The id of the item at a place in the view; `nil` where there is none.
  public func itemIdentifier(for path: IndexPath) -> SectionType.DataType.UniqueIDType? {
    guard path.count == 2 else { return nil }
    return item(path[1], inSection: path[0])?.uniqueID
  }

  /// The item at a place in the view.
  ///
  /// - Parameter path: A place that is there; anything else is a caller's bug and traps.
  public subscript(path: IndexPath) -> SectionType.DataType {
    precondition(path.count == 2, "\(path) is no place of an item")
    return self[path[0], path[1]]
  }
}

extension Array where Element: UniquelyIdentifiableSection {
  /// The place of the last item.
  var lastIndexPath: IndexPath? {
    lastIndex { !$0.items.isEmpty }.map { IndexPath(indexes: [$0, self[$0].items.count - 1]) }
  }
}

extension IndexPath {
  /// A place of a delta as list views have it: section and item.
  public init<Space>(_ path: ItemPath<Space>) { self.init(indexes: [path.section, path.item]) }
}

extension ItemPath {
  /// A place of a list view, or `nil` when it is not a section and an item.
  public init?(_ path: IndexPath) {
    guard path.count == 2 else { return nil }
    self.init(section: path[0], item: path[1])
  }
}
