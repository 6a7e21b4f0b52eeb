/// The animations of a table: of all rows, of all sections, and of single sections by id.
public struct TableViewAnimations<SectionID: Hashable & Sendable>: Hashable, Sendable {
  /// Of rows in sections without their own.
  public var rows: TableViewAnimationModel
  /// Of sections without their own.
  public var sections: TableViewAnimationModel
  /// Of the rows of single sections, by the section's id.
  public var rowsBySection: [SectionID: TableViewAnimationModel]
  /// Of single sections, by id.
  public var sectionsByID: [SectionID: TableViewAnimationModel]

  /// The animations of a table.
  public init(
    rows: TableViewAnimationModel = .defaultRows,
    sections: TableViewAnimationModel = .defaultSections,
    rowsBySection: [SectionID: TableViewAnimationModel] = [:],
    sectionsByID: [SectionID: TableViewAnimationModel] = [:]
  ) {
    self.rows = rows
    self.sections = sections
    self.rowsBySection = rowsBySection
    self.sectionsByID = sectionsByID
  }

  /// The animations of sections without their own.
  var standard: BatchAnimations.OfSection {
    BatchAnimations.OfSection(rows: rows, section: sections)
  }

  /// The animations of sections with their own, by index.
  func special(_ ids: [SectionID]) -> [Int: BatchAnimations.OfSection] {
    if rowsBySection.isEmpty && sectionsByID.isEmpty { return [:] }
    var special: [Int: BatchAnimations.OfSection] = [:]
    for (index, id) in ids.enumerated()
    where rowsBySection[id] != nil || sectionsByID[id] != nil {
      special[index] = BatchAnimations.OfSection(
        rows: rowsBySection[id] ?? rows, section: sectionsByID[id] ?? sections)
    }
    return special
  }
}
