extension ItemOutline {
  /// Inserts items after an item's children, or after the roots, with all that is below them.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - parent: Under which item; `nil` for roots.
  ///   - children: The children of an item; none unless given.
  /// - Throws: `EditError.unknownItem`, `.duplicateItem`.
  public mutating func append(
    _ items: [ItemType], to parent: ID? = nil, children: (ItemType) -> [ItemType] = { _ in [] }
  ) throws(EditError) {
    var copy = self
    var waiting: [(items: [ItemType], parent: ID?)] = [(items, parent)]
    while let (items, parent) = waiting.popLast() {
      try copy.insert(items, at: .last, under: parent)
      waiting += items.map { (children($0), $0.uniqueID) }.filter { !$0.0.isEmpty }
    }
    self = copy
  }

  /// Inserts items before another one, under its parent.
  ///
  /// - Throws: `EditError.unknownItem`, `.duplicateItem`.
  public mutating func insert(_ items: [ItemType], before anchor: ID) throws(EditError) {
    try insert(items, at: .before(anchor), under: nodes[anchor]?.parent)
  }

  /// Inserts items right after another one, under its parent.
  ///
  /// - Throws: `EditError.unknownItem`, `.duplicateItem`.
  public mutating func insert(_ items: [ItemType], after anchor: ID) throws(EditError) {
    try insert(items, at: .after(anchor), under: nodes[anchor]?.parent)
  }

  private mutating func insert(
    _ items: [ItemType], at position: ListPosition<ID>, under parent: ID?
  ) throws(EditError) {
    if let parent { try check([parent]) }
    let siblings = children[parent] ?? []
    let index = try position.index(among: siblings, EditError.unknownItem)
    var added: Set<ID> = []
    for item in items where contains(item.uniqueID) || !added.insert(item.uniqueID).inserted {
      throw .duplicateItem("\(item.uniqueID)")
    }
    for item in items { nodes[item.uniqueID] = (item, parent) }
    children[parent, default: []].insert(contentsOf: items.map(\.uniqueID), at: index)
  }

  /// Deletes items, with all that is below them.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func delete(_ ids: some Sequence<ID>) throws(EditError) {
    let ids = Set(ids)
    try check(ids)
    // An item may be deleted with one above it before its own turn comes.
    for id in ids where contains(id) {
      children[nodes[id]?.parent]?.removeAll { $0 == id }
      for deleted in subtree(of: id) {
        nodes[deleted] = nil
        children[deleted] = nil
        expanded.remove(deleted)
      }
    }
  }

  /// Deletes all items.
  public mutating func deleteAll() { self = ItemOutline() }

  /// Moves an item with all that is below it.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - position: Among the children of `parent`; of the item itself, the index afterwards.
  ///   - parent: Under which item; `nil` for roots.
  /// - Throws: `EditError.unknownItem`, `.indexOutOfRange`, and `.intoItself` when the parent is
  ///   the item or below it.
  public mutating func move(
    _ id: ID, to position: ListPosition<ID>, under parent: ID? = nil
  ) throws(EditError) {
    try check([id])
    if let parent {
      if ([parent] + ancestors(of: parent)).contains(id) { throw .intoItself("\(id)") }
      try check([parent])
    }
    let siblings = (children[parent] ?? []).filter { $0 != id }
    let index = try position.index(among: siblings, EditError.unknownItem)
    children[nodes[id]?.parent]?.removeAll { $0 == id }
    children[parent, default: []].insert(id, at: index)
    nodes[id]?.parent = parent
  }

  /// An item and all below it, each parent before its children, with what is expanded.
  typealias Branch = (nodes: [(item: ItemType, parent: ID?)], expanded: Set<ID>)

  /// Takes an item out with all that is below it.
  mutating func cut(_ id: ID) throws(EditError) -> Branch {
    let ids = subtree(of: id)
    let branch = (ids.compactMap { nodes[$0] }, expanded.intersection(ids))
    try delete([id])
    return branch
  }

  /// Inserts what was taken out of another outline.
  mutating func insert(
    _ branch: Branch, at position: ListPosition<ID>, under parent: ID?
  ) throws(EditError) {
    for (index, node) in branch.nodes.enumerated() {
      try insert(
        [node.item], at: index == 0 ? position : .last, under: index == 0 ? parent : node.parent)
    }
    expanded.formUnion(branch.expanded)
  }

  /// Replaces the item with the same id; its children stay.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func update(_ item: ItemType) throws(EditError) {
    try check([item.uniqueID])
    nodes[item.uniqueID]?.item = item
  }

  /// Reverses the order of an item's children, or of the roots.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func reverseChildren(of parent: ID? = nil) throws(EditError) {
    if let parent { try check([parent]) }
    children[parent]?.reverse()
  }

  /// Shows the children of items.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func expand(_ ids: some Sequence<ID>) throws(EditError) {
    let ids = Set(ids)
    try check(ids)
    expanded.formUnion(ids)
  }

  /// Hides the children of items; what is expanded below them stays so.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func collapse(_ ids: some Sequence<ID>) throws(EditError) {
    let ids = Set(ids)
    try check(ids)
    expanded.subtract(ids)
  }

  /// Refuses ids of items that are not there.
  private func check(_ ids: some Sequence<ID>) throws(EditError) {
    for id in ids where !contains(id) { throw .unknownItem("\(id)") }
  }
}
