import DeltaEngine
public import Observation

/// Sections as rows that are observed one by one, for SwiftUI.
///
/// A view that reads one row is drawn again when that row's item changes, and no other; one that reads a
/// section's `section` when its header changes; one that reads `rows` when rows of that section are inserted,
/// deleted or moved; one that reads `sections` when sections are.
///
/// ```swift
/// List {
///   ForEach(list.sections) { section in
///     Section(section.section.title) { ForEach(section.rows) { MovieRow(row: $0) } }
///   }
/// }
/// ```
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class ObservableSections<SectionType>
where
  SectionType: UniquelyIdentifiableSection & Sendable, SectionType.UniqueIDType: Sendable,
  SectionType.DataType: Sendable, SectionType.DataType.UniqueIDType: Sendable
{
  /// The sections, in order; a section keeps its object for as long as its id is there.
  public private(set) var sections: [ObservableSection<SectionType>]

  /// A list of these sections, whose ids and whose items' ids are unique.
  public init(_ sections: [SectionType] = []) {
    self.sections = sections.map { ObservableSection($0, $0.items.map { ObservableRow($0) }) }
  }

  /// Shows these sections, whose ids and whose items' ids are unique; an item keeps its row in whatever
  /// section it is.
  ///
  /// - Complexity: O(n).
  public func show(_ new: [SectionType]) {
    let known = Dictionary(sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let rows = Dictionary(
      sections.lazy.flatMap(\.rows).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let next = new.map { section in
      let rows = section.items.map { item in
        guard let row = rows[item.uniqueID] else { return ObservableRow(item) }
        row.show(item)
        return row
      }
      guard let shown = known[section.uniqueID] else { return ObservableSection(section, rows) }
      shown.show(section, rows)
      return shown
    }
    if !next.elementsEqual(sections, by: ===) { sections = next }
  }

  /// Shows the contents of a collection until the task is cancelled.
  public func follow(_ data: CollectionSectionData<SectionType>) async {
    for await sections in data.contents { show(sections) }
  }
}

/// A section of an `ObservableSections`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable public final class ObservableSection<SectionType>: Identifiable
where
  SectionType: UniquelyIdentifiableSection & Sendable, SectionType.UniqueIDType: Sendable,
  SectionType.DataType: Sendable, SectionType.DataType.UniqueIDType: Sendable
{
  /// The id of the section.
  @ObservationIgnored public nonisolated let id: SectionType.UniqueIDType
  /// What the header shows; its items are those of when the header changed last.
  public private(set) var section: SectionType
  /// The rows, in order.
  public private(set) var rows: [ObservableRow<SectionType.DataType>]

  fileprivate init(_ section: SectionType, _ rows: [ObservableRow<SectionType.DataType>]) {
    (self.section, self.rows) = (section, rows)
    id = section.uniqueID
  }

  fileprivate func show(_ new: SectionType, _ rows: [ObservableRow<SectionType.DataType>]) {
    if !section.hasSameContent(as: new) { section = new }
    if !rows.elementsEqual(self.rows, by: ===) { self.rows = rows }
  }
}

/// A row of an `ObservableList`.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
@MainActor @Observable
public final class ObservableRow<ItemType>: Identifiable
where ItemType: UniquelyIdentifiable & Sendable, ItemType.UniqueIDType: Sendable {
  /// The id of the item.
  @ObservationIgnored public nonisolated let id: ItemType.UniqueIDType
  /// What the row shows.
  public private(set) var item: ItemType

  init(_ item: ItemType) {
    self.item = item
    id = item.uniqueID
  }

  func show(_ new: ItemType) {
    if !item.hasSameContent(as: new) { item = new }
  }
}
