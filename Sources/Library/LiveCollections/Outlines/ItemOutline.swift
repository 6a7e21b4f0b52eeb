/// Items with child items: a tree, of which a list shows the rows under expanded parents.
///
/// An edit either does all that it says, or throws and changes nothing. A parent stays expanded
/// through all edits that keep it.
///
/// ```swift
/// var files = ItemOutline<File>()
/// try files.append([sources, tests])
/// try files.append(sourceFiles, to: sources.uniqueID)
/// try files.expand([sources.uniqueID])
/// data.update(files.visibleRows) { _ in }
/// ```
public struct ItemOutline<ItemType: UniquelyIdentifiable> {
  /// The type of the ids.
  public typealias ID = ItemType.UniqueIDType

  var nodes: [ID: (item: ItemType, parent: ID?)] = [:]
  /// The children of each parent, in order; the roots are those of `nil`.
  var children: [ID?: [ID]] = [:]
  var expanded: Set<ID> = []

  /// An outline without items.
  public init() {}
}

extension ItemOutline: Sendable where ItemType: Sendable, ID: Sendable {}

/// A row of an outline, as a flat list shows it: reloaded when its item, its level, or what its
/// disclosure shows changes.
public struct OutlineRow<ItemType: UniquelyIdentifiable>: UniquelyIdentifiable {
  /// The item.
  public var item: ItemType
  /// How deep it is; 0 for a root.
  public var level: Int
  /// Whether it has children.
  public var hasChildren: Bool
  /// Whether its children are shown.
  public var isExpanded: Bool

  /// The item's id.
  public var uniqueID: ItemType.UniqueIDType { item.uniqueID }
}

extension OutlineRow: Sendable where ItemType: Sendable {}

// MARK: - Rows

extension ItemOutline {
  /// The rows that a list shows: roots, and what is under expanded parents, each parent before its
  /// children.
  ///
  /// - Complexity: O(rows).
  public var visibleRows: [OutlineRow<ItemType>] {
    var rows: [OutlineRow<ItemType>] = []
    visit(from: children[nil] ?? []) { id, level in
      guard let item = self[id] else { return false }
      let hasChildren = children[id]?.isEmpty == false
      let isExpanded = hasChildren && expanded.contains(id)
      rows.append(
        OutlineRow(item: item, level: level, hasChildren: hasChildren, isExpanded: isExpanded))
      return isExpanded
    }
    return rows
  }

  /// All items, each parent before its children.
  public var allItems: [ItemType] {
    (children[nil] ?? []).flatMap(subtree).compactMap { self[$0] }
  }

  /// The items that a list shows, in its order.
  public var visibleItems: [ItemType] { visibleRows.map(\.item) }

  /// The row that shows an item; `nil` when it is not shown.
  ///
  /// - Complexity: O(rows).
  public func visibleIndex(of id: ID) -> Int? {
    isVisible(id) ? visibleRows.firstIndex { $0.uniqueID == id } : nil
  }

  /// The items without a parent.
  public var rootItems: [ItemType] { (children[nil] ?? []).compactMap { self[$0] } }

  /// Visits items, and the children of those for which `body` says so.
  private func visit(from ids: [ID], _ body: (ID, _ level: Int) -> Bool) {
    // An outline may be of any depth: no recursion.
    var waiting = ids.reversed().map { ($0, 0) }
    while let (id, level) = waiting.popLast() {
      if body(id, level) {
        waiting += (children[id] ?? []).reversed().map { ($0, level + 1) }
      }
    }
  }

  /// An item and all below it, each parent before its children.
  func subtree(of id: ID) -> [ID] {
    var ids: [ID] = []
    visit(from: [id]) { id, _ in
      ids.append(id)
      return true
    }
    return ids
  }
}

// MARK: - Queries

extension ItemOutline {
  /// Whether there is an item with this id.
  public func contains(_ id: ID) -> Bool { nodes[id] != nil }

  /// The item with an id, if it is there.
  public subscript(id: ID) -> ItemType? { nodes[id]?.item }

  /// An item's parent; `nil` for a root, and when it is not there.
  public func parent(of id: ID) -> ItemType? { nodes[id]?.parent.flatMap { self[$0] } }

  /// An item's children, in order.
  public func children(of id: ID) -> [ItemType] { (children[id] ?? []).compactMap { self[$0] } }

  /// How deep an item is, 0 for a root; `nil` when it is not there.
  public func level(of id: ID) -> Int? { contains(id) ? ancestors(of: id).count : nil }

  /// Whether an item's children are shown, when it is shown itself.
  public func isExpanded(_ id: ID) -> Bool { expanded.contains(id) }

  /// Whether an item is shown: whether all above it are expanded.
  public func isVisible(_ id: ID) -> Bool {
    contains(id) && ancestors(of: id).allSatisfy(expanded.contains)
  }

  /// The items above an item, its parent first.
  func ancestors(of id: ID) -> [ID] {
    Array(
      sequence(state: id) { id in
        let parent = nodes[id]?.parent
        id = parent ?? id
        return parent
      })
  }
}
