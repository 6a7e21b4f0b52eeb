/// Two indices of one survivor, in its pair's lists.
@usableFromInline
struct IndexPair: BitwiseCopyable {
  @usableFromInline var source: Int32
  @usableFromInline var target: Int32

  @inlinable
  @inline(__always)
  init(source: Int, target: Int) {
    self.source = Int32(truncatingIfNeeded: source)
    self.target = Int32(truncatingIfNeeded: target)
  }
}

/// What does not line up between the lists of all pairs, and what lines up with other content.
///
/// Each list ascends within its pair. All else is the *backbone*: the n-th element of the source
/// that is not here is the n-th of the target that is not.
@usableFromInline
struct Unresolved {
  /// Indices in the source's list of the pair.
  @usableFromInline var source: ScratchList<Int32>
  /// Indices in the target's list of the pair.
  @usableFromInline var target: ScratchList<Int32>
  @usableFromInline var changed: ScratchList<IndexPair>

  @inlinable
  init(
    source: ScratchBuffer<Int32>, target: ScratchBuffer<Int32>, changed: ScratchBuffer<IndexPair>
  ) {
    self.source = ScratchList(source)
    self.target = ScratchList(target)
    self.changed = ScratchList(changed)
  }
}

/// Lines up the lists of one pair without hashing what lines up by itself.
///
/// Any pairing of equal identities that ascends on both sides is a sound backbone: what it leaves
/// out is matched by hash later, and the moves are counted exactly over both. So everything here is
/// a guess that may be wrong only in speed. In order of cost:
///
/// 1. *Lockstep*: equal elements, one by one at first, then in blocks of 16 without a branch.
/// 2. *Shift*: one element came or went here.
/// 3. *In place*: of the next 32 elements a good part stands where it stood.
/// 4. *Window*: the nearest pair within 6 elements on both sides.
/// 5. *Anchors*: every 16th identity of the rest of the source in a small table, looked for in the
///    target; a hit counts when its neighbours line up too. It finds its way over long insertions
///    and deletions (Heckel 1978 anchors at unique lines; all identities here are unique).
///
/// A list on which all of this fails for long is given up: the rest is left to the hash table.
@usableFromInline
struct Aligner<Element: Diffable> {
  @usableFromInline let source: Elements<Element>
  @usableFromInline let target: Elements<Element>
  /// The next element of each side.
  @usableFromInline var i = 0
  @usableFromInline var j = 0
  /// How often anchors misled; past the bound the rest is given up.
  @usableFromInline var misses = 0

  @inlinable static var blockCount: Int { Elements<Element>.blockCount }
  /// So many elements are compared one by one before blocks are.
  @inlinable static var nearCount: Int { 32 }
  /// Behind so many equal elements as many are compared at once.
  @inlinable static var stretchCount: Int { 256 }
  @inlinable static var maskCount: Int { 32 }
  @inlinable static var windowCount: Int { 6 }
  @inlinable static var missesMax: Int { 48 }

  @inlinable
  init(_ source: Elements<Element>, _ target: Elements<Element>, from start: Int) {
    self.source = source
    self.target = target
    i = start
    j = start
  }

  @inlinable
  mutating func align(
    into unresolved: inout Unresolved, anchors: inout Anchors<Element>
  ) {
    while true {
      runInLockstep(&unresolved)
      if i == source.count || j == target.count { break }
      if skipShift(&unresolved) || runInPlace(&unresolved) || skipWindow(&unresolved) { continue }
      if !skipToAnchor(&unresolved, &anchors) { break }
    }
    leave(&unresolved, upTo: source.count, target.count)
  }

  /// Leaves the elements from here to two indices unresolved.
  @inlinable
  mutating func leave(_ unresolved: inout Unresolved, upTo sourceEnd: Int, _ targetEnd: Int) {
    while i < sourceEnd {
      unresolved.source.append(Int32(truncatingIfNeeded: i))
      i &+= 1
    }
    while j < targetEnd {
      unresolved.target.append(Int32(truncatingIfNeeded: j))
      j &+= 1
    }
  }

  /// Whether the elements at two indices are the same one.
  @inlinable
  @inline(__always)
  func isSame(_ sourceIndex: Int, _ targetIndex: Int) -> Bool {
    Element.isSame(source[sourceIndex].diffID, target[targetIndex].diffID)
  }
}

// MARK: - Lockstep

extension Aligner {
  /// Goes on while the same elements stand on both sides; notes those of other content.
  ///
  /// Changes come in swarms, and one element's comparison ends sooner than a block's; so blocks
  /// begin after a while without any.
  @inlinable
  @inline(__always)
  mutating func runInLockstep(_ unresolved: inout Unresolved) {
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

  /// Goes on with plain data, which is compared by its bits, a block at a time; in a block that
  /// differs, a mask names the elements that are asked.
  @inlinable
  @inline(__always)
  func runBlocks(
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

  /// Skips long stretches of equal bits; those behind many equal elements are mostly equal too.
  @inlinable
  static func endOfEqualStretches(
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

  /// Whether the same element stands on both sides; if it does, notes whether its content differs.
  ///
  /// Indices count from here.
  @inlinable
  @inline(__always)
  func note(
    _ one: Elements<Element>, _ other: Elements<Element>, _ index: Int,
    _ unresolved: inout Unresolved
  ) -> Bool {
    guard Element.isSame(one[index].diffID, other[index].diffID) else { return false }
    if !other[index].hasSameContent(as: one[index]) {
      unresolved.changed.append(IndexPair(source: i &+ index, target: j &+ index))
    }
    return true
  }

  /// Of the next block, the elements that may be unequal, a bit each.
  ///
  /// Plain data of equal bits is the same to every pure function, so two elements of equal bits are
  /// equal exactly if one of them equals itself: for integers the compiler knows that they do, a NaN
  /// says that it does not.
  @inlinable
  @inline(__always)
  static func unequal(_ one: Elements<Element>, _ other: Elements<Element>) -> UInt32 {
    var mask = one.unequalBits(other)
    for index in 0..<blockCount {
      mask |= bit(!isReflexive(one[index])) &<< UInt32(truncatingIfNeeded: index)
    }
    return mask
  }

  @inlinable
  @inline(__always)
  static func isReflexive(_ element: Element) -> Bool {
    Element.isSame(element.diffID, element.diffID) && element.hasSameContent(as: element)
  }
}

extension Aligner {
  /// How many elements at the front of two lists of plain data are equal.
  @inlinable
  @inline(__always)
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

// MARK: - Near

extension Aligner {
  /// One element went, or one came, and the neighbour says so; which of both, nobody predicts.
  @inlinable
  @inline(__always)
  mutating func skipShift(_ unresolved: inout Unresolved) -> Bool {
    let isGone = i &+ 1 < source.count && isSame(i &+ 1, j)
    let isNew = j &+ 1 < target.count && isSame(i, j &+ 1)
    if bit(isGone) | bit(isNew) == 0 { return false }
    unresolved.source.append(Int32(truncatingIfNeeded: i), keepingIf: isGone)
    unresolved.target.append(Int32(truncatingIfNeeded: j), keepingIf: !isGone)
    i &+= Int(bit(isGone))
    j &+= Int(bit(!isGone))
    return true
  }

  /// Takes 32 elements as they stand when at least a quarter of them is in its place.
  ///
  /// Which of them are is a mask: no predictor guesses random replacements.
  @inlinable
  mutating func runInPlace(_ unresolved: inout Unresolved) -> Bool {
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

  /// Which of the first 32 elements of two lists are the same: a bit each.
  @inlinable
  @inline(__always)
  static func inPlace(_ one: Elements<Element>, _ other: Elements<Element>) -> UInt32 {
    var mask: UInt32 = 0
    for offset in 0..<maskCount {
      mask |=
        bit(Element.isSame(one[offset].diffID, other[offset].diffID))
        &<< UInt32(truncatingIfNeeded: offset)
    }
    return mask
  }

  /// The nearest pair of equal elements within a few on both sides.
  @inlinable
  mutating func skipWindow(_ unresolved: inout Unresolved) -> Bool {
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

// MARK: - Far

extension Aligner {
  /// Walks the target until an anchor of the source is confirmed by its neighbours.
  ///
  /// After a while without success only 16 of ever more elements are looked up: blocks longer than
  /// the gaps are still found, and what is jumped over is regained backwards.
  @inlinable
  mutating func skipToAnchor(
    _ unresolved: inout Unresolved, _ anchors: inout Anchors<Element>
  ) -> Bool {
    anchors.prepare(source, from: i)
    guard anchors.isUsable else { return false }
    var probe = j
    var run = 0
    while probe < target.count {
      if let found = anchors.index(of: target[probe].diffID, in: source), found >= i {
        if isConfirmed(found, probe) {
          jump(&unresolved, found, probe)
          return true
        }
        misses += 1
        if misses > Self.missesMax { return false }
      }
      probe += 1
      run += 1
      if run == Anchors<Element>.spacing {
        run = 0
        let walked = probe - j
        if walked > 8 * Anchors<Element>.spacing { probe += walked / 4 }
      }
    }
    return false
  }

  /// Whether the next three elements line up too, as far as there are any.
  @inlinable
  func isConfirmed(_ sourceIndex: Int, _ targetIndex: Int) -> Bool {
    let count = min(4, source.count - sourceIndex, target.count - targetIndex)
    for offset in 1..<max(count, 1) where !isSame(sourceIndex + offset, targetIndex + offset) {
      return false
    }
    return true
  }

  /// Goes on at a pair of equal elements, or before it as far as the elements before it are equal.
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
