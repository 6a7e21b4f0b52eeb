/// Maps positions of one version to the other, using memory proportional to the changes.
struct SurvivorMap<From, To>: Sendable {
  /// For each section, its index in the other version, or -1.
  let sections: [Int32]
  private let moves: [ItemPath<From>: ItemPath<To>]
  /// The positions of deleted and moved items, ascending.
  private let left: [ItemPath<From>]
  /// The positions of inserted and moved items, ascending.
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

  /// Returns the position of an item in the other version, or `nil` if it is not in it.
  ///
  /// - Complexity: O(log *c*) for *c* changes.
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

  /// Returns how many taken positions of a section precede its `rank`-th staying item.
  ///
  /// Both the positions and the positions minus their numbers ascend, so a binary search applies.
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
  /// Returns a map from the source's items to the target.
  func targets(sourceCount: Int, targetCount: Int) -> SurvivorMap<SourceSpace, TargetSpace> {
    var sections = [Int32](repeating: -1, count: sourceCount)
    let sources = sourceSections(sourceCount: sourceCount, targetCount: targetCount)
    for (target, source) in sources.enumerated() where source >= 0 {
      sections[Int(source)] = Int32(truncatingIfNeeded: target)
    }
    return SurvivorMap(
      sections: sections, moves: movedItems.map { ($0.source, $0.target) },
      deleted: deletedItems, inserted: insertedItems)
  }

  /// Returns a map from the target's items to the source.
  func sources(sourceCount: Int, targetCount: Int) -> SurvivorMap<TargetSpace, SourceSpace> {
    SurvivorMap(
      sections: sourceSections(sourceCount: sourceCount, targetCount: targetCount),
      moves: movedItems.map { ($0.target, $0.source) }, deleted: insertedItems,
      inserted: deletedItems)
  }
}
