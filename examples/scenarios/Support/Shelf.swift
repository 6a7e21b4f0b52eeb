public import LiveCollections
import LiveCollectionsTesting

/// A section of movies.
public struct Shelf: UniquelyIdentifiableSection, Hashable, Sendable {
  /// Its name, which is also its header.
  public var uniqueID: String
  /// Its movies.
  public var items: [Movie]

  /// A shelf of movies.
  public init(_ uniqueID: String, _ items: [Movie]) {
    self.uniqueID = uniqueID
    self.items = items
  }
}

extension Shelf {
  /// The shelf as lines of text.
  var text: TextListView.Section {
    TextListView.Section(header: uniqueID, rows: items.map(\.description))
  }
}

extension Programme {
  /// Shelves over which the archive's movies are spread, each movie on one shelf at most.
  mutating func shelves(_ names: [String], _ count: Int) -> [Shelf] {
    var taken: [Movie] = []
    return names.map { name in
      let movies = movies(count, without: taken)
      taken += movies
      return Shelf(name, movies)
    }
  }

  /// Shelves after a change: movies come, go and change shelves; massive ones hide and shuffle
  /// shelves.
  mutating func changed(_ shelves: [Shelf], _ size: ChangeSize, names: [String]) -> [Shelf] {
    if size == .massive {
      return self.shelves(shuffled(names).filter { _ in number(to: 2) > 0 }, 3)
    }
    var shelves = shelves
    for index in shelves.indices {
      let others = shelves.indices.filter { $0 != index }.flatMap { shelves[$0].items }
      if shelves[index].items.count > 1 {
        shelves[index].items = changed(shelves[index].items, size, without: others)
      }
    }
    guard shelves.count > 1, let from = shelves.firstIndex(where: { $0.items.count > 2 }) else {
      return shelves
    }
    let movie = shelves[from].items.removeFirst()
    shelves[(from + 1 + number(to: shelves.count - 2)) % shelves.count].items.append(movie)
    return shelves
  }
}
