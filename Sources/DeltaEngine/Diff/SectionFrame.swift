/// Which section was which, told from what changed.
@usableFromInline
enum SectionFrame {
  /// Per target section its source section, or -1: moved ones by their pairs, the rest in order.
  ///
  /// - Parameters:
  ///   - added: Indices of added sections in the target.
  ///   - removed: Indices of removed sections in the source.
  ///   - moved: Source and target indices of moved sections.
  ///   - sourceCount: The number of source sections.
  ///   - targetCount: The number of target sections.
  /// - Returns: As many indices as there are target sections.
  @inlinable
  static func sourceIndices(
    added: some Sequence<Int>, removed: some Sequence<Int>, moved: some Sequence<(Int, Int)>,
    sourceCount: Int, targetCount: Int
  ) -> [Int32] {
    var indices = [Int32](repeating: -2, count: targetCount)
    var isPlaced = [Bool](repeating: false, count: sourceCount)
    for target in added { indices[target] = -1 }
    for source in removed { isPlaced[source] = true }
    for (source, target) in moved {
      indices[target] = Int32(truncatingIfNeeded: source)
      isPlaced[source] = true
    }
    var next = 0
    for target in 0..<targetCount where indices[target] == -2 {
      while isPlaced[next] { next += 1 }
      indices[target] = Int32(truncatingIfNeeded: next)
      next += 1
    }
    return indices
  }
}

extension DeltaChanges {
  /// Per target section its source section, or -1.
  func sourceSections(sourceCount: Int, targetCount: Int) -> [Int32] {
    SectionFrame.sourceIndices(
      added: addedSections.lazy.map { $0.index }, removed: removedSections.lazy.map { $0.index },
      moved: movedSections.lazy.map { ($0.source.index, $0.target.index) },
      sourceCount: sourceCount, targetCount: targetCount)
  }
}
