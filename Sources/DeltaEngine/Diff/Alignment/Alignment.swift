/// The result of aligning the lists of all section pairs: the pairs that differ, and their
/// unresolved elements, numbered across all pairs on each side.
///
/// Invariant: each unresolved element belongs to the pair whose range contains its number; pairs
/// are in the order in which they were aligned.
@usableFromInline struct Alignment {
  @usableFromInline var unresolved: Unresolved
  @usableFromInline var pairs: ScratchList<SectionPair>
  /// For each unresolved element, the number of its pair; not stored if there is only one pair.
  @usableFromInline let sourcePairs: ScratchBuffer<Int32>
  @usableFromInline let targetPairs: ScratchBuffer<Int32>
  @usableFromInline let hasOnePair: Bool

  /// Creates an empty alignment for lists with these total counts.
  @inlinable init(sourceCount: Int, targetCount: Int, pairCountMax: Int, in arena: inout Arena) {
    unresolved = Unresolved(
      source: arena.allocate(sourceCount + 1), target: arena.allocate(targetCount + 1),
      changed: arena.allocate(min(sourceCount, targetCount)))
    pairs = ScratchList(arena.allocate(pairCountMax))
    hasOnePair = pairCountMax == 1
    sourcePairs = arena.allocate(hasOnePair ? 0 : sourceCount)
    targetPairs = arena.allocate(hasOnePair ? 0 : targetCount)
  }

  /// Whether there are no differences.
  @inlinable var isEmpty: Bool { pairs.isEmpty }

  /// Aligns one pair of lists.
  @inlinable mutating func align<Element: Diffable>(
    _ source: Elements<Element>, _ target: Elements<Element>,
    sourceSection: Int, targetSection: Int, in arena: inout Arena
  ) {
    var pair = SectionPair(
      sourceSection: sourceSection, targetSection: targetSection, sourceCount: source.count,
      behind: unresolved)
    var aligner = Aligner(source, target)
    aligner.align(into: &unresolved, in: &arena)
    pair.close(unresolved)
    if !pair.isEmpty { append(pair) }
  }

  @inlinable mutating func append(_ pair: SectionPair) {
    if !hasOnePair {
      let number = Int32(truncatingIfNeeded: pairs.count)
      sourcePairs.fill(pair.sourceRange, with: number)
      targetPairs.fill(pair.targetRange, with: number)
    }
    pairs.append(pair)
  }

  /// Returns the pair of an unresolved source element.
  @inlinable @inline(__always)
  func sourcePair(of number: Int) -> Int { hasOnePair ? 0 : Int(sourcePairs[number]) }

  /// Returns the pair of an unresolved target element.
  @inlinable @inline(__always)
  func targetPair(of number: Int) -> Int { hasOnePair ? 0 : Int(targetPairs[number]) }

  /// Returns the path of an unresolved target element.
  @inline(__always) func targetPath(_ number: Int) -> ItemPath<TargetSpace> {
    ItemPath(
      section: pairs[targetPair(of: number)].targetSection, item: unresolved.target[number])
  }

  /// Returns the path of an unresolved source element.
  @inline(__always) func sourcePath(_ number: Int) -> ItemPath<SourceSpace> {
    ItemPath(
      section: pairs[sourcePair(of: number)].sourceSection, item: unresolved.source[number])
  }
}
