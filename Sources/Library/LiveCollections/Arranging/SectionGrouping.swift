/// How a flat list is divided into sections: neighbors that belong together are a section.
public struct SectionGrouping<SectionType: UniquelyIdentifiableSection>: Sendable {
  private let belongTogether: @Sendable (SectionType.DataType, SectionType.DataType) -> Bool
  private let makeSection: @Sendable ([SectionType.DataType]) -> SectionType

  /// Groups items by any rule.
  ///
  /// - Parameters:
  ///   - belongTogether: Whether an item belongs in the section of another.
  ///   - makeSection: Makes the section of at least one item.
  public init(
    belongTogether: @escaping @Sendable (SectionType.DataType, SectionType.DataType) -> Bool,
    makeSection: @escaping @Sendable ([SectionType.DataType]) -> SectionType
  ) {
    self.belongTogether = belongTogether
    self.makeSection = makeSection
  }

  /// Groups items by a key.
  ///
  /// - Parameters:
  ///   - key: The key of an item; items with an equal key belong together.
  ///   - makeSection: Makes the section of a key and at least one item.
  public init<Key: Equatable & SendableMetatype>(
    by key: @escaping @Sendable (SectionType.DataType) -> Key,
    makeSection: @escaping @Sendable (Key, [SectionType.DataType]) -> SectionType
  ) {
    self.init {
      key($0) == key($1)
    } makeSection: {
      makeSection(key($0[0]), $0)
    }
  }

  /// The sections of a list.
  ///
  /// - Throws: `ArrangingError.notContiguous` when a section's items are not neighbors.
  func sections(of items: [SectionType.DataType]) throws(ArrangingError) -> [SectionType] {
    var sections: [SectionType] = []
    var firsts: [SectionType.UniqueIDType: Int] = [:]
    var start = 0
    for end in items.indices.map({ $0 + 1 })
    where end == items.count || !belongTogether(items[start], items[end]) {
      let section = makeSection(Array(items[start..<end]))
      if let first = firsts.updateValue(start, forKey: section.uniqueID) {
        throw .notContiguous(section: "\(section.uniqueID)", first: first, again: start)
      }
      sections.append(section)
      start = end
    }
    return sections
  }
}

/// Why `ArrangedItems` was not changed.
public enum ArrangingError: Error, Hashable, Sendable {
  /// A section begins at one index of the flat list and again at another.
  case notContiguous(section: String, first: Int, again: Int)
  /// An item's id occurs twice; the id as text.
  case duplicateItem(String)
  /// There is no item with this id; the id as text.
  case unknownItem(String)
  /// There is no such place.
  case noSuchPlace(section: Int, item: Int)
}

extension ArrangingError: CustomStringConvertible {
  /// What is wrong, in one sentence.
  public var description: String {
    switch self {
    case .notContiguous(let section, let first, let again):
      "section \"\(section)\" begins at item \(first) and again at item \(again)"
    case .duplicateItem(let id): "item id \"\(id)\" occurs twice"
    case .unknownItem(let id): "there is no item \"\(id)\""
    case .noSuchPlace(let section, let item): "there is no item \(item) in section \(section)"
    }
  }
}
