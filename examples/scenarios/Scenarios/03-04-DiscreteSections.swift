import LiveCollections
import LiveCollectionsTesting

extension Scenario {
  /// Three collections in the sections of one collection view, shown together by a synchronizer.
  ///
  /// Each movie may be in several of them: they know nothing of each other.
  static let discreteSections = Scenario(
    3, "Sections of their own in a collection view", "CollectionDataSynchronizer"
  ) { stage in
    await playThreeLists(on: stage, synchronised: 0..<3, showsAnimations: false)
  }

  /// The same in a table, where the first section goes its own way.
  static let discreteTable = Scenario(
    4, "Sections of their own in a table, two of them together", "CollectionDataSynchronizer"
  ) { stage in
    await playThreeLists(on: stage, synchronised: 1..<3, showsAnimations: true)
  }

  private static func playThreeLists(
    on stage: Stage, synchronised: Range<Int>, showsAnimations: Bool
  ) async {
    var programme = Programme(seed: stage.seed)
    let names = ["Tonight", "This week", "Sold out"]
    let members = names.indices.map { section in
      CollectionData(programme.movies(4), section: section, queues: stage.queues)
    }
    let judge = SimulatorView(showing: members)
    let screen = stage.screen(judge, showsAnimations: showsAnimations) {
      zip(names, members).map { name, data in
        TextListView.Section(header: name, rows: data.items.map(\.description))
      }
    }
    let synchronizer = CollectionDataSynchronizer(delay: .short)
    for data in members {
      data.view = screen
      if synchronised.contains(data.section) { data.synchronizer = synchronizer }
    }
    await stage.settle()
    for size in ChangeSize.allCases {
      stage.note("a \(size) update of each section:")
      let updates = members.map { ($0, programme.changed($0.items, size)) }
      await withTaskGroup(of: Void.self) { group in
        for (data, movies) in updates { group.addTask { await stage.update(data, movies) } }
      }
    }
  }
}
