public import LiveCollections
import LiveCollectionsTesting

extension Movie: NonUniquelyIdentifiable {
  /// The number in the archive: a programme may show a movie more than once.
  public var nonUniqueID: Int { uniqueID }
}

/// A day of a programme.
struct Day: NonUniquelyIdentifiableSection, Hashable, Sendable {
  var nonUniqueID: String
  var items: [Movie]
}

extension Scenario {
  /// A programme that shows some movies more than once.
  static let nonUnique = Scenario(
    10, "Movies that are shown more than once", "NonUniqueCollectionData"
  ) { stage in
    var programme = Programme(seed: stage.seed)
    let movies = programme.movies(3)
    let (a, b, c) = (movies[0], movies[1], movies[2])
    let data = NonUniqueCollectionData([a, b, a, c], queues: stage.queues)
    let screen = stage.screen(SimulatorView(showing: [data])) {
      let rows = data.items.map { "\($0.rawData)\($0.occurrence > 1 ? " again" : "")" }
      return [TextListView.Section(header: "Tonight", rows: rows)]
    }
    data.view = screen
    await stage.settle()
    stage.note("the first showing is over:")
    await stage.update(data, [b, a, c])
    stage.note("two more, and seats are taken for the last:")
    var taken = a
    taken.seats = 12
    await stage.update(data, [b, a, c, b, taken])
    stage.note("in another order:")
    await stage.update(data, [taken, b, b, c, a])
  }

  /// A programme of days, each of which shows some movies more than once.
  static let nonUniqueSections = Scenario(
    11, "Days on which movies are shown more than once", "NonUniqueCollectionSectionData"
  ) { stage in
    var programme = Programme(seed: stage.seed)
    let movies = programme.movies(3)
    let (a, b, c) = (movies[0], movies[1], movies[2])
    let data = NonUniqueCollectionSectionData(
      [Day(nonUniqueID: "Friday", items: [a, b, a]), Day(nonUniqueID: "Saturday", items: [c])],
      queues: stage.queues)
    let screen = stage.screen(SimulatorView(showing: data)) {
      data.sections.map {
        TextListView.Section(
          header: $0.rawData.nonUniqueID, rows: $0.items.map(\.rawData.description))
      }
    }
    data.view = screen
    await stage.settle()
    stage.note("a showing moves to Saturday:")
    await stage.update(
      data,
      [
        Day(nonUniqueID: "Friday", items: [a, b]), Day(nonUniqueID: "Saturday", items: [c, a]),
      ])
    stage.note("Friday is over, Sunday comes:")
    await stage.update(
      data,
      [
        Day(nonUniqueID: "Saturday", items: [a, c]), Day(nonUniqueID: "Sunday", items: [c, b, a]),
      ])
  }
}
