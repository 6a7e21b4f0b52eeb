import LiveCollections
import LiveCollectionsTesting

extension Scenario {
  /// Five shelves in a collection view: movies move from one to another, shelves come and go.
  static let uniqueAcrossSections = Scenario(
    5, "Movies that move between sections of a collection view", "CollectionSectionData"
  ) { stage in
    await playShelves(on: stage, showsAnimations: false)
  }

  /// The same in a table.
  static let uniqueAcrossTable = Scenario(
    6, "Movies that move between sections of a table", "CollectionSectionData"
  ) { stage in
    await playShelves(on: stage, showsAnimations: true)
  }

  private static func playShelves(on stage: Stage, showsAnimations: Bool) async {
    let names = ["Comedies", "Dramas", "Horrors", "Epics", "Documentaries"]
    var programme = Programme(seed: stage.seed)
    var shelves = programme.shelves(names, 3)
    let data = CollectionSectionData(shelves, queues: stage.queues)
    let judge = SimulatorView(showing: data)
    let screen = stage.screen(judge, showsAnimations: showsAnimations) {
      data.sections.map(\.text)
    }
    data.view = screen
    await stage.settle()
    for size in [ChangeSize.small, .moderate, .massive, .massive] {
      stage.note("a \(size) update:")
      shelves = programme.changed(shelves, size, names: names)
      await stage.update(data, shelves)
    }
  }
}
