// A diffable snapshot with the names and the strictness of Apple's; `reconfigureItems` is UIKit's
// alone.

/// The identifiers that a diffable data source shows.
public struct NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>
where SectionIdentifierType: Hashable, ItemIdentifierType: Hashable {
  private var sections: [(id: SectionIdentifierType, items: [ItemIdentifierType])] = []
  /// What is reloaded.
  public private(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
  /// The sections that are reloaded.
  public private(set) var reloadedSectionIdentifiers: [SectionIdentifierType] = []
  /// What is configured again; for `reconfigureItems`.
  public var reconfigured: [ItemIdentifierType] = []
  /// The names of the edits made.
  public private(set) var edits: [String] = []

  /// Forgets the edits, as once it is shown.
  mutating func settle() {
    (reloadedItemIdentifiers, reloadedSectionIdentifiers, reconfigured, edits) = ([], [], [], [])
  }

  /// An empty snapshot.
  public init() {}

  /// The number of sections.
  public var numberOfSections: Int { sections.count }
  /// The sections, in order.
  public var sectionIdentifiers: [SectionIdentifierType] { sections.map(\.id) }
  /// The items, in order.
  public var itemIdentifiers: [ItemIdentifierType] { sections.flatMap(\.items) }

  /// The items of a section.
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    sections[place(identifier)].items
  }

  private func place(_ id: SectionIdentifierType) -> Int {
    guard let place = sections.firstIndex(where: { $0.id == id }) else {
      fatalError("Invalid parameter: no section \(id)")
    }
    return place
  }

  private func place(_ id: ItemIdentifierType) -> (section: Int, item: Int) {
    for (section, content) in sections.enumerated() {
      if let item = content.items.firstIndex(of: id) { return (section, item) }
    }
    fatalError("Invalid parameter: no item \(id)")
  }

  private mutating func insert(_ ids: [ItemIdentifierType], _ section: Int, _ item: Int) {
    require(Set(ids).count == ids.count, "an item twice in \(ids)")
    require(Set(itemIdentifiers).isDisjoint(with: ids), "\(ids) are there already")
    sections[section].items.insert(contentsOf: ids, at: item)
  }

  private mutating func insert(_ ids: [SectionIdentifierType], _ place: Int) {
    require(Set(sectionIdentifiers).isDisjoint(with: ids), "\(ids) are there already")
    sections.insert(contentsOf: ids.map { ($0, []) }, at: place)
  }
}

// MARK: - Items

extension NSDiffableDataSourceSnapshot {
  /// Appends items to a section.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    edits.append("append")
    let section = sectionIdentifier.map { place($0) } ?? sections.count - 1
    insert(identifiers, section, sections[section].items.count)
  }

  /// Inserts items before one.
  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType], beforeItem beforeIdentifier: ItemIdentifierType
  ) {
    edits.append("insert")
    let place = place(beforeIdentifier)
    insert(identifiers, place.section, place.item)
  }

  /// Inserts items after one.
  public mutating func insertItems(
    _ identifiers: [ItemIdentifierType], afterItem afterIdentifier: ItemIdentifierType
  ) {
    edits.append("insert")
    let place = place(afterIdentifier)
    insert(identifiers, place.section, place.item + 1)
  }

  /// Deletes items.
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    if !identifiers.isEmpty { edits.append("delete") }
    for id in identifiers {
      let place = place(id)
      sections[place.section].items.remove(at: place.item)
    }
  }

  /// Moves an item before another.
  public mutating func moveItem(
    _ identifier: ItemIdentifierType, beforeItem toIdentifier: ItemIdentifierType
  ) {
    edits.append("move")
    require(identifier != toIdentifier, "an item before itself")
    let source = place(identifier)
    sections[source.section].items.remove(at: source.item)
    let place = place(toIdentifier)
    insert([identifier], place.section, place.item)
  }

  /// Moves an item after another.
  public mutating func moveItem(
    _ identifier: ItemIdentifierType, afterItem toIdentifier: ItemIdentifierType
  ) {
    edits.append("move")
    require(identifier != toIdentifier, "an item after itself")
    let source = place(identifier)
    sections[source.section].items.remove(at: source.item)
    let place = place(toIdentifier)
    insert([identifier], place.section, place.item + 1)
  }

  /// Reloads items.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    for id in identifiers { _ = place(id) }
    reloadedItemIdentifiers += identifiers
  }
}

// MARK: - Sections

extension NSDiffableDataSourceSnapshot {
  /// Appends sections.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    insert(identifiers, sections.count)
  }

  /// Inserts sections before one.
  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType], beforeSection toIdentifier: SectionIdentifierType
  ) { insert(identifiers, place(toIdentifier)) }

  /// Inserts sections after one.
  public mutating func insertSections(
    _ identifiers: [SectionIdentifierType], afterSection toIdentifier: SectionIdentifierType
  ) { insert(identifiers, place(toIdentifier) + 1) }

  /// Deletes sections, with their items.
  public mutating func deleteSections(_ identifiers: [SectionIdentifierType]) {
    for id in identifiers { sections.remove(at: place(id)) }
  }

  /// Moves a section before another.
  public mutating func moveSection(
    _ identifier: SectionIdentifierType, beforeSection toIdentifier: SectionIdentifierType
  ) {
    require(identifier != toIdentifier, "a section before itself")
    let section = sections.remove(at: place(identifier))
    sections.insert(section, at: place(toIdentifier))
  }

  /// Moves a section after another.
  public mutating func moveSection(
    _ identifier: SectionIdentifierType, afterSection toIdentifier: SectionIdentifierType
  ) {
    require(identifier != toIdentifier, "a section after itself")
    let section = sections.remove(at: place(identifier))
    sections.insert(section, at: place(toIdentifier) + 1)
  }

  /// Reloads sections.
  public mutating func reloadSections(_ identifiers: [SectionIdentifierType]) {
    for id in identifiers { _ = place(id) }
    reloadedSectionIdentifiers += identifiers
  }
}
