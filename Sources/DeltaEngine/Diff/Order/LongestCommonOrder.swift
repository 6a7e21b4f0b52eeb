/// Which elements of one pair of lists stay, and which move: an exact longest common order.
///
/// The elements in both lists are the anchors, which lined up, and the *move candidates*, which
/// were matched by hash. A *segment* is a run of anchors into which no move candidate falls, in
/// either list. Within it, elements stand alike to everything outside; so some longest common order
/// takes it whole or not at all, and the search is over the move candidates and the segments, by
/// weight, instead of over all elements.
///
/// Move candidates and segments are numbered as they stand in the source: these are the keys. So
/// the search costs what the number of move candidates asks for, however long the lists are.
struct LongestCommonOrder {
  let pair: SectionPair
  let unresolved: Unresolved
  let partners: ScratchBuffer<Int32>
  /// Unresolved target elements whose partners are in this pair's source list; ascending.
  let moveCandidates: ScratchList<Int32>
  var segments = Segments(starts: .none, keys: .none)
  /// Per unresolved source element that is a move candidate: its key.
  var keys = ScratchBuffer<Int32>.none
  /// The keys of the move candidates and of the segments that stay.
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

  /// The number of anchors before an unresolved source element.
  @inline(__always) func anchorsBefore(source number: Int) -> Int {
    Int(unresolved.source[number]) - (number - Int(pair.sourceStart))
  }

  /// The number of anchors before an unresolved target element.
  @inline(__always) func anchorsBefore(target number: Int) -> Int {
    Int(unresolved.target[number]) - (number - Int(pair.targetStart))
  }

  /// Finds what stays: among move candidates and segments by weight, or, where hardly anything
  /// lined up, among all elements alike.
  mutating func decide(in arena: inout Arena) {
    if moveCandidates.isEmpty { return }
    if anchorCount <= Int(pair.sourceCount) / 8 {
      decideByElements(in: &arena)
    } else {
      decideBySegments(in: &arena)
    }
  }

  func bits(_ count: Int, in arena: inout Arena) -> Bits {
    let bits = Bits(words: arena.allocate(Bits.wordCount(count)))
    bits.clear(count)
    return bits
  }

  /// The segments that move, or `nil` when all stay.
  func movedSegments() -> MovedSegments? {
    guard let staying else { return nil }
    for segment in 0..<segments.count where !staying[Int(segments.keys[segment])] {
      return MovedSegments(SegmentCursor(segments, pair, unresolved), staying)
    }
    return nil
  }
}
