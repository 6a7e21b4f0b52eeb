extension Aligner {
  /// Skips one deleted or one inserted element if its neighbor matches, without branching on which
  /// it is.
  @inlinable @inline(__always) mutating func skipShift(_ unresolved: inout Unresolved) -> Bool {
    let isGone = i &+ 1 < source.count && isSame(i &+ 1, j)
    let isNew = j &+ 1 < target.count && isSame(i, j &+ 1)
    if bit(isGone) | bit(isNew) == 0 { return false }
    unresolved.source.append(Int32(truncatingIfNeeded: i), keepingIf: isGone)
    unresolved.target.append(Int32(truncatingIfNeeded: j), keepingIf: !isGone)
    i &+= Int(bit(isGone))
    j &+= Int(bit(!isGone))
    return true
  }

  /// Aligns 32 elements at their positions if at least a quarter of them match.
  ///
  /// The matches are a bit mask, as branches on random replacements would be mispredicted.
  @inlinable mutating func runInPlace(_ unresolved: inout Unresolved) -> Bool {
    guard i &+ Self.maskCount <= source.count, j &+ Self.maskCount <= target.count else {
      return false
    }
    let one = source.suffix(from: i)
    let other = target.suffix(from: j)
    let inPlace = Self.inPlace(one, other)
    if inPlace.nonzeroBitCount < Self.maskCount / 4 { return false }
    var kept = inPlace
    while kept != 0 {
      let offset = kept.trailingZeroBitCount
      kept &= kept &- 1
      if !other[offset].hasSameContent(as: one[offset]) {
        unresolved.changed.append(IndexPair(source: i &+ offset, target: j &+ offset))
      }
    }
    var replaced = ~inPlace
    while replaced != 0 {
      let offset = replaced.trailingZeroBitCount
      replaced &= replaced &- 1
      unresolved.source.append(Int32(truncatingIfNeeded: i &+ offset))
      unresolved.target.append(Int32(truncatingIfNeeded: j &+ offset))
    }
    i &+= Self.maskCount
    j &+= Self.maskCount
    return true
  }

  /// Returns a mask of the first 32 elements that are the same in two lists.
  @inlinable @inline(__always)
  static func inPlace(_ one: Elements<Element>, _ other: Elements<Element>) -> UInt32 {
    var mask: UInt32 = 0
    for offset in 0..<maskCount {
      mask |=
        bit(Element.isSame(one[offset].diffID, other[offset].diffID))
        &<< UInt32(truncatingIfNeeded: offset)
    }
    return mask
  }

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
