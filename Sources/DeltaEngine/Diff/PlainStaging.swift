/// Stages changes of items among sections that neither come, go nor move: one step for the items.
///
/// Then the list before the items' step is the source and the list after it the target, so that
/// the changes' paths are the step's.
struct PlainStaging {
  let changes: DeltaChanges
  let targetCounts: [Int]

  /// The batches, in order; none is empty.
  func steps() -> [DeltaStep] {
    var step = DeltaStep()
    step.delete.items = changes.removedItems.inSpace(Before.self)
    step.insert.items = changes.addedItems.map {
      ItemInsert(at: ItemPath(section: $0.section, item: $0.item), target: $0)
    }
    step.move.items = changes.movedItems.map {
      ItemMove(
        from: ItemPath(section: $0.source.section, item: $0.source.item),
        to: ItemPath(section: $0.target.section, item: $0.target.item))
    }
    var reloads = Reloads(changes: changes, targetCounts: targetCounts)
    guard step.hasItemOperations else { return reloads.ownStep.map { [$0] } ?? [] }
    step.itemCounts = targetCounts
    reloads.join(&step) { ItemPath(section: $0.section, item: $0.item) }
    return [step] + (reloads.ownStep.map { [$0] } ?? [])
  }
}

extension Array {
  /// The same paths in another index space, without a copy.
  ///
  /// Sound because a path is the same two numbers in every space and has no reference to count.
  fileprivate func inSpace<From, To>(_ space: To.Type) -> [ItemPath<To>]
  where Element == ItemPath<From> {
    unsafe unsafeBitCast(self, to: [ItemPath<To>].self)
  }
}
