/// Maps places of one version to the other, in memory proportional to the changes.
struct SurvivorMap<From, To>: Sendable {
  /// Per section its index in the other version, or -1.
  let sections: [Int32]
  private let moves: [ItemPath<From>: ItemPath<To>]
  /// The places of deleted and moved items; ascending.
  private let left: [ItemPath<From>]
  /// The places of inserted and moved items; ascending.
  private let taken: [ItemPath<To>]

  init(
    sections: [Int32], moves: [(ItemPath<From>, ItemPath<To>)], deleted: [ItemPath<From>],
    inserted: [ItemPath<To>]
  ) {
    self.sections = sections
    self.moves = Dictionary(moves) { first, _ in first }
    left = (deleted + moves.map { $0.0 }).sorted()
    taken = (inserted + moves.map { $0.1 }).sorted()
  }

  /// Where an item is in the other version; `nil` when it is not there.
  ///
  /// - Complexity: O(log c) for c changes.
  func place(of path: ItemPath<From>) -> ItemPath<To>? {
    if let place = moves[path] { return place }
    let before = Self.lowerBound(path, in: left)
    if before < left.count, left[before] == path { return nil }
    guard sections.indices.contains(path.section), sections[path.section] >= 0 else { return nil }
    let section = Int(sections[path.section])
    let start = Self.lowerBound(ItemPath(section: path.section, item: 0), in: left)
    let rank = path.item - (before - start)
    return ItemPath(section: section, item: rank + takenBefore(rank, in: section))
  }

  /// How many taken places of a section are before the item that is the `rank`-th of those that
  /// stay: the places ascend, and so does each of them less its number.
  private func takenBefore(_ rank: Int, in section: Int) -> Int {
    let start = Self.lowerBound(ItemPath(section: section, item: 0), in: taken)
    let end = taken[start...].partitioningIndex { place in
      let path = taken[place]
      return path.section == section && path.item - (place - start) <= rank
    }
    return end - start
  }

  private static func lowerBound<Space>(
    _ path: ItemPath<Space>, in ascending: [ItemPath<Space>]
  ) -> Int { ascending.partitioningIndex { ascending[$0] < path } }
}

extension DeltaChanges {
  /// Where the source's items are in the target.
  func targets(sourceCount: Int, targetCount: Int) -> SurvivorMap<Source, Target> {
    var sections = [Int32](repeating: -1, count: sourceCount)
    let sources = sourceSections(sourceCount: sourceCount, targetCount: targetCount)
    for (target, source) in sources.enumerated() where source >= 0 {
      sections[Int(source)] = Int32(truncatingIfNeeded: target)
    }
    return SurvivorMap(
      sections: sections, moves: movedItems.map { ($0.source, $0.target) },
      deleted: deletedItems, inserted: insertedItems)
  }

  /// Where the target's items are in the source.
  func sources(sourceCount: Int, targetCount: Int) -> SurvivorMap<Target, Source> {
    SurvivorMap(
      sections: sourceSections(sourceCount: sourceCount, targetCount: targetCount),
      moves: movedItems.map { ($0.target, $0.source) }, deleted: insertedItems,
      inserted: deletedItems)
  }
}
