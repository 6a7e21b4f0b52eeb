/// Lines up the lists of one pair without hashing what lines up by itself.
///
/// Any pairing of equal identities that ascends on both sides will do as *anchors*: what they leave
/// out is matched by hash later, and the moves are counted exactly over both. So a bad choice costs
/// time and nothing else. In order of cost:
///
/// 1. *Lockstep*: equal elements, one by one at first, then in blocks of 16 without a branch.
/// 2. *Shift*: one element came or went here.
/// 3. *In place*: of the next 32 elements a good part is in the same place.
/// 4. *Window*: the nearest pair within 6 elements on both sides.
/// 5. *SampledIdentities*: every 16th identity of the rest of the source in a small table, looked
///    for in the target; a hit counts when its neighbours line up too. It finds its way over long
///    insertions and deletions (Heckel 1978 anchors at unique lines; all identities here are
///    unique).
///
/// A list on which all of this fails for long is given up: the rest is left to the hash table.
@usableFromInline struct Aligner<Element: Diffable> {
  @usableFromInline let source: Elements<Element>
  @usableFromInline let target: Elements<Element>
  /// The next element of each side.
  @usableFromInline var i = 0
  @usableFromInline var j = 0
  /// How often samples misled; past the bound the rest is given up.
  @usableFromInline var misses = 0

  @inlinable static var blockCount: Int { Elements<Element>.blockCount }
  /// So many elements are compared one by one before blocks are.
  @inlinable static var nearCount: Int { 32 }
  /// Behind so many equal elements as many are compared at once.
  @inlinable static var stretchCount: Int { 256 }
  @inlinable static var maskCount: Int { 32 }
  @inlinable static var windowCount: Int { 6 }
  @inlinable static var missesMax: Int { 48 }

  @inlinable init(_ source: Elements<Element>, _ target: Elements<Element>, from start: Int) {
    self.source = source
    self.target = target
    i = start
    j = start
  }

  @inlinable mutating func align(
    into unresolved: inout Unresolved, samples: inout SampledIdentities<Element>
  ) {
    while true {
      runInLockstep(&unresolved)
      if i == source.count || j == target.count { break }
      if skipShift(&unresolved) || runInPlace(&unresolved) || skipWindow(&unresolved) { continue }
      if !skipToSample(&unresolved, &samples) { break }
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
  @inlinable @inline(__always) func isSame(_ sourceIndex: Int, _ targetIndex: Int) -> Bool {
    Element.isSame(source[sourceIndex].diffID, target[targetIndex].diffID)
  }
}
