/// Places the reloads of a delta: in the item step if the laws allow it, or else in a step of their
/// own at the end, which refers to the final list.
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

  /// Adds the reloads to the item step unless it has moves or section operations, or a section is
  /// reloaded.
  ///
  /// - Parameters:
  ///   - step: The item step.
  ///   - before: Returns the position of a source item just before that step.
  mutating func join(
    _ step: inout DeltaStep, at before: (ItemPath<SourceSpace>) -> ItemPath<BeforeSpace>
  ) {
    if items.isEmpty || !sections.isEmpty { return }
    guard step.hasItemOperations, step.move.items.isEmpty, !step.hasSectionOperations else {
      return
    }
    // Ascending, since without moves items keep their order, and sections already have the
    // target's.
    step.reload.items = items.map { ItemReload(at: before($0.source), target: $0.target) }
    isJoined = true
  }

  /// The separate step for reloads; `nil` if they were added to the item step or there are none.
  var ownStep: DeltaStep? {
    if isJoined || items.isEmpty && sections.isEmpty { return nil }
    var step = DeltaStep()
    step.reload.sections = sections.map {
      SectionReload(at: SectionIndex($0.target.index), target: $0.target)
    }
    step.reload.items = itemReloads()
    step.itemCounts = targetCounts
    return step
  }

  /// Returns the reloads of items, except those in reloaded sections, which are reloaded with them.
  private func itemReloads() -> [ItemReload] {
    let reloaded = Set(sections.map { $0.target.index })
    return items.filter { !reloaded.contains($0.target.section) }.map {
      ItemReload(at: $0.target.inSpace(), target: $0.target)
    }
  }
}
