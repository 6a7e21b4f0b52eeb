import LiveCollections
import LiveCollectionsTesting

extension Scenario {
  private static let sideways = TableViewAnimationModel(
    deleteAnimation: .left, insertAnimation: .right, reloadAnimation: .middle)

  /// A table whose rows come from the right and leave to the left.
  static let customAnimations = Scenario(
    13, "Custom animations", "rowAnimations"
  ) { stage in
    var programme = Programme(seed: stage.seed)
    let data = CollectionData(programme.movies(5), queues: stage.queues)
    data.rowAnimations = sideways
    data.sectionReloadAnimation = .fade
    let screen = stage.screen(SimulatorView(showing: [data]), showsAnimations: true) {
      [TextListView.Section(header: "Movies", rows: data.items.map(\.description))]
    }
    data.view = screen
    await stage.settle()
    for size in [ChangeSize.moderate, .massive] {
      stage.note("a \(size) update:")
      await stage.update(data, programme.changed(data.items, size))
    }
    stage.note("an update of more changes than are shown one by one:")
    data.deltaCountAnimationThreshold = 2
    await stage.update(data, programme.changed(data.items, .massive))
  }

  /// Three collections in one table, each with animations of its own.
  static let customAnimationsPerSection = Scenario(
    14, "Custom animations for each section", "rowAnimations, CollectionDataSynchronizer"
  ) { stage in
    var programme = Programme(seed: stage.seed)
    let animations: [TableViewAnimation] = [.top, .right, .fade]
    let members = animations.enumerated().map { section, animation in
      let data = CollectionData(programme.movies(3), section: section, queues: stage.queues)
      data.rowAnimations = TableViewAnimationModel(
        deleteAnimation: animation, insertAnimation: animation, reloadAnimation: animation)
      return data
    }
    let screen = stage.screen(SimulatorView(showing: members), showsAnimations: true) {
      zip(animations, members).map { animation, data in
        TextListView.Section(header: "by \(animation)", rows: data.items.map(\.description))
      }
    }
    let synchronizer = CollectionDataSynchronizer(delay: .long)
    for data in members {
      data.synchronizer = synchronizer
      data.view = screen
    }
    await stage.settle()
    stage.note("a moderate update of each section, in one batch:")
    let updates = members.map { ($0, programme.changed($0.items, .moderate)) }
    await withTaskGroup(of: Void.self) { group in
      for (data, movies) in updates { group.addTask { await stage.update(data, movies) } }
    }
  }

  /// A table with sections, whose rows and sections are animated by the sections' names.
  static let customAnimationsForAll = Scenario(
    15, "Custom animations for all sections", "TableViewAnimations"
  ) { stage in
    let names = ["Comedies", "Dramas", "Horrors", "Epics"]
    var programme = Programme(seed: stage.seed)
    var shelves = programme.shelves(names, 3)
    let data = CollectionSectionData(shelves, queues: stage.queues)
    data.setAnimations(
      TableViewAnimations(
        rows: sideways,
        sections: TableViewAnimationModel(
          deleteAnimation: .top, insertAnimation: .top, reloadAnimation: .fade),
        rowsBySection: ["Horrors": .defaultRows], sectionsByID: ["Epics": .defaultSections]))
    let judge = SimulatorView(showing: data)
    let screen = stage.screen(judge, showsAnimations: true) { data.sections.map(\.text) }
    data.view = screen
    await stage.settle()
    for size in [ChangeSize.moderate, .massive] {
      stage.note("a \(size) update:")
      shelves = programme.changed(shelves, size, names: names)
      await stage.update(data, shelves)
    }
  }
}
