package import DeltaEngine

/// What two consecutive versions have in common; the stored change and the reverse patch are made
/// from it.
///
/// It is derived from the delta, so a write compares its two versions once. Each item that the
/// delta keeps is checked in both versions: if the delta is wrong, the write fails and nothing
/// wrong is stored.
package struct VersionComparison: Sendable {
  /// A run of unchanged items that are consecutive in both versions, as flat indices.
  package struct Run: Hashable, Sendable {
    package var source: Int
    package var target: Int
    package var count: Int
  }

  /// The source index of each target section; -1 for an inserted section.
  package let sections: [Int32]
  /// The unchanged items, in ascending target order; all other target items are inserted or
  /// reloaded.
  let runs: [Run]
  /// All other source items, in order: they are deleted or reloaded.
  let replaced: [StructureItem]

  /// Creates a comparison from known runs, unless an item of the source is in two of them.
  package init(
    sections: [Int32], runs: [Run], source: [StructureItem]
  ) throws(DeltaMismatch) {
    self.sections = sections
    self.runs = runs
    var replaced: [StructureItem] = []
    var end = 0
    for run in runs.sorted(by: { $0.source < $1.source }) {
      guard run.source >= end else {
        throw DeltaMismatch(reason: "item \(run.source) is kept twice")
      }
      replaced += source[end..<run.source]
      end = run.source + run.count
    }
    self.replaced = replaced + source[end...]
  }

  /// Derives the comparison from a delta.
  ///
  /// - Throws: `DeltaMismatch` if the delta keeps an item that differs between the versions.
  /// - Complexity: O(*n*), where *n* is the number of items.
  package init(
    _ delta: Delta, from source: [StructureSection], to target: [StructureSection]
  ) throws(DeltaMismatch) {
    let sections =
      delta.isEmpty
      ? target.indices.map { Int32($0) }
      : delta.changes.sourceSections(sourceCount: source.count, targetCount: target.count)
    let base = source.flatItems
    let places = try Self.places(delta.changes, sections, of: target, in: source, base.count)
    var runs: [Run] = []
    var flat = 0
    for section in target {
      for item in section.items {
        defer { flat += 1 }
        let place = Int(places[flat])
        guard place >= 0 else { continue }
        guard base[place] == item else {
          throw DeltaMismatch(reason: "item \(place) is kept as item \(flat), another one")
        }
        runs.add(place, flat, 1)
      }
    }
    try self.init(sections: sections, runs: runs, source: base)
  }

  /// The flat source index of each unchanged target item; -1 for inserted and reloaded items.
  private static func places(
    _ changes: DeltaChanges, _ sections: [Int32], of target: [StructureSection],
    in source: [StructureSection], _ sourceCount: Int
  ) throws(DeltaMismatch) -> [Int32] {
    let (oldFirst, newFirst) = (source.firstItemIndices, target.firstItemIndices)
    func old(_ path: ItemPath<SourceSpace>) -> Int { oldFirst[path.section] + path.item }
    func new(_ path: ItemPath<TargetSpace>) -> Int { newFirst[path.section] + path.item }
    let next: Int32 = -2
    var isTaken = [Bool](repeating: false, count: sourceCount)
    var places = [Int32](repeating: next, count: target.itemCount)
    for path in changes.deletedItems { isTaken[old(path)] = true }
    for path in changes.insertedItems { places[new(path)] = -1 }
    for pair in changes.movedItems {
      isTaken[old(pair.source)] = true
      places[new(pair.target)] = Int32(old(pair.source))
    }
    // A section's other items are those that remain, in their order.
    for (index, section) in target.enumerated() {
      var place = sections[index] < 0 ? sourceCount : oldFirst[Int(sections[index])]
      for flat in newFirst[index]..<newFirst[index] + section.items.count
      where places[flat] == next {
        while place < sourceCount, isTaken[place] { place += 1 }
        guard place < sourceCount else {
          throw DeltaMismatch(reason: "section \(index) keeps more items than there are")
        }
        places[flat] = Int32(place)
        place += 1
      }
    }
    for pair in changes.reloadedItems { places[new(pair.target)] = -1 }
    return places
  }
}

extension [VersionComparison.Run] {
  /// Appends items, extending the last run if they follow it.
  package mutating func add(_ source: Int, _ target: Int, _ itemCount: Int) {
    if let last, last.source + last.count == source, last.target + last.count == target {
      self[count - 1].count += itemCount
    } else {
      append(.init(source: source, target: target, count: itemCount))
    }
  }
}
