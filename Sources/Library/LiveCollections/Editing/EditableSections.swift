/// A list with sections that is edited by ids.
///
/// Each edit either does all that it says, or throws and changes nothing. Section ids are unique
/// among the sections, item ids among the items of all sections.
///
/// ```swift
/// var list = try EditableSections([inbox, archive])
/// try list.insertItems([letter], at: .first(in: "inbox"))
/// try list.moveItem("bill", to: .last(in: "archive"))
/// ```
public struct EditableSections<SectionType: UniquelyIdentifiableSection> {
  /// The type of the sections' ids.
  public typealias SectionID = SectionType.UniqueIDType
  /// The type of the items.
  public typealias ItemType = SectionType.DataType
  /// The type of the items' ids.
  public typealias ItemID = SectionType.DataType.UniqueIDType

  /// The sections, in order.
  public internal(set) var sections: [SectionType]
  /// Per item, the section that it is in.
  var homes: [ItemID: SectionID]
  /// The items that are to be reloaded although they are equal, by id.
  var itemReloads: [ItemID: ItemReloadStyle] = [:]
  /// The ids of sections that are to be reloaded although they are equal.
  var sectionReloads: Set<SectionID> = []

  /// A list of these sections.
  ///
  /// - Throws: `EditError.duplicateSection` or `.duplicateItem` when an id occurs twice.
  public init(_ sections: [SectionType] = []) throws(EditError) {
    self.init(unchecked: [])
    try insertSections(sections, at: .last)
  }

  /// A list of sections whose ids, and whose items' ids, are known to be unique.
  init(unchecked sections: [SectionType]) {
    self.sections = sections
    homes = [:]
    homes.reserveCapacity(sections.reduce(0) { $0 + $1.items.count })
    for section in sections {
      for item in section.items { homes[item.uniqueID] = section.uniqueID }
    }
  }
}

extension EditableSections: Sendable
where SectionType: Sendable, ItemType: Sendable, SectionID: Sendable, ItemID: Sendable {}

// MARK: - Places

extension EditableSections {
  /// Whether there are no sections.
  public var isEmpty: Bool { sections.isEmpty }

  /// The number of items in all sections.
  public var itemCount: Int { homes.count }

  /// The index of a section, if it is there.
  public func sectionIndex(of id: SectionID) -> Int? {
    sections.firstIndex { $0.uniqueID == id }
  }

  /// Whether there is an item with this id.
  public func containsItem(_ id: ItemID) -> Bool { homes[id] != nil }

  /// The id of the section that an item is in, if it is there.
  public func section(ofItem id: ItemID) -> SectionID? { homes[id] }

  /// Where an item is, if it is there.
  ///
  /// - Complexity: O(sections + items of its section).
  public func place(ofItem id: ItemID) -> (section: Int, item: Int)? {
    guard let home = homes[id], let section = sectionIndex(of: home),
      let item = sections[section].items.firstIndex(where: { $0.uniqueID == id })
    else { return nil }
    return (section, item)
  }

  /// The item with an id, if it is there.
  public func item(_ id: ItemID) -> ItemType? {
    place(ofItem: id).map { sections[$0.section].items[$0.item] }
  }

  /// The section and index of a position.
  func place(
    at position: ItemPosition<SectionID, ItemID>
  ) throws(EditError) -> (section: Int, item: Int) {
    switch position {
    case .first(let id): return (try knownSection(id), 0)
    case .last(let id):
      let section = try knownSection(id)
      return (section, sections[section].items.count)
    case .at(let index, let id):
      let section = try knownSection(id)
      let count = sections[section].items.count
      guard (0...count).contains(index) else { throw .indexOutOfRange(index, max: count) }
      return (section, index)
    case .before(let id): return try knownItem(id)
    case .after(let id):
      let place = try knownItem(id)
      return (place.section, place.item + 1)
    }
  }

  func knownSection(_ id: SectionID) throws(EditError) -> Int {
    guard let index = sectionIndex(of: id) else { throw .unknownSection("\(id)") }
    return index
  }

  func knownItem(_ id: ItemID) throws(EditError) -> (section: Int, item: Int) {
    guard let place = place(ofItem: id) else { throw .unknownItem("\(id)") }
    return place
  }
}
