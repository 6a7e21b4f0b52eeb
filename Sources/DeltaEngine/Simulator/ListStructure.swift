/// The structure of a version: the ids and contents of its sections and items, in order.
///
/// Ids are numbers here; other ids are numbered first, alike for both versions.
public struct ListStructure: Hashable, Sendable {
  /// One item: its id and its content.
  public struct Item: Hashable, Sendable {
    /// Its id.
    public var id: Int
    /// A hash of its content.
    public var content: ContentHash

    /// An item of a structure.
    @inlinable public init(id: Int, content: ContentHash) {
      self.id = id
      self.content = content
    }
  }

  /// One section: its id, its header's content and its items.
  public struct Section: Hashable, Sendable {
    /// Its id.
    public var id: Int
    /// A hash of its header's content.
    public var content: ContentHash
    /// Its items, in order.
    public var items: [Item]

    /// A section of a structure.
    @inlinable public init(id: Int, content: ContentHash, items: [Item]) {
      self.id = id
      self.content = content
      self.items = items
    }
  }

  /// The sections, in order.
  public var sections: [Section]

  /// A structure of these sections.
  @inlinable public init(sections: [Section]) { self.sections = sections }

  /// The item at a path of this structure, or `nil` when there is none.
  package func item(section: Int, item: Int) -> Item? {
    guard sections.indices.contains(section), sections[section].items.indices.contains(item)
    else { return nil }
    return sections[section].items[item]
  }
}
