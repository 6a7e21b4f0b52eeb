/// The sections as they stand between the first and the last section step.
///
/// These are the target's sections in the target's order and, among them, the *deferred deletes*:
/// sections whose delete must wait until their last survivor has left. Such a section stands behind
/// the unmoved or deferred section that it stood behind in the source, so that nothing but the
/// moves of `DeltaChanges` changes places.
struct IntermediateLayout {
  /// Per source section: its intermediate index, or -1 when it is gone by then.
  let indexOfSource: ScratchBuffer<Int32>
  /// Per target section: its intermediate index.
  let indexOfTarget: ScratchBuffer<Int32>
  /// Per intermediate index: its source section, or -1.
  let sources: ScratchBuffer<Int32>
  /// The source indices of the sections whose delete is deferred, ascending.
  let deferredDeletes: ScratchList<Int32>
  /// The number of sections.
  private(set) var count = 0

  /// `deferredDeletes` are the source sections whose delete must wait; ascending.
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

  /// Puts a source section, or one that is new, behind the others.
  private mutating func place(_ source: Int) {
    sources[count] = Int32(truncatingIfNeeded: source)
    if source >= 0 { indexOfSource[source] = Int32(truncatingIfNeeded: count) }
    count += 1
  }

  /// Per deferred section the unmoved target section that it stands behind, -1 for the front; these
  /// ascend, since unmoved sections keep their order.
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
