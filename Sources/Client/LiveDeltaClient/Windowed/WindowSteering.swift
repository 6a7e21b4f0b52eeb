/// Which window a list asks for, given what its user sees.
///
/// It has no clock and asks nobody.
struct WindowSteering {
  /// The end of the list that a user who looks at it goes on seeing.
  let edge: WindowedListEdge?
  /// The rows to have before and behind what is visible, in screens.
  private let screensAround: Int
  /// The rows that are visible, or wanted next.
  private(set) var visible: Range<Int>
  private(set) var window: ListWindow
  /// The rows of that window, as far as known.
  private var asked = 0..<0
  /// Whether a jump is under way, or the list has not begun: what is visible does not matter.
  private(set) var isJumping = true

  /// Windows have up to 1,000 items.
  private static let rowsMax = 999

  init(
    _ start: WindowedListStart, edge: WindowedListEdge?, pageRows: Int, screensAround: Int
  ) {
    (self.edge, self.screensAround) = (edge, screensAround)
    let rows = min(max(pageRows, 1), Self.rowsMax / 3)
    let around = min(rows * screensAround, (Self.rowsMax - rows) / 2)
    visible = 0..<rows
    switch start {
    case .start: window = .first(rows + around)
    case .end:
      // The first answer tells where that is.
      visible = Int.max / 2..<Int.max / 2 + rows
      window = .last(rows + around)
    case .row(let row):
      visible = max(0, row)..<max(0, row) + rows
      window = .at(max(0, row - around), count: rows + 2 * around)
    case .item(let id): window = .around(id, before: around, after: rows + around - 1)
    }
  }

  /// Whether the user looks at the end of the list that is to stay visible.
  func isAtEdge(_ total: Int) -> Bool {
    switch edge {
    case .start: visible.lowerBound == 0
    case .end: visible.upperBound >= total
    case nil: false
    }
  }

  mutating func see(_ rows: Range<Int>) {
    if !rows.isEmpty && !isJumping { visible = rows }
  }

  /// Notes where the first of the rows that the user sees is now.
  mutating func follow(to row: Int) { visible = row..<row + visible.count }

  mutating func jump(to row: Int) {
    isJumping = true
    follow(to: max(0, row))
  }

  /// Goes to an item, which need not be known; returns the window to ask for.
  mutating func jump(to id: ReplicaID) -> ListWindow {
    isJumping = true
    let rows = min(visible.count, Self.rowsMax / 3)
    let around = min(rows * screensAround, (Self.rowsMax - rows) / 2)
    (asked, window) = (0..<0, .around(id, before: around, after: rows + around - 1))
    return window
  }

  mutating func arrive() { isJumping = false }

  /// Notes what is known now, and returns the window that shows the same wherever rows before it come and go;
  /// `nil` if that was asked for already.
  mutating func note(_ content: WindowedContent) -> ListWindow? {
    asked = content.known
    guard case .at = window, !content.known.isEmpty else { return nil }
    let row = min(max(visible.lowerBound, content.start), content.known.upperBound - 1)
    guard let id = content[row]?.id else { return nil }
    window = .around(id, before: row - content.start, after: content.known.upperBound - row - 1)
    return window
  }

  /// Returns the window to ask for next; `nil` if what is known or asked for will do.
  mutating func next(_ content: WindowedContent) -> ListWindow? {
    let total = content.total
    let count = min(visible.count, Self.rowsMax)
    let first = max(0, min(visible.lowerBound, total - count))
    visible = first..<first + count
    let margin = min(count * screensAround, (Self.rowsMax - count) / 2)
    let wanted = max(0, first - margin)..<first + count + margin
    let needed = max(0, first - margin / 3)..<min(total, first + count + margin / 3)
    let isAsked = needed.isEmpty || needed.clamped(to: asked) == needed
    let next = window(wanted, content)
    guard !isAsked || next.kind != window.kind else { return nil }
    (window, asked) = (next, wanted)
    return next
  }

  private func window(_ rows: Range<Int>, _ content: WindowedContent) -> ListWindow {
    if isAtEdge(content.total) {
      return edge == .start
        ? .first(rows.upperBound)
        : .last(max(content.total - rows.lowerBound, rows.upperBound - visible.lowerBound))
    }
    let row = visible.lowerBound
    guard let id = content[row]?.id else { return .at(rows.lowerBound, count: rows.count) }
    return .around(id, before: row - rows.lowerBound, after: rows.upperBound - row - 1)
  }
}

extension ListWindow {
  /// What a window stays at; one at an index becomes one around an item once that is known.
  fileprivate var kind: Int {
    switch self {
    case .first: 0
    case .last: 1
    case .at, .around: 2
    }
  }
}
