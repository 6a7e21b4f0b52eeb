/// Items with child items, of which those under expanded parents are shown: strict edits by id.
///
/// Each edit either does all that it says, or throws and changes nothing. Which parents are expanded
/// is kept through all edits that keep the parent.
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

  struct Node {
    var item: ItemType
    var parent: ID?
    var children: [ID] = []
  }

  var nodes: [ID: Node] = [:]
  var roots: [ID] = []
  var expanded: Set<ID> = []

  /// An outline without items.
  public init() {}
}

// MARK: - Rows

extension ItemOutline {
  /// The rows that a list shows: roots, and what is under expanded parents, each parent before its
  /// children.
  ///
  /// - Complexity: O(rows).
  public var visibleRows: [OutlineRow<ItemType>] {
    var rows: [OutlineRow<ItemType>] = []
    visit(roots, level: 0) { node, level in
      let isExpanded = expanded.contains(node.item.uniqueID)
      rows.append(
        OutlineRow(
          item: node.item, level: level, hasChildren: !node.children.isEmpty,
          isExpanded: isExpanded && !node.children.isEmpty))
      return isExpanded
    }
    return rows
  }

  /// All items, each parent before its children.
  public var allItems: [ItemType] {
    var items: [ItemType] = []
    visit(roots, level: 0) { node, _ in
      items.append(node.item)
      return true
    }
    return items
  }

  /// The items without a parent.
  public var rootItems: [ItemType] { roots.compactMap { nodes[$0]?.item } }

  /// Visits nodes, and the children of those for which `body` says so.
  private func visit(_ ids: [ID], level: Int, _ body: (Node, Int) -> Bool) {
    // Outlines are as deep as their makers like: no recursion.
    var waiting = ids.reversed().map { ($0, level) }
    while let (id, level) = waiting.popLast() {
      guard let node = nodes[id], body(node, level) else { continue }
      waiting += node.children.reversed().map { ($0, level + 1) }
    }
  }

  /// An item and all below it.
  func subtree(of id: ID) -> [ID] {
    var ids: [ID] = []
    visit([id], level: 0) { node, _ in
      ids.append(node.item.uniqueID)
      return true
    }
    return ids
  }
}

// MARK: - Questions

extension ItemOutline {
  /// Whether there is an item with this id.
  public func contains(_ id: ID) -> Bool { nodes[id] != nil }

  /// The item with an id, if it is there.
  public subscript(id: ID) -> ItemType? { nodes[id]?.item }

  /// An item's parent; `nil` for a root, and when it is not there.
  public func parent(of id: ID) -> ItemType? {
    nodes[id]?.parent.flatMap { nodes[$0]?.item }
  }

  /// An item's children, in order.
  public func children(of id: ID) -> [ItemType] {
    (nodes[id]?.children ?? []).compactMap { nodes[$0]?.item }
  }

  /// How deep an item is, 0 for a root; `nil` when it is not there.
  public func level(of id: ID) -> Int? {
    guard nodes[id] != nil else { return nil }
    return ancestors(of: id).count
  }

  /// Whether an item's children are shown, when it is shown itself.
  public func isExpanded(_ id: ID) -> Bool { expanded.contains(id) }

  /// Whether an item is shown: whether all above it are expanded.
  public func isVisible(_ id: ID) -> Bool {
    nodes[id] != nil && ancestors(of: id).allSatisfy(expanded.contains)
  }

  /// Those above an item, its parent first.
  func ancestors(of id: ID) -> [ID] {
    var ancestors: [ID] = []
    var next = nodes[id]?.parent
    while let parent = next {
      ancestors.append(parent)
      next = nodes[parent]?.parent
    }
    return ancestors
  }
}
