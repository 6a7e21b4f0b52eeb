import DeltaEngine
import LiveCollections
import LiveCollectionsTesting
import Synchronization

/// A row of a table that shows movies of its own.
struct Carousel: UniquelyIdentifiable, Hashable, Sendable {
  var uniqueID: String
  var movies: [Movie]
}

/// A section of such rows.
struct CarouselSection: UniquelyIdentifiableSection, Hashable, Sendable {
  var uniqueID: String
  var items: [Carousel]
}

/// Keeps a collection for each row, and shows a row that changed by updating its collection.
final class CarouselController: CollectionDataManualReloadDelegate,
  CollectionDataDeletionNotificationDelegate, CollectionDataReusableViewVerificationDelegate
{
  typealias DataType = Carousel

  private let stage: Stage
  private let row: @Sendable (ItemPath<TargetSpace>) -> Carousel
  private let children = Mutex<[String: CollectionData<Movie>]>([:])

  /// - Parameters:
  ///   - stage: Where the rows' screens are.
  ///   - row: The row at a place, after the update.
  init(stage: Stage, row: @escaping @Sendable (ItemPath<TargetSpace>) -> Carousel) {
    self.stage = stage
    self.row = row
  }

  /// Shows a row for the first time.
  func show(_ carousel: Carousel) { _ = child(of: carousel) }

  private func child(of carousel: Carousel) -> CollectionData<Movie> {
    if let child = children.withLock({ $0[carousel.uniqueID] }) { return child }
    let child = CollectionData(carousel.movies, queues: stage.queues)
    let screen = stage.screen(SimulatorView(showing: [child]), indent: "      ") { [weak child] in
      let movies = child?.items ?? []
      return [
        TextListView.Section(
          header: "in \(carousel.uniqueID)", rows: movies.map(\.description))
      ]
    }
    child.validationDelegate = self
    child.view = screen
    children.withLock { $0[carousel.uniqueID] = child }
    return child
  }

  func willHandleReload(at paths: ItemPathPair) -> Bool { true }

  func reloadItems(
    at paths: [ItemPath<TargetSpace>],
    itemCompletion: @escaping @Sendable (ItemPath<TargetSpace>) -> Void
  ) {
    for path in paths {
      let carousel = row(path)
      child(of: carousel).update(carousel.movies) { [stage] outcome in
        stage.note("      = \(outcome)")
        itemCompletion(path)
      }
    }
  }

  func didDeleteItems(_ items: [Carousel]) {
    for item in items {
      stage.note("    \(item.uniqueID) is gone, with its movies")
      children.withLock { $0[item.uniqueID] = nil }
    }
  }

  /// A row's screen is its own as long as the row is there.
  func isDataSourceValid(for view: any DeltaUpdatableView) -> Bool {
    children.withLock { $0.values.contains { $0.view === view } }
  }
}

extension Carousel: CustomStringConvertible {
  var description: String { "\(uniqueID), \(movies.count) movies" }
}
