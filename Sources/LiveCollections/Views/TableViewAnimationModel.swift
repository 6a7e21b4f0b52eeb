/// How a row or a section of a table comes, goes or is redrawn.
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
  /// Of what goes.
  public var deleteAnimation: TableViewAnimation
  /// Of what comes.
  public var insertAnimation: TableViewAnimation
  /// Of what is reloaded.
  public var reloadAnimation: TableViewAnimation

  /// Puts three animations together.
  public init(
    deleteAnimation: TableViewAnimation, insertAnimation: TableViewAnimation,
    reloadAnimation: TableViewAnimation
  ) {
    self.deleteAnimation = deleteAnimation
    self.insertAnimation = insertAnimation
    self.reloadAnimation = reloadAnimation
  }

  /// What rows do unless they are told otherwise: leave to the bottom, fade in, fade over.
  public static let defaultRows = TableViewAnimationModel(
    deleteAnimation: .bottom, insertAnimation: .fade, reloadAnimation: .fade)

  /// What sections do unless they are told otherwise: leave to the bottom, fade in, change at once.
  public static let defaultSections = TableViewAnimationModel(
    deleteAnimation: .bottom, insertAnimation: .fade, reloadAnimation: .none)
}
