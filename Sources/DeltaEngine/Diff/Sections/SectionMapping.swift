/// Maps each section of the target to its section of the source.
@usableFromInline struct SectionMapping {
  /// For each target section, its source section or -1.
  @usableFromInline let sources: ScratchBuffer<Int32>

  /// Creates a mapping: moved sections by their pairs, all others except inserted ones in order.
  @inlinable init(
    inserted: some Sequence<Int>, deleted: some Sequence<Int>, moved: some Sequence<(Int, Int)>,
    sourceCount: Int, targetCount: Int, in arena: inout Arena
  ) {
    sources = arena.allocate(targetCount)
    let isPlaced: ScratchBuffer<Bool> = arena.allocate(sourceCount)
    sources.fill(targetCount, with: -2)
    isPlaced.fill(sourceCount, with: false)
    for target in inserted { sources[target] = -1 }
    for source in deleted { isPlaced[source] = true }
    for (source, target) in moved {
      sources[target] = Int32(truncatingIfNeeded: source)
      isPlaced[source] = true
    }
    var next = 0
    for target in 0..<targetCount where sources[target] == -2 {
      while isPlaced[next] { next &+= 1 }
      sources[target] = Int32(truncatingIfNeeded: next)
      next &+= 1
    }
  }

  /// The source section of a target section, or -1.
  @inlinable subscript(target: Int) -> Int {
    @inline(__always) get { Int(sources[target]) }
  }
}

extension SectionMapping {
  /// Creates the mapping described by changes.
  init(
    _ changes: DeltaChanges, sourceCount: Int, targetCount: Int, in arena: inout Arena
  ) {
    self.init(
      inserted: changes.insertedSections.lazy.map { $0.index },
      deleted: changes.deletedSections.lazy.map { $0.index },
      moved: changes.movedSections.lazy.map { ($0.source.index, $0.target.index) },
      sourceCount: sourceCount, targetCount: targetCount, in: &arena)
  }
}

extension DeltaChanges {
  package func sourceSections(sourceCount: Int, targetCount: Int) -> [Int32] {
    Arena.with { arena in
      let mapping = SectionMapping(
        self, sourceCount: sourceCount, targetCount: targetCount, in: &arena)
      return (0..<targetCount).map { mapping.sources[$0] }
    }
  }
}
