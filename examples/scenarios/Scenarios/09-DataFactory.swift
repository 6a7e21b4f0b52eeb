import LiveCollections
import LiveCollectionsTesting
import Synchronization

/// A movie, and whether it is in theaters, which the archive does not know.
struct ListedMovie: UniquelyIdentifiable, Hashable, Sendable {
  typealias RawType = Movie

  var rawData: Movie
  var isInTheaters: Bool

  var uniqueID: Int { rawData.uniqueID }
}

/// Knows what is in theaters.
final class TheaterFactory: UniquelyIdentifiableDataFactory {
  private let inTheaters = Mutex<Set<Int>>([])

  func show(_ movies: [Movie]) { inTheaters.withLock { $0 = Set(movies.map(\.uniqueID)) } }

  func buildUniquelyIdentifiableDatum(_ rawData: Movie) -> ListedMovie {
    ListedMovie(
      rawData: rawData,
      isInTheaters: inTheaters.withLock { $0.contains(rawData.uniqueID) })
  }
}

extension Scenario {
  /// The same movies again, of which some are in theaters by now.
  static let dataFactory = Scenario(
    9, "Movies with what else is known of them", "UniquelyIdentifiableDataFactory"
  ) { stage in
    var programme = Programme(seed: stage.seed)
    let movies = programme.movies(6)
    let factory = TheaterFactory()
    let data = CollectionData(dataFactory: factory, rawData: movies, queues: stage.queues)
    let screen = stage.screen(SimulatorView(showing: [data])) {
      let rows = data.items.map { "\($0.rawData)\($0.isInTheaters ? ", in theaters" : "")" }
      return [TextListView.Section(header: "Movies", rows: rows)]
    }
    data.view = screen
    await stage.settle()
    stage.note("two movies come into theaters, the list is the same:")
    factory.show([movies[1], movies[4]])
    await stage.update(data, movies)
    stage.note("one goes out of theaters, while the list changes:")
    factory.show([movies[4]])
    await stage.update(data, programme.changed(movies, .small))
  }
}
