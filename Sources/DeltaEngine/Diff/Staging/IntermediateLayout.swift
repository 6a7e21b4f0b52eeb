/// The order of sections between the first and the last section step.
///
/// It consists of the target's sections in the target's order and, among them, the *deferred
/// deletes*: sections that can be deleted only after their last survivor has left. Such a section
/// follows the unmoved or deferred section that it followed in the source, so that only the moves
/// of `DeltaChanges` change positions.
struct IntermediateLayout {
  /// For each source section, its intermediate index, or -1 if it has been deleted by then.
  let indexOfSource: ScratchBuffer<Int32>
  /// For each target section, its intermediate index.
  let indexOfTarget: ScratchBuffer<Int32>
  /// For each intermediate index, its source section, or -1.
  let sources: ScratchBuffer<Int32>
  /// The source indices of the sections with deferred deletes, ascending.
  let deferredDeletes: ScratchList<Int32>
  /// The number of sections.
  private(set) var count = 0

  /// Creates the layout; `deferredDeletes` are source indices, ascending.
  init(
    _ changes: DeltaChanges, _ mapping: SectionMapping, deferredDeletes: ScratchList<Int32>,
    sourceCount: Int, targetCount: Int, in arena: inout Arena
  ) {
    self.deferredDeletes = deferredDeletes
    indexOfSource = arena.allocate(sourceCount)
    indexOfTarget = arena.allocate(targetCount)
    sources = arena.allocate(targetCount + deferredDeletes.count)
    indexOfSource.fill(sourceCount, with: -1)
    let predecessors = Self.predecessors(changes, mapping, deferredDeletes, targetCount, in: &arena)
    var follower = 0
    for target in -1..<targetCount {
      if target >= 0 {
        indexOfTarget[target] = Int32(truncatingIfNeeded: count)
        place(mapping[target])
      }
      while follower < deferredDeletes.count, Int(predecessors[follower]) == target {
        place(Int(deferredDeletes[follower]))
        follower += 1
      }
    }
  }

  /// Appends a source section, or an inserted one.
  private mutating func place(_ source: Int) {
    sources[count] = Int32(truncatingIfNeeded: source)
    if source >= 0 { indexOfSource[source] = Int32(truncatingIfNeeded: count) }
    count += 1
  }

  /// Returns for each deferred section the unmoved target section that it follows, or -1 for the
  /// front.
  ///
  /// These ascend, since unmoved sections keep their order.
  private static func predecessors(
    _ changes: DeltaChanges, _ mapping: SectionMapping, _ deferredDeletes: ScratchList<Int32>,
    _ targetCount: Int, in arena: inout Arena
  ) -> ScratchBuffer<Int32> {
    let predecessors: ScratchBuffer<Int32> = arena.allocate(deferredDeletes.count)
    if deferredDeletes.isEmpty { return predecessors }
    let isMoved: ScratchBuffer<Bool> = arena.allocate(targetCount)
    isMoved.fill(targetCount, with: false)
    for pair in changes.movedSections { isMoved[pair.target.index] = true }
    var (next, last) = (0, -1)
    for number in 0..<deferredDeletes.count {
      while next < targetCount, isMoved[next] || mapping[next] < Int(deferredDeletes[number]) {
        if !isMoved[next], mapping[next] >= 0 { last = next }
        next += 1
      }
      predecessors[number] = Int32(truncatingIfNeeded: last)
    }
    return predecessors
  }
}
