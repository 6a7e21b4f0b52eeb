/// Notes a row of a view, and returns a search for it after a change; `nil` for a row of other content.
package typealias RowFollower =
  @MainActor @Sendable (ScrolledRow) -> (
    @MainActor () -> ScrolledRow?
  )?

/// Finds rows by their ids, and in place of one that is deleted the next one that stays, or else the last before.
///
/// - Parameters:
///   - first: The section of the view that shows the first of the sections.
///   - content: The sections that the view shows.
/// - Returns: A follower of the rows of these sections.
package func rowFollower<Section: UniquelyIdentifiableSection>(
  from first: Int = 0, _ content: @escaping @MainActor @Sendable () -> [Section]
) -> RowFollower {
  { row in
    let before = content()
    let section = row.section - first
    guard before.indices.contains(section), before[section].items.indices.contains(row.item)
    else { return nil }
    return {
      let after = content()
      func found(_ place: (section: Int, item: Int)) -> ScrolledRow {
        ScrolledRow(section: first + place.section, item: place.item, offset: row.offset)
      }
      // Mostly the row is there: then nothing is hashed.
      let top = before[section].items[row.item].uniqueID
      for (index, section) in after.enumerated() {
        if let item = section.items.firstIndex(where: { $0.uniqueID == top }) {
          return found((index, item))
        }
      }
      var places: [Section.DataType.UniqueIDType: (section: Int, item: Int)] = [:]
      for (section, content) in after.enumerated() {
        for (item, content) in content.items.enumerated() {
          places[content.uniqueID] = (section, item)
        }
      }
      let rest = before[section...].lazy.flatMap(\.items).map(\.uniqueID)
      let earlier = before[..<section].lazy.flatMap(\.items).map(\.uniqueID)
      let ids = rest.dropFirst(row.item) + rest.prefix(row.item).reversed() + earlier.reversed()
      return ids.lazy.compactMap { places[$0] }.first.map(found)
    }
  }
}

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
  ///   - plans: The plans that are performed.
  ///   - last: The place that was kept through the batch before: the same, unless the user has scrolled since.
  /// - Returns: `nil` if no plan wants a row kept, or the list is scrolled to its beginning, where it shows what
  ///   comes.
  static func place(
    in view: any DeltaUpdatableView, _ plans: [PresentationPlan], after last: KeptPlace?
  ) -> KeptPlace? {
    let followers = plans.compactMap(\.follow)
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
