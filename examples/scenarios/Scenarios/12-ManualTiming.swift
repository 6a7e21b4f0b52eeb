import DeltaEngine
import LiveCollections
import LiveCollectionsTesting
import Synchronization

extension Scenario {
  /// The delta first, the batches when the time has come, the content kept by whoever shows it.
  static let manualTiming = Scenario(
    12, "Manual timing", "calculateDelta, DeltaUpdatableView.perform"
  ) { stage in
    var programme = Programme(seed: stage.seed)
    let movies = programme.movies(6)
    let shown = ShownMovies(movies)
    let numbers = CollectionData(movies, queues: stage.queues)
    let judge = SimulatorView(isDivided: true) { shown.structure }
    let screen = stage.screen(judge) {
      [TextListView.Section(header: "Movies", rows: shown.movies.map(\.description))]
    }
    screen.reloadData()
    for size in [ChangeSize.small, .moderate] {
      let wanted = programme.changed(shown.movies, size)
      // An error would mean a movie that is there twice, which the programme has not.
      guard let delta = try? numbers.calculateDelta(wanted) else { continue }
      stage.note("\(delta.changeCount) changes in \(delta.steps.count) batches are ahead; now:")
      let before = shown.movies
      await withCheckedContinuation { continuation in
        screen.perform(delta, from: before, to: wanted) {
          shown.movies = $0
        } completion: {
          continuation.resume()
        }
      }
      // An error would mean the same.
      _ = try? numbers.updateNow(wanted)
      stage.note("  = shown")
    }
  }
}

/// The movies that the screen shows, kept by hand.
private final class ShownMovies: Sendable {
  private let kept: Mutex<[Movie]>

  init(_ movies: [Movie]) { kept = Mutex(movies) }

  var movies: [Movie] {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }

  /// What the judge looks at.
  var structure: ListStructure {
    let items = movies.map {
      ListStructure.Item(
        id: $0.uniqueID, content: ContentHash(high: 0, low: UInt64($0.seats)))
    }
    return ListStructure(
      sections: [.init(id: 0, content: ContentHash(high: 0, low: 0), items: items)])
  }
}
