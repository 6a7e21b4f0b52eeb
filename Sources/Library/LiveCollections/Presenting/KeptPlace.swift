/// The first visible row of a view, kept where it is on screen through the batches of an update.
@MainActor final class KeptPlace {
  private let view: any ScrollingListView
  private let find: @MainActor () -> ScrolledRow?
  /// The first visible row after the last batch, which may be another where a batch made the list too short.
  private var shown: ScrolledRow?
  private var isKept = false

  /// The place to be kept through the next batch.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - followers: The followers of the content that is performed.
  ///   - last: The place that was kept through the batch before: the same, unless the user has scrolled since.
  /// - Returns: `nil` if there is no follower, or the list is scrolled to its beginning, where it shows what
  ///   comes.
  static func place(
    in view: any DeltaUpdatableView, _ followers: [RowFollower], after last: KeptPlace?
  ) -> KeptPlace? {
    guard !followers.isEmpty, let view = view as? any ScrollingListView, let top = view.topRow
    else { return nil }
    if let last, last.shown == top {
      last.isKept = false
      return last
    }
    return top.isAtStart ? nil : KeptPlace(top, in: view, followers)
  }

  private init(
    _ top: ScrolledRow, in view: any ScrollingListView, _ followers: [RowFollower]
  ) {
    self.view = view
    // A row of content that does not change is where it was.
    var find: @MainActor () -> ScrolledRow? = { top }
    for follow in followers {
      if let found = follow(top) { find = found }
    }
    self.find = find
  }

  /// Scrolls, once a batch.
  func keep() {
    if isKept { return }
    isKept = true
    if let row = find() { view.scroll(to: row) }
    shown = view.topRow
  }
}
