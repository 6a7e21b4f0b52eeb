import DeltaEngine

/// What two versions that follow each other have in common: the store's change and the patch that
/// leads back are both made of it.
///
/// It is read off the delta, so that a write compares its two versions once. Each item that the
/// delta keeps is checked in both versions: with a wrong delta the write fails, and nothing wrong is
/// stored.
struct VersionComparison: Sendable {
  /// Items that follow one another in both versions and are unchanged, by their flat indices.
  struct Run: Hashable, Sendable {
    var source: Int
    var target: Int
    var count: Int
  }

  /// For each section of the target its index in the source; -1 for a section that is inserted.
  let sections: [Int32]
  /// The unchanged items, ascending by target; the target's other items are inserted or reloaded.
  let runs: [Run]
  /// The source's other items, in its order: they are deleted or reloaded.
  let replaced: [StructureItem]

  /// Takes runs that are known.
  ///
  /// - Parameters:
  ///   - sections: As the property.
  ///   - runs: As the property.
  ///   - source: All items of the source.
  /// - Throws: `DeltaMismatch` when an item of the source is in two runs.
  init(
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

  /// A comparison that found nothing: all of one section's items are replaced.
  static func nothing(inCommonWith source: [StructureItem]) -> VersionComparison {
    VersionComparison(replaced: source)
  }

  private init(replaced: [StructureItem]) {
    (sections, runs, self.replaced) = ([0], [], replaced)
  }

  /// Reads off a delta what it leaves unchanged.
  ///
  /// - Throws: `DeltaMismatch` when the delta keeps an item that is not the same in both versions.
  /// - Complexity: O(n) in the items.
  init(
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

  /// For each item of the target the flat index of the same item, unchanged, in the source; -1 for
  /// an item that is inserted or reloaded.
  private static func places(
    _ changes: DeltaChanges, _ sections: [Int32], of target: [StructureSection],
    in source: [StructureSection], _ sourceCount: Int
  ) throws(DeltaMismatch) -> [Int32] {
    let (oldFirst, newFirst) = (source.firstItemIndices, target.firstItemIndices)
    func old(_ path: ItemPath<Source>) -> Int { oldFirst[path.section] + path.item }
    func new(_ path: ItemPath<Target>) -> Int { newFirst[path.section] + path.item }
    let next: Int32 = -2
    var isTaken = [Bool](repeating: false, count: sourceCount)
    var places = [Int32](repeating: next, count: target.itemCount)
    for path in changes.deletedItems { isTaken[old(path)] = true }
    for path in changes.insertedItems { places[new(path)] = -1 }
    for pair in changes.movedItems {
      isTaken[old(pair.source)] = true
      places[new(pair.target)] = Int32(old(pair.source))
    }
    // The other items of a section are those that are left of it, in their order.
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
  /// Adds items behind all others of the target.
  mutating func add(_ source: Int, _ target: Int, _ itemCount: Int) {
    if let last, last.source + last.count == source, last.target + last.count == target {
      self[count - 1].count += itemCount
    } else {
      append(.init(source: source, target: target, count: itemCount))
    }
  }
}
