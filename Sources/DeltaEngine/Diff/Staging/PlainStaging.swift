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
    step.delete.items = changes.deletedItems.inSpace(BeforeSpace.self)
    step.insert.items = .filled(capacity: changes.insertedItems.count) { inserts in
      for path in changes.insertedItems {
        inserts.append(ItemInsert(at: path.inSpace(), target: path))
      }
    }
    step.move.items = changes.movedItems.asMoves
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

extension Array {
  /// The same paths in another index space, without copying.
  ///
  /// Sound because a path is the same two integers in every space and contains no references.
  fileprivate func inSpace<From, To>(_ space: To.Type) -> [ItemPath<To>]
  where Element == ItemPath<From> {
    unsafe unsafeBitCast(self, to: [ItemPath<To>].self)
  }
}

extension [ItemPathPair] {
  /// Pairs of positions as moves, without copying; sound for the same reason.
  fileprivate var asMoves: [ItemMove] {
    unsafe unsafeBitCast(self, to: [ItemMove].self)
  }
}
