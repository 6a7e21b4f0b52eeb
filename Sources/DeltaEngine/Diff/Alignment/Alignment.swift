/// What is left when the lists of all section pairs are lined up: the pairs in which anything
/// differs, and their unresolved elements, numbered through all pairs on each side.
///
/// Invariant: each unresolved element belongs to the pair in whose range its number is; pairs stand
/// in the order in which they were lined up.
@usableFromInline struct Alignment {
  @usableFromInline var unresolved: Unresolved
  @usableFromInline var pairs: ScratchList<SectionPair>
  /// Per unresolved element: the number of its pair; not kept for a single pair.
  @usableFromInline let sourcePairs: ScratchBuffer<Int32>
  @usableFromInline let targetPairs: ScratchBuffer<Int32>
  @usableFromInline let hasOnePair: Bool
  /// How often an element was found on the other side, but among other neighbours.
  @usableFromInline var missCount = 0

  /// No pairs yet, of lists with so many elements in all.
  @inlinable init(sourceCount: Int, targetCount: Int, pairCountMax: Int, in arena: inout Arena) {
    unresolved = Unresolved(
      source: arena.allocate(sourceCount + 1), target: arena.allocate(targetCount + 1),
      changed: arena.allocate(min(sourceCount, targetCount)))
    pairs = ScratchList(arena.allocate(pairCountMax))
    hasOnePair = pairCountMax == 1
    // Pairs are noted by eights.
    sourcePairs = arena.allocate(hasOnePair ? 0 : sourceCount + 8)
    targetPairs = arena.allocate(hasOnePair ? 0 : targetCount + 8)
  }

  /// Whether nothing differs.
  @inlinable var isEmpty: Bool { pairs.isEmpty }

  /// Lines up one pair of lists, of which `start` elements at the front are known to be equal.
  @inlinable mutating func align<Element: Diffable>(
    _ source: Elements<Element>, _ target: Elements<Element>, from start: Int = 0,
    sourceSection: Int, targetSection: Int, samples: inout SampledIdentities<Element>
  ) {
    var pair = SectionPair(
      sourceSection: sourceSection, targetSection: targetSection, sourceCount: source.count,
      behind: unresolved)
    var aligner = Aligner(source, target, from: start)
    samples.reset()
    aligner.align(into: &unresolved, samples: &samples)
    missCount &+= aligner.misses
    pair.close(unresolved)
    if !pair.isEmpty { append(pair) }
  }

  @inlinable mutating func append(_ pair: SectionPair) {
    if !hasOnePair {
      let number = Int32(truncatingIfNeeded: pairs.count)
      sourcePairs.fillByEights(pair.sourceRange, with: number)
      targetPairs.fillByEights(pair.targetRange, with: number)
    }
    pairs.append(pair)
  }

  /// The pair of an unresolved source element.
  @inlinable @inline(__always)
  func sourcePair(of number: Int) -> Int { hasOnePair ? 0 : Int(sourcePairs[number]) }

  /// The pair of an unresolved target element.
  @inlinable @inline(__always)
  func targetPair(of number: Int) -> Int { hasOnePair ? 0 : Int(targetPairs[number]) }

  /// The path of an unresolved target element.
  @inline(__always) func targetPath(_ number: Int) -> ItemPath<Target> {
    ItemPath(
      section: pairs[targetPair(of: number)].targetSection, item: unresolved.target[number])
  }

  /// The path of an unresolved source element.
  @inline(__always) func sourcePath(_ number: Int) -> ItemPath<Source> {
    ItemPath(
      section: pairs[sourcePair(of: number)].sourceSection, item: unresolved.source[number])
  }
}
