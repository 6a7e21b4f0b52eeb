/// How a row or a section of a table is inserted, deleted or reloaded.
public enum TableViewAnimation: String, Hashable, Codable, Sendable, CaseIterable {
  /// The table chooses.
  case automatic
  /// Fades in or out.
  case fade
  /// From or to the right.
  case right
  /// From or to the left.
  case left
  /// From or to the top.
  case top
  /// From or to the bottom.
  case bottom
  /// Keeps the middle in place.
  case middle
  /// Without animation.
  case none
}

/// The animations of the rows, or of the sections, of a table.
public struct TableViewAnimationModel: Hashable, Codable, Sendable {
  /// Of deletions.
  public var deleteAnimation: TableViewAnimation
  /// Of insertions.
  public var insertAnimation: TableViewAnimation
  /// Of reloads.
  public var reloadAnimation: TableViewAnimation

  /// The three animations.
  public init(
    deleteAnimation: TableViewAnimation, insertAnimation: TableViewAnimation,
    reloadAnimation: TableViewAnimation
  ) {
    self.deleteAnimation = deleteAnimation
    self.insertAnimation = insertAnimation
    self.reloadAnimation = reloadAnimation
  }

  /// The default of rows: delete to the bottom, fade in, fade over.
  public static let defaultRows = TableViewAnimationModel(
    deleteAnimation: .bottom, insertAnimation: .fade, reloadAnimation: .fade)

  /// The default of sections: delete to the bottom, fade in, reload without animation.
  public static let defaultSections = TableViewAnimationModel(
    deleteAnimation: .bottom, insertAnimation: .fade, reloadAnimation: .none)
}
