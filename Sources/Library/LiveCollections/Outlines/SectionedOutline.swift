import DeltaEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Sections with a tree of items in each, of which a list shows the rows under expanded parents.
///
/// Ids of items are unique among all sections. An edit either does all that it says, or throws and
/// changes nothing.
///
/// ```swift
/// var projects = SectionedOutline<Project, File>()
/// try projects.insertSections([app, library])
/// try projects.edit(app.uniqueID) { files throws(EditError) in
///   try files.append([sources, tests])
///   try files.expand([sources.uniqueID])
/// }
/// data.update(projects.visibleSections) { _ in }
/// ```
public struct SectionedOutline<SectionType: UniquelyIdentifiable, ItemType: UniquelyIdentifiable> {
  /// The type of the sections' ids.
  public typealias SectionID = SectionType.UniqueIDType
  /// The type of the items' ids.
  public typealias ItemID = ItemType.UniqueIDType

  /// The sections, in order.
  public private(set) var sections: [SectionType] = []
  private var outlines: [SectionID: ItemOutline<ItemType>] = [:]

  /// No sections.
  public init() {}
}

extension SectionedOutline: Sendable
where SectionType: Sendable, ItemType: Sendable, SectionID: Sendable, ItemID: Sendable {}

/// A section of a `SectionedOutline` as a list shows it.
public struct OutlineSection<
  SectionType: UniquelyIdentifiable, ItemType: UniquelyIdentifiable
>: UniquelyIdentifiableSection {
  /// The section.
  public var section: SectionType
  /// The rows that are shown.
  public var items: [OutlineRow<ItemType>]

  /// The section's id.
  public var uniqueID: SectionType.UniqueIDType { section.uniqueID }
  /// The section.
  public var header: SectionType { section }
}

extension OutlineSection: Sendable where SectionType: Sendable, ItemType: Sendable {}

// MARK: - Sections

extension SectionedOutline {
  /// Inserts sections without items.
  ///
  /// - Throws: `EditError.unknownSection`, `.indexOutOfRange`, `.duplicateSection`.
  public mutating func insertSections(
    _ new: [SectionType], at position: ListPosition<SectionID> = .last
  ) throws(EditError) {
    let index = try position.index(among: sections.map(\.uniqueID), EditError.unknownSection)
    var known = outlines
    for section in new where known.updateValue(ItemOutline(), forKey: section.uniqueID) != nil {
      throw .duplicateSection("\(section.uniqueID)")
    }
    outlines = known
    sections.insert(contentsOf: new, at: index)
  }

  /// Deletes sections, with their items.
  ///
  /// - Throws: `EditError.unknownSection`.
  public mutating func deleteSections(_ ids: some Sequence<SectionID>) throws(EditError) {
    let ids = Set(ids)
    for id in ids { _ = try outline(of: id) }
    sections.removeAll { ids.contains($0.uniqueID) }
    for id in ids { outlines[id] = nil }
  }

  /// Moves a section, with its items.
  ///
  /// - Throws: `EditError.unknownSection`, `.indexOutOfRange`.
  public mutating func moveSection(
    _ id: SectionID, to position: ListPosition<SectionID>
  ) throws(EditError) {
    guard let source = sections.firstIndex(where: { $0.uniqueID == id }) else {
      throw .unknownSection("\(id)")
    }
    var others = sections
    let section = others.remove(at: source)
    others.insert(
      section, at: try position.index(among: others.map(\.uniqueID), EditError.unknownSection))
    sections = others
  }

  /// Replaces the section with the same id; its items stay.
  ///
  /// - Throws: `EditError.unknownSection`.
  public mutating func updateSection(_ section: SectionType) throws(EditError) {
    guard let index = sections.firstIndex(where: { $0.uniqueID == section.uniqueID }) else {
      throw .unknownSection("\(section.uniqueID)")
    }
    sections[index] = section
  }
}

// MARK: - Items

extension SectionedOutline {
  /// The outline of a section.
  ///
  /// - Throws: `EditError.unknownSection`.
  public func outline(of section: SectionID) throws(EditError) -> ItemOutline<ItemType> {
    guard let outline = outlines[section] else { throw .unknownSection("\(section)") }
    return outline
  }

  /// Edits the outline of a section.
  ///
  /// - Throws: `EditError.unknownSection`, `.duplicateItem` when an item is in another section, and
  ///   what `body` throws; then nothing is changed.
  public mutating func edit(
    _ section: SectionID, _ body: (inout ItemOutline<ItemType>) throws(EditError) -> Void
  ) throws(EditError) {
    let before = try outline(of: section)
    var after = before
    try body(&after)
    for id in after.nodes.keys where !before.contains(id) && self.section(containing: id) != nil {
      throw .duplicateItem("\(id)")
    }
    outlines[section] = after
  }

  /// Moves an item with all that is below it, which stays expanded, also to another section.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - position: Among the children of `parent`, or the section's roots; of the item itself, the index
  ///     afterwards.
  ///   - parent: Under which item of the section; `nil` for roots.
  ///   - section: The section to move it to.
  /// - Throws: `EditError.unknownItem`, `.unknownSection`, `.indexOutOfRange`, and `.intoItself` when
  ///   the parent is the item or below it.
  public mutating func move(
    _ id: ItemID, to position: ListPosition<ItemID>, under parent: ItemID? = nil,
    in section: SectionID
  ) throws(EditError) {
    var target = try outline(of: section)
    guard let home = self.section(containing: id) else { throw .unknownItem("\(id)") }
    if home == section {
      try target.move(id, to: position, under: parent)
    } else {
      var source = try outline(of: home)
      try target.insert(source.cut(id), at: position, under: parent)
      outlines[home] = source
    }
    outlines[section] = target
  }
}

// MARK: - Queries

extension SectionedOutline {
  /// The sections with the rows that a list shows.
  ///
  /// - Complexity: O(rows).
  public var visibleSections: [OutlineSection<SectionType, ItemType>] {
    sections.map { OutlineSection(section: $0, items: outlines[$0.uniqueID]?.visibleRows ?? []) }
  }

  /// The section that an item is in, at whatever level.
  ///
  /// - Complexity: O(sections).
  public func section(containing id: ItemID) -> SectionID? {
    sections.first { outlines[$0.uniqueID]?.contains(id) == true }?.uniqueID
  }

  /// Whether an item is shown: whether all above it are expanded.
  public func isVisible(_ id: ItemID) -> Bool { outlines.values.contains { $0.isVisible(id) } }

  /// The place of an item in what is shown; `nil` for one that is not.
  ///
  /// - Complexity: O(rows).
  public func indexPath(for id: ItemID) -> IndexPath? {
    guard let home = section(containing: id), let outline = outlines[home],
      let section = sections.firstIndex(where: { $0.uniqueID == home })
    else { return nil }
    return outline.visibleIndex(of: id).map { IndexPath(indexes: [section, $0]) }
  }

  /// The id of the item at a place in what is shown; `nil` where there is none.
  public func itemIdentifier(for path: IndexPath) -> ItemID? {
    guard path.count == 2, sections.indices.contains(path[0]) else { return nil }
    let rows = outlines[sections[path[0]].uniqueID]?.visibleRows ?? []
    return rows.indices.contains(path[1]) ? rows[path[1]].uniqueID : nil
  }

  /// The place of the last row that is shown, in whichever section; `nil` without rows.
  ///
  /// - Complexity: O(rows).
  public var lastIndexPath: IndexPath? { visibleSections.lastIndexPath }
}
