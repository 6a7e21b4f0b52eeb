/// Holds changes against the counts of the versions that they are between.
struct ChangesCheck {
  let changes: DeltaChanges
  let sourceCounts: [Int]
  let targetCounts: [Int]

  init(_ delta: Delta) {
    changes = delta.changes
    sourceCounts = delta.sourceItemCounts
    targetCounts = delta.targetItemCounts
  }

  func check() throws(DeltaMismatch) {
    try Places.checkCounts(sourceCounts + targetCounts)
    try checkSections()
    try checkItems()
    try checkCounts()
  }

  private func checkSections() throws(DeltaMismatch) {
    let from = changes.removedSections + changes.movedSections.map { $0.source }
    let to = changes.addedSections + changes.movedSections.map { $0.target }
    try Places.check(from, sourceCounts)
    try Places.check(to, targetCounts)
    try Places.check(changes.changedSections.map { $0.source }, sourceCounts)
    try Places.check(changes.changedSections.map { $0.target }, targetCounts)
    guard sourceCounts.count - from.count == targetCounts.count - to.count else {
      throw DeltaMismatch(reason: "other sections stay than stayed")
    }
  }

  private func checkItems() throws(DeltaMismatch) {
    let moved = changes.movedItems
    let changed = changes.changedItems
    try Places.check(changes.removedItems + moved.map { $0.source }, sourceCounts)
    try Places.check(changes.addedItems + moved.map { $0.target }, targetCounts)
    try Places.check(changed.map { $0.source }, sourceCounts)
    try Places.check(changed.map { $0.target }, targetCounts)
  }

  /// Of each section that stays, what stays in it is as much as stayed; nothing stays in others.
  private func checkCounts() throws(DeltaMismatch) {
    var staying = sourceCounts
    for path in changes.removedItems { staying[path.section] -= 1 }
    for pair in changes.movedItems { staying[pair.source.section] -= 1 }
    var stayed = targetCounts
    for path in changes.addedItems { stayed[path.section] -= 1 }
    for pair in changes.movedItems { stayed[pair.target.section] -= 1 }
    let sources = changes.sourceSections(
      sourceCount: sourceCounts.count, targetCount: targetCounts.count)
    for (target, source) in sources.enumerated() {
      let expected = source < 0 ? 0 : staying[Int(source)]
      guard stayed[target] == expected else {
        throw DeltaMismatch(reason: "section \(target) keeps \(stayed[target]), not \(expected)")
      }
    }
    for section in changes.removedSections where staying[section.index] != 0 {
      throw DeltaMismatch(reason: "items stay in section \(section), which goes")
    }
  }

  /// A changed item is one that is in both versions, at these two places.
  func checkChangedItems() throws(DeltaMismatch) {
    if changes.changedItems.isEmpty { return }
    let survivors = Survivors(
      changes, sourceCount: sourceCounts.count, targetCount: targetCounts.count)
    for pair in changes.changedItems where survivors.target(of: pair.source) != pair.target {
      throw DeltaMismatch(reason: "\(pair.source) did not become \(pair.target), which changed")
    }
  }
}

/// Where items of the source are in the target, by the changes alone: versions may be long.
private struct Survivors {
  private let moves: [ItemPath<Source>: ItemPath<Target>]
  /// Per source section its target section.
  private var targetSections: [Int: Int] = [:]
  /// What does not stay in place: places of the source that were left, of the target that were
  /// taken; ascending.
  private let left: [ItemPath<Source>]
  private let taken: [ItemPath<Target>]

  init(_ changes: DeltaChanges, sourceCount: Int, targetCount: Int) {
    let pairs = changes.movedItems.map { ($0.source, $0.target) }
    moves = Dictionary(pairs) { first, _ in first }
    left = (changes.removedItems + pairs.map { $0.0 }).sorted()
    taken = (changes.addedItems + pairs.map { $0.1 }).sorted()
    let sources = changes.sourceSections(sourceCount: sourceCount, targetCount: targetCount)
    for (target, source) in sources.enumerated() where source >= 0 {
      targetSections[Int(source)] = target
    }
  }

  /// Where an item of the source is in the target; `nil` when it is gone.
  func target(of path: ItemPath<Source>) -> ItemPath<Target>? {
    if let target = moves[path] { return target }
    let place = Self.lowerBound(path, in: left)
    if place < left.count, left[place] == path { return nil }
    guard let section = targetSections[path.section] else { return nil }
    let start = Self.lowerBound(ItemPath(section: path.section, item: 0), in: left)
    let rank = path.item - (place - start)
    return ItemPath(section: section, item: rank + takenBefore(rank, in: section))
  }

  /// How many taken places of a target section stand before the item that is the `rank`-th of those
  /// that stay: the places ascend, and so does each of them less its number.
  private func takenBefore(_ rank: Int, in section: Int) -> Int {
    let start = Self.lowerBound(ItemPath(section: section, item: 0), in: taken)
    var (low, high) = (start, taken.count)
    while low < high {
      let middle = (low + high) / 2
      let path = taken[middle]
      if path.section == section, path.item - (middle - start) <= rank {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low - start
  }

  private static func lowerBound<Space>(
    _ path: ItemPath<Space>, in ascending: [ItemPath<Space>]
  ) -> Int {
    var (low, high) = (0, ascending.count)
    while low < high {
      let middle = (low + high) / 2
      if ascending[middle] < path { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
