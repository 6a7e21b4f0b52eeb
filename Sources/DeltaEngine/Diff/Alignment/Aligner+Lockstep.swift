extension Aligner {
  /// Advances while both sides have the same elements, recording those whose contents differ.
  ///
  /// Changes tend to cluster, and comparing single elements stops sooner than comparing blocks, so
  /// blocks are used only after a run without changes.
  @inlinable @inline(__always) mutating func runInLockstep(_ unresolved: inout Unresolved) {
    let one = source.suffix(from: i)
    let other = target.suffix(from: j)
    let count = min(one.count, other.count)
    var done = 0
    let nearEnd = Elements<Element>.comparesBits ? min(count, Self.nearCount) : count
    while done < nearEnd {
      if !note(one, other, done, &unresolved) { break }
      done &+= 1
    }
    if done == nearEnd, done < count { runBlocks(&unresolved, one, other, &done, count) }
    i &+= done
    j &+= done
  }

  /// Advances through plain data a block at a time, comparing bits; in a block that differs, a mask
  /// selects the elements to compare individually.
  @inlinable @inline(__always) func runBlocks(
    _ unresolved: inout Unresolved, _ one: Elements<Element>, _ other: Elements<Element>,
    _ done: inout Int, _ count: Int
  ) {
    var stretchStart = done
    while done &+ Self.blockCount <= count {
      if done &- stretchStart >= Self.stretchCount {
        done = Self.endOfEqualStretches(one, other, from: done, to: count)
        stretchStart = done
        continue
      }
      let start = done
      var asked = Self.unequal(one.suffix(from: start), other.suffix(from: start))
      if asked != 0 { stretchStart = start }
      while asked != 0 {
        done = start &+ asked.trailingZeroBitCount
        if !note(one, other, done, &unresolved) { return }
        asked &= asked &- 1
      }
      done = start &+ Self.blockCount
    }
    while done < count, note(one, other, done, &unresolved) { done &+= 1 }
  }

  /// Skips long runs of equal bits; after many equal elements most others are equal too.
  @inlinable static func endOfEqualStretches(
    _ one: Elements<Element>, _ other: Elements<Element>, from start: Int, to end: Int
  ) -> Int {
    var done = start
    while done &+ stretchCount <= end {
      let stretch = one.suffix(from: done)
      guard stretch.hasEqualBytes(other.suffix(from: done), count: stretchCount) else { break }
      for index in 0..<stretchCount where !isReflexive(stretch[index]) { return done &+ index }
      done &+= stretchCount
    }
    return done
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

  /// Returns a mask of the elements in the next block that may be unequal.
  ///
  /// To every pure function plain data of equal bits is the same, so two elements with equal bits
  /// are equal exactly if one of them equals itself. For integers the compiler knows that it does;
  /// for a NaN it does not.
  @inlinable @inline(__always)
  static func unequal(_ one: Elements<Element>, _ other: Elements<Element>) -> UInt32 {
    var mask = one.unequalBits(other)
    for index in 0..<blockCount {
      mask |= bit(!isReflexive(one[index])) &<< UInt32(truncatingIfNeeded: index)
    }
    return mask
  }

  @inlinable @inline(__always) static func isReflexive(_ element: Element) -> Bool {
    Element.isSame(element.diffID, element.diffID) && element.hasSameContent(as: element)
  }
}

extension Aligner {
  /// Returns the number of equal elements at the start of two lists of plain data.
  @inlinable @inline(__always)
  static func endOfEqualBits(_ one: Elements<Element>, _ other: Elements<Element>) -> Int {
    let count = min(one.count, other.count)
    var done = 0
    while done &+ blockCount <= count {
      let asked = unequal(one.suffix(from: done), other.suffix(from: done))
      if asked != 0 { return done &+ asked.trailingZeroBitCount }
      done &+= blockCount
    }
    while done < count, Element.isSame(one[done].diffID, other[done].diffID),
      other[done].hasSameContent(as: one[done])
    {
      done &+= 1
    }
    return done
  }
}
