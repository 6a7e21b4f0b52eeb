/// The order of sections between the first and the last section step.
///
/// It consists of the target's sections in the target's order and, among them, the *deferred
/// deletes*: sections that can be deleted only after their last survivor has left. Such a section
/// follows the unmoved or deferred section that it followed in the source, so that only the moves
/// of `DeltaChanges` change positions.
struct IntermediateLayout {
  /// For each source section, its intermediate index, or -1 if it has been deleted by then.
  private(set) var indexOfSource: [Int32]
  private(set) var indexOfTarget: [Int32] = []
  /// For each intermediate index, its source section, or -1.
  private(set) var sources: [Int32] = []
  /// The source indices of the sections with deferred deletes, ascending.
  let deferredDeletes: [Int32]
  var count: Int { sources.count }

  /// Creates the layout; `deferredDeletes` are source indices, ascending.
  init(
    _ changes: DeltaChanges, _ mapping: [Int32], deferredDeletes: [Int32], sourceCount: Int
  ) {
    self.deferredDeletes = deferredDeletes
    indexOfSource = [Int32](repeating: -1, count: sourceCount)
    let predecessors = Self.predecessors(changes, mapping, deferredDeletes)
    var follower = 0
    for target in -1..<mapping.count {
      if target >= 0 {
        indexOfTarget.append(Int32(truncatingIfNeeded: count))
        place(mapping[target])
      }
      while follower < deferredDeletes.count, predecessors[follower] == target {
        place(deferredDeletes[follower])
        follower += 1
      }
    }
  }

  /// Appends a source section, or an inserted one.
  private mutating func place(_ source: Int32) {
    if source >= 0 { indexOfSource[Int(source)] = Int32(truncatingIfNeeded: count) }
    sources.append(source)
  }

  /// Returns for each deferred section the unmoved target section that it follows, or -1 for the
  /// front.
  ///
  /// These ascend, since unmoved sections keep their order.
  private static func predecessors(
    _ changes: DeltaChanges, _ mapping: [Int32], _ deferredDeletes: [Int32]
  ) -> [Int] {
    var isMoved = [Bool](repeating: false, count: mapping.count)
    for pair in changes.movedSections { isMoved[pair.target.index] = true }
    var (next, last) = (0, -1)
    return deferredDeletes.map { section in
      while next < mapping.count, isMoved[next] || mapping[next] < section {
        if !isMoved[next], mapping[next] >= 0 { last = next }
        next += 1
      }
      return last
    }
  }
}
