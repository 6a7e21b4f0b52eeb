/// A version as a list view sees it: who stands where, and with which content.
///
/// Ids are numbers here; whoever has other ids numbers them, alike for both versions.
public struct Outline: Hashable, Sendable {
  /// One item: its id and its content.
  public struct Item: Hashable, Sendable {
    /// Who it is.
    public var id: Int
    /// What it shows.
    public var content: ContentHash

    /// An item of an outline.
    @inlinable public init(id: Int, content: ContentHash) {
      self.id = id
      self.content = content
    }
  }

  /// One section: its id, its header's content and its items.
  public struct Section: Hashable, Sendable {
    /// Who it is.
    public var id: Int
    /// What its header shows.
    public var content: ContentHash
    /// Its items, in order.
    public var items: [Item]

    /// A section of an outline.
    @inlinable public init(id: Int, content: ContentHash, items: [Item]) {
      self.id = id
      self.content = content
      self.items = items
    }
  }

  /// The sections, in order.
  public var sections: [Section]

  /// An outline of these sections.
  @inlinable public init(sections: [Section]) { self.sections = sections }

  /// The item at a path of this outline, or `nil` when there is none.
  func item(section: Int, item: Int) -> Item? {
    guard sections.indices.contains(section), sections[section].items.indices.contains(item)
    else { return nil }
    return sections[section].items[item]
  }
}
