public import DeltaEngine

/// The animations of one batch.
public struct BatchAnimations: Hashable, Sendable {
  /// The animations of a section and of its rows.
  public struct OfSection: Hashable, Sendable {
    /// Of the section's rows.
    public var rows: TableViewAnimationModel
    /// Of the section itself.
    public var section: TableViewAnimationModel

    /// The animations of a section.
    public init(
      rows: TableViewAnimationModel = .defaultRows,
      section: TableViewAnimationModel = .defaultSections
    ) {
      self.rows = rows
      self.section = section
    }
  }

  /// The animations of sections without their own.
  public var standard: OfSection
  /// By section before the batch, where it differs.
  public var before: [Int: OfSection]
  /// By section after the batch, where it differs.
  public var after: [Int: OfSection]

  /// The animations of a batch.
  public init(
    standard: OfSection = OfSection(), before: [Int: OfSection] = [:], after: [Int: OfSection] = [:]
  ) {
    self.standard = standard
    self.before = before
    self.after = after
  }

  /// No animations.
  public static let none: BatchAnimations = {
    let none = TableViewAnimationModel(
      deleteAnimation: .none, insertAnimation: .none, reloadAnimation: .none)
    return BatchAnimations(standard: OfSection(rows: none, section: none))
  }()

  /// Of a deleted row.
  public func delete(_ path: ItemPath<BeforeSpace>) -> TableViewAnimation {
    (before[path.section] ?? standard).rows.deleteAnimation
  }

  /// Of an inserted row.
  public func insert(_ path: ItemPath<AfterSpace>) -> TableViewAnimation {
    (after[path.section] ?? standard).rows.insertAnimation
  }

  /// Of a reloaded row.
  public func reload(_ path: ItemPath<BeforeSpace>) -> TableViewAnimation {
    (before[path.section] ?? standard).rows.reloadAnimation
  }

  /// Of a deleted section.
  public func delete(_ section: SectionIndex<BeforeSpace>) -> TableViewAnimation {
    (before[section.index] ?? standard).section.deleteAnimation
  }

  /// Of an inserted section.
  public func insert(_ section: SectionIndex<AfterSpace>) -> TableViewAnimation {
    (after[section.index] ?? standard).section.insertAnimation
  }

  /// Of a reloaded section.
  public func reload(_ section: SectionIndex<BeforeSpace>) -> TableViewAnimation {
    (before[section.index] ?? standard).section.reloadAnimation
  }
}
