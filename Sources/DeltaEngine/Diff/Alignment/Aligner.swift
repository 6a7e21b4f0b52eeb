/// Aligns the two lists of a pair without hashing elements that line up by themselves.
///
/// Any pairing of equal identities that ascends on both sides will do as *anchors*: the elements
/// left out are matched by hash later, and moves are counted exactly over both. A bad choice
/// therefore only costs time. The methods, in order of cost:
///
/// 1. *Lockstep*: equal elements, one by one at first, then in blocks of 16.
/// 2. *Window*: the nearest pair within 6 elements on both sides.
/// 3. *SampledIdentities*: every 16th identity of the rest of the source, in a small table, is
///   looked up in the target; a hit counts if its neighbors match too. This bridges long
///   insertions and deletions. (Heckel 1978 anchors at unique lines; here all identities are
///   unique.)
///
/// If all of these keep failing, the rest of the list is left to the hash table.
@usableFromInline struct Aligner<Element: Diffable> {
  @usableFromInline let source: Elements<Element>
  @usableFromInline let target: Elements<Element>
  /// The current indices in both lists.
  @usableFromInline var i = 0
  @usableFromInline var j = 0
  /// How often samples were not confirmed; over the limit the rest is left to the hash table.
  @usableFromInline var misses = 0

  /// Made when they are needed first.
  @usableFromInline var samples: SampledIdentities<Element>?

  @inlinable static var blockCount: Int { Elements<Element>.blockCount }
  /// The number of elements compared one by one before blocks are used.
  @inlinable static var nearCount: Int { 32 }
  @inlinable static var windowCount: Int { 6 }
  @inlinable static var missesMax: Int { 48 }
  /// The fewest elements that are worth sampling.
  @inlinable static var sampledCountMin: Int { 128 }

  @inlinable init(_ source: Elements<Element>, _ target: Elements<Element>) {
    self.source = source
    self.target = target
  }

  @inlinable mutating func align(into unresolved: inout Unresolved, in arena: inout Arena) {
    while true {
      runInLockstep(&unresolved)
      if i == source.count || j == target.count { break }
      if !skipWindow(&unresolved), !skipToSample(&unresolved, in: &arena) { break }
    }
    leave(&unresolved, upTo: source.count, target.count)
  }

  /// Records the elements up to two indices as unresolved.
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

  /// Whether the elements at two indices have the same identity.
  @inlinable @inline(__always) func isSame(_ sourceIndex: Int, _ targetIndex: Int) -> Bool {
    Element.isSame(source[sourceIndex].diffID, target[targetIndex].diffID)
  }
}
