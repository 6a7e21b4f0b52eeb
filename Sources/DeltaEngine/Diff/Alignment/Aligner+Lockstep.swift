extension Aligner {
  /// Advances while both sides have the same elements, recording those whose contents differ.
  @inlinable @inline(__always) mutating func runInLockstep(_ unresolved: inout Unresolved) {
    let one = source.suffix(from: i)
    let other = target.suffix(from: j)
    let count = min(one.count, other.count)
    var done = 0
    // Changes tend to cluster: elements are compared one by one until many are equal.
    var blocksStart = Elements<Element>.comparesBits ? Self.nearCount : count
    while done < count {
      let blockEnd = done &+ Self.blockCount
      if done >= blocksStart, blockEnd <= count {
        if Self.isEqualBlock(one, other, at: done) {
          done = blockEnd
          continue
        }
        blocksStart = blockEnd
      }
      guard note(one, other, done, &unresolved) else { break }
      done &+= 1
    }
    i &+= done
    j &+= done
  }

  /// Returns whether both sides have the same element; if so, records whether its content differs.
  ///
  /// The index is relative to the current position.
  @inlinable @inline(__always) func note(
    _ one: Elements<Element>, _ other: Elements<Element>, _ index: Int,
    _ unresolved: inout Unresolved
  ) -> Bool {
    guard Element.isSame(one[index].diffID, other[index].diffID) else { return false }
    if !other[index].hasSameContent(as: one[index]) {
      unresolved.changed.append(IndexPair(source: i &+ index, target: j &+ index))
    }
    return true
  }

  /// Whether a block of plain data is the same on both sides, by its bits.
  ///
  /// To every pure function plain data of equal bits is the same, so two elements with equal bits
  /// are equal exactly if one of them equals itself. For integers the compiler knows that it does;
  /// for a NaN it does not.
  @inlinable @inline(__always)
  static func isEqualBlock(
    _ one: Elements<Element>, _ other: Elements<Element>, at start: Int
  ) -> Bool {
    guard one.hasEqualBlock(other, at: start) else { return false }
    var isReflexive = true
    for index in start..<start &+ blockCount {
      isReflexive =
        isReflexive && Element.isSame(one[index].diffID, one[index].diffID)
        && one[index].hasSameContent(as: one[index])
    }
    return isReflexive
  }
}
