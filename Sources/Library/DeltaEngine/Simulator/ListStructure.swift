/// The structure of a version: the ids and contents of its sections and items, in order.
///
/// Ids are integers here; other ids have to be numbered consistently in both versions.
public struct ListStructure: Hashable, Sendable {
  /// An item: its id and a hash of its content.
  public struct Item: Hashable, Sendable {
    /// The id of the item.
    public var id: Int
    /// A hash of the item's content.
    public var content: ContentHash

    /// Creates an item.
    @inlinable public init(id: Int, content: ContentHash) {
      self.id = id
      self.content = content
    }
  }

  /// A section: its id, a hash of its header's content, and its items.
  public struct Section: Hashable, Sendable {
    /// The id of the section.
    public var id: Int
    /// A hash of the header's content.
    public var content: ContentHash
    /// The items, in order.
    public var items: [Item]

    /// Creates a section.
    @inlinable public init(id: Int, content: ContentHash, items: [Item]) {
      self.id = id
      self.content = content
      self.items = items
    }
  }

  /// The sections, in order.
  public var sections: [Section]

  /// Creates a structure.
  @inlinable public init(sections: [Section]) { self.sections = sections }

  /// Returns the item at a position, or `nil` if there is none.
  package func item(section: Int, item: Int) -> Item? {
    guard sections.indices.contains(section), sections[section].items.indices.contains(item)
    else { return nil }
    return sections[section].items[item]
  }
}
