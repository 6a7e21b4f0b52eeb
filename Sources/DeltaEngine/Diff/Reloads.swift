/// Where the reloads of a delta go: into the items' step where the laws allow it, else into a step
/// of their own at the end, which addresses the final list.
struct Reloads {
  private let changes: DeltaChanges
  private let targetCounts: [Int]
  private var isJoined = false

  init(changes: DeltaChanges, targetCounts: [Int]) {
    self.changes = changes
    self.targetCounts = targetCounts
  }

  /// Joins the items' step unless something moves there, a section operation stands beside it or a
  /// section reloads.
  ///
  /// - Parameters:
  ///   - step: The items' step.
  ///   - before: Where an item of the source stands just before that step.
  mutating func join(_ step: inout DeltaStep, at before: (ItemPath<Source>) -> ItemPath<Before>) {
    if changes.changedItems.isEmpty || !changes.changedSections.isEmpty { return }
    guard step.hasItemOperations, step.move.items.isEmpty, !step.hasSectionOperations else {
      return
    }
    step.reload.items = changes.changedItems.map {
      ItemReload(at: before($0.source), target: $0.target)
    }
    // Without moves items keep their order, but sections may have been moved before.
    step.reload.items.sort { $0.at < $1.at }
    isJoined = true
  }

  /// The reloads' own step, or `nil` when they joined another or there are none.
  ///
  /// An item of a reloaded section is drawn anew with it and is not named.
  var ownStep: DeltaStep? {
    if isJoined || changes.changedItems.isEmpty && changes.changedSections.isEmpty { return nil }
    var step = DeltaStep()
    step.reload.sections = changes.changedSections.map {
      SectionReload(at: SectionIndex($0.target.index), target: $0.target)
    }
    var isRedrawn = [Bool](repeating: false, count: targetCounts.count)
    for pair in changes.changedSections { isRedrawn[pair.target.index] = true }
    step.reload.items = .filled(capacity: changes.changedItems.count) { reloads in
      for pair in changes.changedItems where !isRedrawn[pair.target.section] {
        reloads.append(ItemReload(at: pair.target.inSpace(), target: pair.target))
      }
    }
    step.itemCounts = targetCounts
    return step
  }
}
