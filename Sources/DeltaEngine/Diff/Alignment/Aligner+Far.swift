extension Aligner {
  /// Advances through the target until a sample of the source is confirmed by its neighbors.
  ///
  /// After a while without success only runs of elements at growing distances are looked up, each
  /// as long as samples are apart: blocks longer than the gaps are still found, and what is skipped
  /// is recovered by searching backwards.
  @inlinable mutating func skipToSample(
    _ unresolved: inout Unresolved, in arena: inout Arena
  ) -> Bool {
    if samples == nil, source.count - i >= Self.sampledCountMin {
      samples = SampledIdentities(of: source, from: i, in: &arena)
    }
    guard let samples else { return false }
    let spacing = samples.spacing
    var probe = j
    var run = 0
    while probe < target.count {
      let found = samples.index(of: target[probe].diffID)
      if found >= i {
        if isConfirmed(found, probe) {
          jump(&unresolved, found, probe)
          return true
        }
        misses += 1
        if misses > Self.missesMax { return false }
      }
      probe += 1
      run += 1
      if run == spacing {
        run = 0
        let walked = probe - j
        if walked > 8 * spacing { probe += walked / 4 }
      }
    }
    return false
  }

  /// Whether the next three elements match too, as far as there are any.
  @inlinable func isConfirmed(_ sourceIndex: Int, _ targetIndex: Int) -> Bool {
    let count = min(4, source.count - sourceIndex, target.count - targetIndex)
    for offset in 1..<max(count, 1) where !isSame(sourceIndex + offset, targetIndex + offset) {
      return false
    }
    return true
  }

  /// Continues at a pair of equal elements, or earlier if the elements before them are equal.
  @inlinable
  mutating func jump(_ unresolved: inout Unresolved, _ sourceIndex: Int, _ targetIndex: Int) {
    var sourceStart = sourceIndex
    var targetStart = targetIndex
    while sourceStart > i, targetStart > j, isSame(sourceStart - 1, targetStart - 1) {
      sourceStart -= 1
      targetStart -= 1
    }
    leave(&unresolved, upTo: sourceStart, targetStart)
  }
}
