import DeltaEngine
import LiveCollections
package import SnapshotJSON

extension IDTable {
  /// Whether an item that was read has the id of an elided item.
  func repeats(
    _ snapshot: Snapshot, beside unchanged: UnchangedItems, of head: [StructureSection]
  ) -> Bool {
    let known = HeadItems(head)
    let runs = unchanged.ascendingRuns
    var read = Set(snapshot.items.compactMap { find(snapshot.bytes($0.id)) })
    // Most items that were read replace items of the head between the runs.
    var end = 0
    for run in runs + [known.count..<known.count] {
      known.slices(end..<run.lowerBound).forEach { $0.forEach { read.remove($0.uniqueID) } }
      end = run.upperBound
    }
    if read.isEmpty { return false }
    return runs.contains { run in
      known.slices(run).contains { $0.contains { read.contains($0.uniqueID) } }
    }
  }

  /// Returns the structure of a snapshot that was read with items elided.
  mutating func structure(
    of snapshot: Snapshot, beside unchanged: UnchangedItems, of head: [StructureSection]
  ) -> [StructureSection] {
    let known = HeadItems(head)
    let runs = unchanged.runs
    return snapshot.sections.map { section in
      let id = intern(snapshot.bytes(section.id))
      let pieces = snapshot.pieces(of: section)
      if let items = known.items(pieces, runs) {
        return StructureSection(uniqueID: id, header: section.content, items: items)
      }
      var items: [StructureItem] = []
      items.reserveCapacity(snapshot.itemCount(pieces, runs))
      for piece in pieces {
        switch piece {
        case .gap(let gap): known.slices(runs[gap]).forEach { items.append(contentsOf: $0) }
        case .items(let range):
          for item in snapshot.items[range] {
            let id = intern(snapshot.bytes(item.id))
            items.append(StructureItem(uniqueID: id, content: item.content))
          }
        }
      }
      return StructureSection(uniqueID: id, header: section.content, items: items)
    }
  }
}

/// The head's items by flat index, without concatenating the sections.
private struct HeadItems {
  let sections: [StructureSection]
  let firstIndices: [Int]

  init(_ sections: [StructureSection]) {
    self.sections = sections
    firstIndices = sections.firstItemIndices
  }

  var count: Int { sections.itemCount }

  /// The item array of a section of the head, if the pieces are exactly that section.
  func items(_ pieces: [Snapshot.Piece], _ runs: [Range<Int>]) -> [StructureItem]? {
    guard pieces.count == 1, case .gap(let gap) = pieces[0] else { return nil }
    let section = section(of: runs[gap].lowerBound)
    guard firstIndices[section] == runs[gap].lowerBound,
      sections[section].items.count == runs[gap].count
    else { return nil }
    return sections[section].items
  }

  /// The items of a run, as one slice per section.
  func slices(_ run: Range<Int>) -> [ArraySlice<StructureItem>] {
    var slices: [ArraySlice<StructureItem>] = []
    var next = run.lowerBound
    var section = section(of: next)
    while next < run.upperBound {
      let first = next - firstIndices[section]
      let slice = sections[section].items[first...].prefix(run.upperBound - next)
      slices.append(slice)
      next += slice.count
      section += 1
    }
    return slices
  }

  /// The section that contains an item: the last one that starts at or before it.
  private func section(of item: Int) -> Int {
    var (low, high) = (0, firstIndices.count)
    while low < high {
      let middle = (low + high) / 2
      if firstIndices[middle] <= item { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}

extension Snapshot {
  package func itemCount(_ pieces: [Piece], _ runs: [Range<Int>]) -> Int {
    pieces.reduce(0) { sum, piece in
      switch piece {
      case .items(let range): sum + range.count
      case .gap(let gap): sum + runs[gap].count
      }
    }
  }
}
