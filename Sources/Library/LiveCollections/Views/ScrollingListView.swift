/// A list view that is scrolled, and can be told where to.
///
/// Who shows a list in it keeps the first visible row where it is while others come and go before it.
@MainActor public protocol ScrollingListView: DeltaUpdatableView {
  /// The first row on screen, and where it is; `nil` if there is none.
  var topRow: ScrolledRow? { get }

  /// Scrolls, without animation, so that a row is where it is said to be, as far as the list goes.
  func scroll(to row: ScrolledRow)

  /// Scrolls, without animation, to the end of the list.
  func scrollToEnd()
}

/// A row of a list view, and where it is on screen.
public struct ScrolledRow: Hashable, Sendable {
  /// The section.
  public var section: Int
  /// The row in the section.
  public var item: Int
  /// The distance from the top of what is visible to that of the row, in points; negative if that is hidden.
  public var offset: Double

  /// Creates a row.
  public init(section: Int = 0, item: Int, offset: Double = 0) {
    (self.section, self.item, self.offset) = (section, item, offset)
  }

  /// Whether the list is scrolled to its beginning, where it shows what comes.
  package var isAtStart: Bool { section == 0 && item == 0 && offset >= 0 }
}
