public import Foundation

/// The operations of a batch: with places before it, and with places after it.
struct Batch {
  var deletedSections: [Int] = []
  var insertedSections: [Int] = []
  var reloadedSections: [Int] = []
  var movedSections: [(from: Int, to: Int)] = []
  var deleted: [IndexPath] = []
  var inserted: [IndexPath] = []
  var reloaded: [IndexPath] = []
  var moved: [(from: IndexPath, to: IndexPath)] = []
}

extension ListView {
  /// Deletes sections in the batch.
  public func deleteSections(_ sections: IndexSet, _ more: String = "") {
    note("- sections", Array(sections), more)
    batch?.deletedSections += sections
  }
  /// Inserts sections in the batch.
  public func insertSections(_ sections: IndexSet, _ more: String = "") {
    note("+ sections", Array(sections), more)
    batch?.insertedSections += sections
  }
  /// Reloads sections in the batch.
  public func reloadSections(_ sections: IndexSet, _ more: String = "") {
    note("~ sections", Array(sections), more)
    batch?.reloadedSections += sections
  }
  /// Moves a section in the batch.
  public func moveSection(_ from: Int, to: Int) {
    note("> section \(from) \(to)")
    batch?.movedSections.append((from, to))
  }
  /// Deletes items in the batch.
  public func deleteItems(_ paths: [IndexPath], _ more: String = "") {
    note("-", paths.map(\.text), more)
    batch?.deleted += paths
  }
  /// Inserts items in the batch.
  public func insertItems(_ paths: [IndexPath], _ more: String = "") {
    note("+", paths.map(\.text), more)
    batch?.inserted += paths
  }
  /// Reloads items in the batch.
  public func reloadItems(_ paths: [IndexPath], _ more: String = "") {
    note("~", paths.map(\.text), more)
    batch?.reloaded += paths
  }
  /// Moves an item in the batch.
  public func moveItem(_ from: IndexPath, to: IndexPath) {
    note("> \(from.text) \(to.text)")
    batch?.moved.append((from, to))
  }

  /// Makes the batch's changes: what goes and where it was in the cells before, what comes in those
  /// after.
  func commit() {
    let batch = known(batch)
    self.batch = nil
    let before = leaving(batch)
    let sources = sectionSources(batch)
    var after: [[Cell]] = []
    for (section, source) in sources.enumerated() {
      let count = askForItems(section)
      var places = [Cell?](repeating: nil, count: count)
      if let source {
        var isTaken = [Bool](repeating: false, count: count)
        for path in batch.inserted where path[0] == section {
          require(path[1] < count && !isTaken[path[1]], "insert \(path.text) of \(count)")
          isTaken[path[1]] = true
        }
        for move in batch.moved where move.to[0] == section {
          require(move.to[1] < count && !isTaken[move.to[1]], "move to \(move.to.text) of \(count)")
          isTaken[move.to[1]] = true
          places[move.to[1]] = cells[move.from[0]][move.from[1]]
        }
        let staying = before[source]
        let free = isTaken.indices.filter { !isTaken[$0] }
        require(
          free.count == staying.count,
          "\(count) rows in section \(section), \(staying.count) stay: \(log.suffix(9))")
        for (place, cell) in zip(free, staying) { places[place] = cell }
      }
      after.append(
        places.enumerated().map { $1 ?? askForCell(IndexPath(indexes: [section, $0])) })
    }
    cells = after
  }

  /// The cells of each section that stay in it; `nil` for one that is reloaded.
  private func leaving(_ batch: Batch) -> [[Cell?]] {
    let sections = Set(batch.deletedSections + batch.reloadedSections)
    for path in batch.deleted + batch.reloaded {
      require(!sections.contains(path[0]), "an item of a section that goes: \(path.text)")
    }
    let gone = batch.deleted + batch.moved.map(\.from)
    let named = gone + batch.reloaded
    require(Set(named).count == named.count, "a place named twice: \(named.map(\.text))")
    for path in named {
      require(
        cells.indices.contains(path[0]) && cells[path[0]].indices.contains(path[1]),
        "\(path.text) is not there")
    }
    return cells.enumerated().map { section, cells in
      cells.indices.map { IndexPath(indexes: [section, $0]) }.filter { !gone.contains($0) }.map {
        batch.reloaded.contains($0) ? nil : cells[$0[1]]
      }
    }
  }

  /// Per section after the batch, where it was; `nil` for one whose cells are all new.
  private func sectionSources(_ batch: Batch) -> [Int?] {
    let count = askForSections()
    let gone = batch.deletedSections + batch.movedSections.map(\.from)
    require(Set(gone).count == gone.count, "a section named twice")
    for section in gone + batch.reloadedSections {
      require(cells.indices.contains(section), "section \(section) is not there")
    }
    var sources = [Int??](repeating: .none, count: count)
    for section in batch.insertedSections + batch.movedSections.map(\.to) {
      require(section < count && sources[section] == nil, "section \(section) of \(count)")
      sources[section] = .some(nil)
    }
    for move in batch.movedSections { sources[move.to] = .some(move.from) }
    let staying = cells.indices.filter { !gone.contains($0) }
    let free = sources.indices.filter { sources[$0] == nil }
    require(staying.count == free.count, "\(count) sections")
    for (place, section) in zip(free, staying) {
      sources[place] = .some(batch.reloadedSections.contains(section) ? nil : section)
    }
    return sources.map { $0 ?? nil }
  }
}
