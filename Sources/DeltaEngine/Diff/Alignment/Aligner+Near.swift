extension Aligner {
  /// Advances to the nearest pair of equal elements within a small window on both sides.
  @inlinable mutating func skipWindow(_ unresolved: inout Unresolved) -> Bool {
    for distance in 1...2 * Self.windowCount {
      let low = max(0, distance - Self.windowCount)
      for ahead in low...min(distance, Self.windowCount) {
        let sourceIndex = i + ahead
        let targetIndex = j + distance - ahead
        if sourceIndex < source.count, targetIndex < target.count,
          isSame(sourceIndex, targetIndex)
        {
          leave(&unresolved, upTo: sourceIndex, targetIndex)
          return true
        }
      }
    }
    return false
  }
}
