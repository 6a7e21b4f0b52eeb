import DeltaEngine
import LiveCollections
import LiveCollectionsTesting

extension Scenario {
  /// A table whose rows are collections: a row that changes updates its own collection.
  static let carousels = Scenario(
    7, "A table of carousels", "CollectionDataManualReloadDelegate"
  ) { stage in
    var programme = Programme(seed: stage.seed)
    var rows = ["Lang", "Murnau", "Keaton"].map {
      Carousel(uniqueID: $0, movies: programme.movies(3))
    }
    let data = CollectionData(rows, queues: stage.queues)
    let screen = stage.screen(SimulatorView(showing: [data], comparesContents: false)) {
      [TextListView.Section(header: "Directors", rows: data.items.map(\.description))]
    }
    let controller = CarouselController(stage: stage) { [data] in data[$0.item] }
    stage.keep(controller)
    data.reloadDelegate = controller
    data.deletionDelegate = controller
    data.view = screen
    for row in rows { controller.show(row) }
    await stage.settle()

    stage.note("two rows change, one of them moves:")
    rows[0].movies = programme.changed(rows[0].movies, .moderate)
    rows[2].movies = programme.changed(rows[2].movies, .moderate)
    rows.swapAt(0, 1)
    await stage.update(data, rows)

    stage.note("a row goes, another comes:")
    rows[0] = Carousel(uniqueID: "Chaplin", movies: programme.movies(2))
    await stage.update(data, rows)
  }

  /// The same with sections, between which rows move with their collections.
  static let sectionedCarousels = Scenario(
    8, "A table of carousels in sections", "CollectionDataManualReloadDelegate"
  ) { stage in
    var programme = Programme(seed: stage.seed)
    func row(_ name: String) -> Carousel {
      Carousel(uniqueID: name, movies: programme.movies(3))
    }
    var sections = [
      CarouselSection(uniqueID: "Germany", items: [row("Lang"), row("Murnau")]),
      CarouselSection(uniqueID: "Hollywood", items: [row("Keaton"), row("Chaplin")]),
    ]
    let data = CollectionSectionData(sections, queues: stage.queues)
    let screen = stage.screen(SimulatorView(showing: data, comparesContents: false)) {
      data.sections.map {
        TextListView.Section(header: $0.uniqueID, rows: $0.items.map(\.description))
      }
    }
    let controller = CarouselController(stage: stage) { [data] in data[$0] }
    stage.keep(controller)
    data.reloadDelegate = controller
    data.deletionDelegate = controller
    data.view = screen
    for row in sections.flatMap(\.items) { controller.show(row) }
    await stage.settle()

    stage.note("a row changes and moves to the other section:")
    var murnau = sections[0].items.removeLast()
    murnau.movies = programme.changed(murnau.movies, .moderate)
    sections[1].items.insert(murnau, at: 0)
    await stage.update(data, sections)

    stage.note("the sections change places, and a row changes in its place:")
    sections.swapAt(0, 1)
    sections[0].items[1].movies = programme.changed(sections[0].items[1].movies, .moderate)
    await stage.update(data, sections)
  }
}
