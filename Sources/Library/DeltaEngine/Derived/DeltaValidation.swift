/// Validates changes against the item counts of both versions.
struct DeltaValidation {
  let changes: DeltaChanges
  let sourceCounts: [Int]
  let targetCounts: [Int]

  init(_ delta: Delta) {
    changes = delta.changes
    sourceCounts = delta.sourceItemCounts
    targetCounts = delta.targetItemCounts
  }

  func check() throws(DeltaMismatch) {
    try PlaceChecks.checkCounts(sourceCounts + targetCounts)
    try checkSections()
    try checkItems()
    try checkCounts()
  }

  private func checkSections() throws(DeltaMismatch) {
    let from = changes.deletedSections + changes.movedSections.map { $0.source }
    let to = changes.insertedSections + changes.movedSections.map { $0.target }
    try PlaceChecks.check(from, sourceCounts)
    try PlaceChecks.check(to, targetCounts)
    try PlaceChecks.check(changes.reloadedSections.map { $0.source }, sourceCounts)
    try PlaceChecks.check(changes.reloadedSections.map { $0.target }, targetCounts)
    guard sourceCounts.count - from.count == targetCounts.count - to.count else {
      throw DeltaMismatch(
        reason: "the delta keeps a section that the target does not have, or drops one that it has")
    }
  }

  private func checkItems() throws(DeltaMismatch) {
    let moved = changes.movedItems
    let changed = changes.reloadedItems
    try PlaceChecks.check(changes.deletedItems + moved.map { $0.source }, sourceCounts)
    try PlaceChecks.check(changes.insertedItems + moved.map { $0.target }, targetCounts)
    try PlaceChecks.check(changed.map { $0.source }, sourceCounts)
    try PlaceChecks.check(changed.map { $0.target }, targetCounts)
  }

  /// Checks that a kept section keeps equally many items in both versions, and any other section
  /// none.
  private func checkCounts() throws(DeltaMismatch) {
    var staying = sourceCounts
    for path in changes.deletedItems { staying[path.section] -= 1 }
    for pair in changes.movedItems { staying[pair.source.section] -= 1 }
    var stayed = targetCounts
    for path in changes.insertedItems { stayed[path.section] -= 1 }
    for pair in changes.movedItems { stayed[pair.target.section] -= 1 }
    let sources = changes.sourceSections(
      sourceCount: sourceCounts.count, targetCount: targetCounts.count)
    for (target, source) in sources.enumerated() {
      let expected = source < 0 ? 0 : staying[Int(source)]
      guard stayed[target] == expected else {
        throw DeltaMismatch(reason: "section \(target) keeps \(stayed[target]), not \(expected)")
      }
    }
    for section in changes.deletedSections where staying[section.index] != 0 {
      throw DeltaMismatch(reason: "items stay in section \(section), which is deleted")
    }
  }

  /// Checks that each reloaded item is the same item at its two positions.
  func checkReloadedItems() throws(DeltaMismatch) {
    if changes.reloadedItems.isEmpty { return }
    let targets = changes.targets(
      sourceCount: sourceCounts.count, targetCount: targetCounts.count)
    for pair in changes.reloadedItems where targets.place(of: pair.source) != pair.target {
      throw DeltaMismatch(
        reason: "\(pair.source) is not reloaded at \(pair.target): that is another item")
    }
  }
}
