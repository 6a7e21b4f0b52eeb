import LiveCollections
import LiveCollectionsTesting

extension Scenario {
  /// One section of a collection view: updates of all sizes.
  static let basicCollection = Scenario(1, "A collection view", "CollectionData") { stage in
    await playOneList(on: stage, count: 12, showsAnimations: false)
  }

  /// One section of a table view, whose rows are animated one by one.
  static let basicTable = Scenario(2, "A table view", "CollectionData") { stage in
    await playOneList(on: stage, count: 6, showsAnimations: true)
  }

  private static func playOneList(on stage: Stage, count: Int, showsAnimations: Bool) async {
    var programme = Programme(seed: stage.seed)
    var movies = programme.movies(count)
    let data = CollectionData(movies, queues: stage.queues)
    let screen = stage.screen(SimulatorView(showing: [data]), showsAnimations: showsAnimations) {
      [TextListView.Section(header: "Movies", rows: data.items.map(\.description))]
    }
    data.view = screen
    await stage.settle()
    for size in [ChangeSize.small, .moderate, .small, .massive] {
      stage.note("a \(size) update:")
      movies = programme.changed(movies, size)
      await stage.update(data, movies)
    }
    stage.note("updates faster than they can be shown:")
    var versions: [[Movie]] = []
    for _ in 0..<6 {
      movies = programme.changed(movies, .moderate)
      versions.append(movies)
    }
    await stage.update(data, throughAll: versions)
  }
}
