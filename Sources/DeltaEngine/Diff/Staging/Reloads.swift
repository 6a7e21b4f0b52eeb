/// Where the reloads of a delta go: into the items' step where the laws allow it, else into a step
/// of their own at the end, which addresses the final list.
struct Reloads {
  private let items: [ItemPathPair]
  private let sections: [SectionIndexPair]
  private let targetCounts: [Int]
  private var isJoined = false

  init(_ changes: DeltaChanges, targetCounts: [Int]) {
    items = changes.reloadedItems
    sections = changes.reloadedSections
    self.targetCounts = targetCounts
  }

  /// Joins the items' step unless something moves there, a section operation stands beside it or a
  /// section reloads.
  ///
  /// - Parameters:
  ///   - step: The items' step.
  ///   - before: Where an item of the source stands just before that step.
  mutating func join(_ step: inout DeltaStep, at before: (ItemPath<Source>) -> ItemPath<Before>) {
    if items.isEmpty || !sections.isEmpty { return }
    guard step.hasItemOperations, step.move.items.isEmpty, !step.hasSectionOperations else {
      return
    }
    // Ascending: without moves items keep their order, and sections have the target's already.
    step.reload.items = .filled(capacity: items.count) { reloads in
      for pair in items {
        reloads.append(ItemReload(at: before(pair.source), target: pair.target))
      }
    }
    isJoined = true
  }

  /// The reloads' own step, or `nil` when they joined another or there are none.
  var ownStep: DeltaStep? {
    if isJoined || items.isEmpty && sections.isEmpty { return nil }
    var step = DeltaStep()
    step.reload.sections = sections.map {
      SectionReload(at: SectionIndex($0.target.index), target: $0.target)
    }
    step.reload.items = .filled(capacity: items.count) { appendItems(to: &$0) }
    step.itemCounts = targetCounts
    return step
  }

  /// Both lists ascend; an item of a reloaded section is reloaded with it and is not named.
  private func appendItems(to reloads: inout Output<ItemReload>) {
    var next = 0
    for pair in items {
      while next < sections.count, sections[next].target.index < pair.target.section {
        next += 1
      }
      if next < sections.count, sections[next].target.index == pair.target.section {
        continue
      }
      reloads.append(ItemReload(at: pair.target.inSpace(), target: pair.target))
    }
  }
}
