// Edits of outlines.

extension ItemOutline {
  /// Adds items behind an item's children, or behind the roots.
  ///
  /// - Throws: `EditError.unknownItem`, `.duplicateItem`.
  public mutating func append(_ items: [ItemType], to parent: ID? = nil) throws(EditError) {
    try insert(items, under: parent, at: try children(under: parent).count)
  }

  /// Adds items with all that is below them.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - parent: Under whom; `nil` for roots.
  ///   - children: The children of an item.
  /// - Throws: `EditError.unknownItem`, `.duplicateItem`.
  public mutating func append(
    _ items: [ItemType], to parent: ID? = nil, children: (ItemType) -> [ItemType]
  ) throws(EditError) {
    var copy = self
    var waiting: [(items: [ItemType], parent: ID?)] = [(items, parent)]
    while let (items, parent) = waiting.popLast() {
      try copy.append(items, to: parent)
      for item in items {
        let below = children(item)
        if !below.isEmpty { waiting.append((below, item.uniqueID)) }
      }
    }
    self = copy
  }

  /// Inserts items beside another one, under its parent.
  ///
  /// - Throws: `EditError.unknownItem`, `.duplicateItem`.
  public mutating func insert(_ items: [ItemType], before anchor: ID) throws(EditError) {
    let (parent, index) = try place(of: anchor)
    try insert(items, under: parent, at: index)
  }

  /// Inserts items right behind another one, under its parent.
  ///
  /// - Throws: `EditError.unknownItem`, `.duplicateItem`.
  public mutating func insert(_ items: [ItemType], after anchor: ID) throws(EditError) {
    let (parent, index) = try place(of: anchor)
    try insert(items, under: parent, at: index + 1)
  }

  /// Takes items away, with all that is below them.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func delete(_ ids: some Sequence<ID>) throws(EditError) {
    let ids = Array(ids)
    for id in ids where nodes[id] == nil { throw .unknownItem("\(id)") }
    // An item may go with one above it before its own turn comes.
    for id in ids where nodes[id] != nil {
      detach(id)
      for gone in subtree(of: id) {
        nodes[gone] = nil
        expanded.remove(gone)
      }
    }
  }

  /// Takes all items away.
  public mutating func deleteAll() { self = ItemOutline() }

  /// Moves an item with all that is below it.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - position: Among the children of `parent`; of the item itself, the index afterwards.
  ///   - parent: Under whom; `nil` for roots.
  /// - Throws: `EditError.unknownItem`, `.indexOutOfRange`, and `.intoItself` when the parent is the
  ///   item or below it.
  public mutating func move(
    _ id: ID, to position: ListPosition<ID>, under parent: ID? = nil
  ) throws(EditError) {
    guard nodes[id] != nil else { throw .unknownItem("\(id)") }
    if let parent, parent == id || ancestors(of: parent).contains(id) {
      throw .intoItself("\(id)")
    }
    var copy = self
    copy.detach(id)
    var siblings = try copy.children(under: parent)
    siblings.insert(id, at: try Self.index(at: position, in: siblings))
    copy.setChildren(siblings, under: parent)
    copy.nodes[id]?.parent = parent
    self = copy
  }

  /// Puts an item in the place of the one with its id; its children stay.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func update(_ item: ItemType) throws(EditError) {
    guard nodes[item.uniqueID] != nil else { throw .unknownItem("\(item.uniqueID)") }
    nodes[item.uniqueID]?.item = item
  }

  /// Turns the order of an item's children, or of the roots, around.
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
    for id in ids where nodes[id] == nil { throw .unknownItem("\(id)") }
    expanded.formUnion(ids)
  }

  /// Hides the children of items; what is expanded below them stays so.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func collapse(_ ids: some Sequence<ID>) throws(EditError) {
    let ids = Set(ids)
    for id in ids where nodes[id] == nil { throw .unknownItem("\(id)") }
    expanded.subtract(ids)
  }
}

// MARK: - Below

extension ItemOutline {
  private mutating func insert(
    _ items: [ItemType], under parent: ID?, at index: Int
  ) throws(EditError) {
    var added: Set<ID> = []
    for item in items
    where nodes[item.uniqueID] != nil || !added.insert(item.uniqueID).inserted {
      throw .duplicateItem("\(item.uniqueID)")
    }
    var siblings = try children(under: parent)
    siblings.insert(contentsOf: items.map(\.uniqueID), at: index)
    setChildren(siblings, under: parent)
    for item in items { nodes[item.uniqueID] = Node(item: item, parent: parent) }
  }

  private func children(under parent: ID?) throws(EditError) -> [ID] {
    guard let parent else { return roots }
    guard let node = nodes[parent] else { throw .unknownItem("\(parent)") }
    return node.children
  }

  private mutating func setChildren(_ ids: [ID], under parent: ID?) {
    if let parent { nodes[parent]?.children = ids } else { roots = ids }
  }

  /// Takes an item out of its parent's children.
  private mutating func detach(_ id: ID) {
    let parent = nodes[id]?.parent
    if let parent {
      nodes[parent]?.children.removeAll { $0 == id }
    } else {
      roots.removeAll { $0 == id }
    }
  }

  private func place(of id: ID) throws(EditError) -> (parent: ID?, index: Int) {
    guard let node = nodes[id], let index = try children(under: node.parent).firstIndex(of: id)
    else { throw .unknownItem("\(id)") }
    return (node.parent, index)
  }

  private static func index(
    at position: ListPosition<ID>, in siblings: [ID]
  ) throws(EditError) -> Int {
    switch position {
    case .first: return 0
    case .last: return siblings.count
    case .at(let index):
      guard (0...siblings.count).contains(index) else {
        throw .indexOutOfRange(index, max: siblings.count)
      }
      return index
    case .before(let id), .after(let id):
      guard let index = siblings.firstIndex(of: id) else { throw .unknownItem("\(id)") }
      if case .after = position { return index + 1 }
      return index
    }
  }
}
