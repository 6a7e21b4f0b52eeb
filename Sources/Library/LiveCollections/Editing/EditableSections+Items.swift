// Edits of items.

extension EditableSections {
  /// Inserts items, in their order.
  ///
  /// - Throws: `EditError.duplicateItem`, and `.indexOutOfRange`, `.unknownItem` or
  ///   `.unknownSection` for the position.
  public mutating func insertItems(
    _ items: [ItemType], at position: ItemPosition<SectionID, ItemID>
  ) throws(EditError) {
    let place = try place(at: position)
    var added: Set<ItemID> = []
    for item in items
    where homes[item.uniqueID] != nil || !added.insert(item.uniqueID).inserted {
      throw .duplicateItem("\(item.uniqueID)")
    }
    let home = sections[place.section].uniqueID
    for id in added { homes[id] = home }
    sections[place.section].items.insert(contentsOf: items, at: place.item)
  }

  /// Appends items to the last section.
  ///
  /// - Throws: `EditError.indexOutOfRange` when there is no section; `.duplicateItem`.
  public mutating func appendItems(_ items: [ItemType]) throws(EditError) {
    guard let last = sections.last else { throw .indexOutOfRange(0, max: -1) }
    try insertItems(items, at: .last(in: last.uniqueID))
  }

  /// Deletes items.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func deleteItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    let ids = Set(ids)
    var affected: Set<SectionID> = []
    for id in ids {
      guard let home = homes[id] else { throw .unknownItem("\(id)") }
      affected.insert(home)
    }
    let only = ids.count == 1 ? ids.first : nil
    for index in sections.indices where affected.contains(sections[index].uniqueID) {
      if let only {
        sections[index].items.removeAll { $0.uniqueID == only }
      } else {
        sections[index].items.removeAll { ids.contains($0.uniqueID) }
      }
    }
    for id in ids { homes[id] = nil }
  }

  /// Moves an item, in its section or to another.
  ///
  /// - Throws: `EditError.unknownItem`, and `.indexOutOfRange`, `.unknownItem` or
  ///   `.unknownSection` for the position.
  public mutating func moveItem(
    _ id: ItemID, to position: ItemPosition<SectionID, ItemID>
  ) throws(EditError) {
    let source = try knownItem(id)
    let item = sections[source.section].items.remove(at: source.item)
    let home = homes.removeValue(forKey: id)
    do {
      let target = try place(at: position)
      sections[target.section].items.insert(item, at: target.item)
      homes[id] = sections[target.section].uniqueID
    } catch {
      sections[source.section].items.insert(item, at: source.item)
      homes[id] = home
      throw error
    }
  }

  /// Exchanges the places of two items.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func swapItems(_ first: ItemID, _ second: ItemID) throws(EditError) {
    let one = try knownItem(first)
    let other = try knownItem(second)
    let item = sections[one.section].items[one.item]
    sections[one.section].items[one.item] = sections[other.section].items[other.item]
    sections[other.section].items[other.item] = item
    let home = homes[first]
    homes[first] = homes[second]
    homes[second] = home
  }

  /// Replaces the item with the same id.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func updateItem(_ item: ItemType) throws(EditError) {
    let place = try knownItem(item.uniqueID)
    sections[place.section].items[place.item] = item
  }

  /// Replaces the items with the same ids, and inserts the others at a position.
  ///
  /// - Throws: `EditError.duplicateItem` when two of them have one id; `.indexOutOfRange`,
  ///   `.unknownItem` or `.unknownSection` for the position.
  public mutating func upsertItems(
    _ items: [ItemType], at position: ItemPosition<SectionID, ItemID>
  ) throws(EditError) {
    try items.checkUniqueness()
    var copy = self
    try copy.insertItems(items.filter { homes[$0.uniqueID] == nil }, at: position)
    let known = Dictionary(
      items.filter { homes[$0.uniqueID] != nil }.map { ($0.uniqueID, $0) },
      uniquingKeysWith: { $1 })
    let affected = Set(known.keys.compactMap { homes[$0] })
    for index in copy.sections.indices where affected.contains(copy.sections[index].uniqueID) {
      copy.sections[index].items = copy.sections[index].items.map { known[$0.uniqueID] ?? $0 }
    }
    self = copy
  }

  /// Replaces all items of a section.
  ///
  /// - Throws: `EditError.unknownSection`, `.duplicateItem`.
  public mutating func replaceItems(
    _ items: [ItemType], inSection id: SectionID
  ) throws(EditError) {
    var copy = self
    let section = try copy.knownSection(id)
    for item in copy.sections[section].items { copy.homes[item.uniqueID] = nil }
    copy.sections[section].items = []
    try copy.insertItems(items, at: .last(in: id))
    self = copy
  }

  /// Reverses the order of a section's items.
  ///
  /// - Throws: `EditError.unknownSection`.
  public mutating func reverseItems(inSection id: SectionID) throws(EditError) {
    let section = try knownSection(id)
    sections[section].items.reverse()
  }

  /// Reloads items although they are equal.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func reloadItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    try reloadItems(ids, .reload)
  }

  /// As `reloadItems(_:)`, in the cells that the items have.
  ///
  /// - Throws: `EditError.unknownItem`.
  public mutating func reconfigureItems(_ ids: some Sequence<ItemID>) throws(EditError) {
    try reloadItems(ids, .reconfigure)
  }

  private mutating func reloadItems(
    _ ids: some Sequence<ItemID>, _ style: ItemReloadStyle
  ) throws(EditError) {
    let styles = [ItemID: ItemReloadStyle](ids, style)
    try checkPresence(ofItems: styles.keys)
    itemReloads.merge(styles) { $0.combined(with: $1) }
  }

  func checkPresence(ofItems ids: some Sequence<ItemID>) throws(EditError) {
    for id in ids where homes[id] == nil { throw .unknownItem("\(id)") }
  }
}

extension Array where Element: UniquelyIdentifiable {
  /// Refuses items of which two have one id.
  fileprivate func checkUniqueness() throws(EditError) {
    var ids: Set<Element.UniqueIDType> = []
    for item in self where !ids.insert(item.uniqueID).inserted {
      throw .duplicateItem("\(item.uniqueID)")
    }
  }
}
