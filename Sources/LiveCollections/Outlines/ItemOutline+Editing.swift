// Edits of outlines.

extension ItemOutline {
  /// Inserts items behind an item's children, or behind the roots, with all that is below them.
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

  /// Inserts items beside another one, under its parent.
  ///
  /// - Throws: `EditError.unknownItem`, `.duplicateItem`.
  public mutating func insert(_ items: [ItemType], before anchor: ID) throws(EditError) {
    try insert(items, at: .before(anchor), under: nodes[anchor]?.parent)
  }

  /// Inserts items right behind another one, under its parent.
  ///
  /// - Throws: `EditError.unknownItem`, `.duplicateItem`.
  public mutating func insert(_ items: [ItemType], after anchor: ID) throws(EditError) {
    try insert(items, at: .after(anchor), under: nodes[anchor]?.parent)
  }

  /// Deletes items, with all that is below them.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func delete(_ ids: some Sequence<ID>) throws(EditError) {
    let ids = Array(ids)
    for id in ids { try knownNode(id) }
    // An item may go with one above it before its own turn comes.
    for id in ids where nodes[id] != nil {
      try detach(id)
      for gone in subtree(of: id) {
        nodes[gone] = nil
        expanded.remove(gone)
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
  /// - Throws: `EditError.unknownItem`, `.indexOutOfRange`, and `.intoItself` when the parent is the
  ///   item or below it.
  public mutating func move(
    _ id: ID, to position: ListPosition<ID>, under parent: ID? = nil
  ) throws(EditError) {
    try knownNode(id)
    if let parent, parent == id || ancestors(of: parent).contains(id) {
      throw .intoItself("\(id)")
    }
    var copy = self
    try copy.detach(id)
    var siblings = try copy.children(under: parent)
    siblings.insert(id, at: try position.index(among: siblings, EditError.unknownItem))
    copy.setChildren(siblings, under: parent)
    copy.nodes[id]?.parent = parent
    self = copy
  }

  /// Puts an item in the place of the one with its id; its children stay.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func update(_ item: ItemType) throws(EditError) {
    try knownNode(item.uniqueID)
    nodes[item.uniqueID]?.item = item
  }

  /// Reverses the order of an item's children, or of the roots,.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func reverseChildren(of parent: ID? = nil) throws(EditError) {
    setChildren(try children(under: parent).reversed(), under: parent)
  }

  /// Shows the children of items.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func expand(_ ids: some Sequence<ID>) throws(EditError) {
    let ids = Set(ids)
    for id in ids { try knownNode(id) }
    expanded.formUnion(ids)
  }

  /// Hides the children of items; what is expanded below them stays so.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func collapse(_ ids: some Sequence<ID>) throws(EditError) {
    let ids = Set(ids)
    for id in ids { try knownNode(id) }
    expanded.subtract(ids)
  }
}

// MARK: - Nodes

extension ItemOutline {
  private mutating func insert(
    _ items: [ItemType], at position: ListPosition<ID>, under parent: ID?
  ) throws(EditError) {
    var siblings = try children(under: parent)
    let index = try position.index(among: siblings, EditError.unknownItem)
    var added: Set<ID> = []
    for item in items
    where nodes[item.uniqueID] != nil || !added.insert(item.uniqueID).inserted {
      throw .duplicateItem("\(item.uniqueID)")
    }
    siblings.insert(contentsOf: items.map(\.uniqueID), at: index)
    setChildren(siblings, under: parent)
    for item in items { nodes[item.uniqueID] = Node(item: item, parent: parent) }
  }

  private func children(under parent: ID?) throws(EditError) -> [ID] {
    guard let parent else { return roots }
    return try knownNode(parent).children
  }

  private mutating func setChildren(_ ids: [ID], under parent: ID?) {
    if let parent { nodes[parent]?.children = ids } else { roots = ids }
  }

  /// Takes an item out of its parent's children.
  private mutating func detach(_ id: ID) throws(EditError) {
    let parent = try knownNode(id).parent
    setChildren(try children(under: parent).filter { $0 != id }, under: parent)
  }

  @discardableResult private func knownNode(_ id: ID) throws(EditError) -> Node {
    guard let node = nodes[id] else { throw .unknownItem("\(id)") }
    return node
  }
}
