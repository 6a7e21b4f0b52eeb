import LiveCollections

/// A list of movies, in shelves, as a screen would hold it.
@MainActor final class MovieList {
  private let shelves = CollectionSectionData<Shelf>()

  /// Shows these shelves.
  func show(_ new: [Shelf]) throws -> Delta {
    try shelves.update(new)
  }

  /// The title in a row.
  func title(at path: ItemPath<Target>) -> String {
    shelves[path.section].items[path.item].title
  }
}
