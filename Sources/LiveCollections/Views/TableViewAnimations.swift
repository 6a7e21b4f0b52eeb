/// What a table prefers: for all rows, for all sections, and for single sections by their id.
public struct TableViewAnimations<SectionID: Hashable & Sendable>: Hashable, Sendable {
  /// For rows of sections that have nothing of their own.
  public var rows: TableViewAnimationModel
  /// For sections that have nothing of their own.
  public var sections: TableViewAnimationModel
  /// For the rows of single sections, by the section's id.
  public var rowsBySection: [SectionID: TableViewAnimationModel]
  /// For single sections, by their id.
  public var sectionsByID: [SectionID: TableViewAnimationModel]

  /// The preferences of a table.
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

  /// What holds for sections that are not told apart.
  var standard: BatchAnimations.OfSection {
    BatchAnimations.OfSection(rows: rows, section: sections)
  }

  /// What holds for those of the sections that are told apart, by their index.
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
