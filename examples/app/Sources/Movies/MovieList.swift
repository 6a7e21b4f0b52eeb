import LiveCollections

/// A list of movies, in shelves, as a screen would hold it.
@MainActor final class MovieList: CollectionSectionDataAnimationDelegate {
  private let shelves = CollectionSectionData<Shelf>()
  private(set) var status = ""

  init() { shelves.animationDelegate = self }

  /// Shows these shelves.
  func show(_ new: [Shelf]) throws -> Delta {
    try shelves.updateNow(new)
  }

  /// Shows these shelves once what came before is shown.
  func showLater(_ new: [Shelf]) {
    shelves.update(new) { outcome in self.status = "\(outcome)" }
  }

  /// The title in a row.
  func title(at path: ItemPath<TargetSpace>) -> String {
    shelves[path.section].items[path.item].title
  }

  func preferredItemAnimationStyle(for delta: Delta) -> AnimationStyle {
    status.isEmpty ? .reloadData : .preciseAnimations
  }
}
