import DeltaEngine
import LiveCollections

/// Keeps a view that scrolls where it is while rows come and go: at the first visible row that stays.
@MainActor final class KeptRow {
  private let view: any ScrollingListView
  /// The row, and where it is; `nil` for the end of the list.
  private let row: ScrolledRow?
  private var isKept = false

  /// `nil` if the view does not scroll, or stays at the beginning of the list.
  init?(_ view: (any ScrollingListView)?, _ steering: WindowSteering, _ total: Int, _ delta: Delta)
  {
    guard let view, let top = view.topRow else { return nil }
    if steering.edge == .start && top.isAtStart { return nil }
    self.view = view
    if steering.edge == .end && steering.isAtEdge(total) {
      row = nil
    } else if let item = delta.row(following: top.item, total) {
      row = ScrolledRow(item: item, offset: top.offset)
    } else {
      return nil
    }
  }

  func keep() {
    isKept = true
    if let row { view.scroll(to: row) } else { view.scrollToEnd() }
  }

  /// Keeps the place after a view was reloaded in place of a batch.
  func keepAtLast() {
    if !isKept { keep() }
  }
}

extension Delta {
  /// Where the first row from one on is after the delta that stays in its order, or else the last one before.
  func row(following row: Int, _ total: Int) -> Int? {
    let map = indexMap
    let moved = Set(changes.movedItems.map(\.source.item))
    func target(_ row: Int) -> Int? {
      moved.contains(row) ? nil : map.target(of: ItemPath(section: 0, item: row))?.item
    }
    let row = min(max(0, row), total)
    return (row..<total).lazy.compactMap(target).first
      ?? (0..<row).reversed().lazy.compactMap(target).first
  }
}
