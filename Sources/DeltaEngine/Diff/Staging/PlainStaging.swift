/// Stages item changes among sections that are not inserted, deleted or moved, in one step.
///
/// The list before that step is then the source, and the list after it the target, so the paths of
/// the changes are those of the step.
struct PlainStaging {
  let changes: DeltaChanges
  let targetCounts: [Int]

  /// Returns the batches in order; none is empty.
  func steps() -> [DeltaStep] {
    var step = DeltaStep()
    step.delete.items = changes.deletedItems.map { $0.inSpace() }
    step.insert.items = changes.insertedItems.map { ItemInsert(at: $0.inSpace(), target: $0) }
    step.move.items = changes.movedItems.map {
      ItemMove(from: $0.source.inSpace(), to: $0.target.inSpace())
    }
    var reloads = Reloads(changes, targetCounts: targetCounts)
    var steps: [DeltaStep] = []
    steps.reserveCapacity(2)
    if step.hasItemOperations {
      step.itemCounts = targetCounts
      reloads.join(&step) { $0.inSpace() }
      steps.append(step)
    }
    if let step = reloads.ownStep { steps.append(step) }
    return steps
  }
}
