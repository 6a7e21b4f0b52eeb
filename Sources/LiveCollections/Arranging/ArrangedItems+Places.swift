// Where things are.

extension ArrangedItems {
  /// The place of an item in its section, if it is there.
  ///
  /// - Complexity: O(n).
  public func place(of id: ItemID) -> (section: Int, item: Int)? {
    for (section, content) in sections.enumerated() {
      if let item = content.items.firstIndex(where: { $0.uniqueID == id }) {
        return (section, item)
      }
    }
    return nil
  }

  /// The item at a place, if there is one.
  public func item(section: Int, item: Int) -> ItemType? {
    guard sections.indices.contains(section), sections[section].items.indices.contains(item)
    else { return nil }
    return sections[section].items[item]
  }

  func index(section: Int, item: Int) throws(RuleError) -> Int {
    guard self.item(section: section, item: item) != nil else {
      throw .noSuchPlace(section: section, item: item)
    }
    return sections[..<section].reduce(item) { $0 + $1.items.count }
  }

  func index(of id: ItemID) throws(RuleError) -> Int {
    guard let index = items.firstIndex(where: { $0.uniqueID == id }) else {
      throw .unknownItem("\(id)")
    }
    return index
  }
}
