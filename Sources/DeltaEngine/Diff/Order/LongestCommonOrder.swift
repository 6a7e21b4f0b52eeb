/// Determines exactly which elements of a pair of lists stay and which move: a longest common
/// order.
///
/// The elements of both lists are the anchors, which are aligned, and the *move candidates*, which
/// were matched by hash. A *segment* is a run of anchors that no move candidate of either list
/// interrupts. As all elements of a segment have the same order relative to everything else, some
/// longest common order includes it as a whole or not at all. The search is therefore over move
/// candidates and segments, by weight, instead of over all elements.
///
/// Move candidates and segments are numbered in the source's order; these numbers are the keys. The
/// cost of the search depends on the number of move candidates, not on the lengths of the lists.
struct LongestCommonOrder {
  let pair: SectionPair
  let unresolved: Unresolved
  let partners: ScratchBuffer<Int32>
  /// Unresolved target elements whose partners are in this pair's source list, ascending.
  let moveCandidates: ScratchList<Int32>
  var segments = Segments(starts: .none, keys: .none)
  /// For each unresolved source element that is a move candidate, its key.
  var keys = ScratchBuffer<Int32>.none
  /// The keys of the move candidates and segments that stay.
  var staying: Bits?

  init(
    _ pair: SectionPair, _ unresolved: Unresolved, _ partners: ScratchBuffer<Int32>,
    in arena: inout Arena
  ) {
    self.pair = pair
    self.unresolved = unresolved
    self.partners = partners
    var moveCandidates = ScratchList<Int32>(arena.allocate(pair.targetRange.count + 1))
    for number in pair.targetRange {
      let partner = partners[number]
      let isFromHere = bit(partner >= pair.sourceStart) & bit(partner < pair.sourceEnd) == 1
      moveCandidates.append(Int32(truncatingIfNeeded: number), keepingIf: isFromHere)
    }
    self.moveCandidates = moveCandidates
  }

  /// The number of anchors.
  var anchorCount: Int {
    Int(pair.sourceCount) - Int(pair.sourceEnd - pair.sourceStart)
  }

  /// Returns the number of anchors before an unresolved source element.
  @inline(__always) func anchorsBefore(source number: Int) -> Int {
    Int(unresolved.source[number]) - (number - Int(pair.sourceStart))
  }

  /// Returns the number of anchors before an unresolved target element.
  @inline(__always) func anchorsBefore(target number: Int) -> Int {
    Int(unresolved.target[number]) - (number - Int(pair.targetStart))
  }

  func bits(_ count: Int, in arena: inout Arena) -> Bits {
    let bits = Bits(words: arena.allocate(Bits.wordCount(count)))
    bits.clear(count)
    return bits
  }

  /// Returns the segments that move, or `nil` if all stay.
  func movedSegments() -> MovedSegments? {
    guard let staying else { return nil }
    for segment in 0..<segments.count where !staying[Int(segments.keys[segment])] {
      return MovedSegments(SegmentCursor(segments, pair, unresolved), staying)
    }
    return nil
  }
}
