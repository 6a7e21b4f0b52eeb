extension LongestCommonOrder {
  /// Determines what stays among single elements; the key of each is its index in the source.
  mutating func decideByElements(in arena: inout Arena) {
    let count = Int(pair.sourceCount)
    keys = unresolved.source.buffer
    segments = everyElement(in: &arena)
    let staying = bits(count, in: &arena)
    var piles = Piles(keyCount: count, in: &arena)
    putElements(&piles)
    piles.collect(into: staying)
    self.staying = staying
  }

  /// Returns segments of one anchor each.
  private func everyElement(in arena: inout Arena) -> Segments {
    let segments = Segments(
      starts: arena.allocate(anchorCount + 1), keys: arena.allocate(anchorCount),
      count: anchorCount)
    var cursor = SegmentCursor(segments, pair, unresolved)
    for element in 0..<anchorCount {
      segments.starts[element] = Int32(truncatingIfNeeded: element)
      segments.keys[element] = Int32(truncatingIfNeeded: cursor.sourceIndex(of: element))
    }
    segments.starts[anchorCount] = Int32(truncatingIfNeeded: anchorCount)
    return segments
  }

  /// Puts move candidates and anchors on the piles in the target's order.
  private func putElements(_ piles: inout Piles) {
    let (partners, keys, segments) = (partners, keys, segments)
    var segment = 0
    for number in moveCandidates.numbers {
      let before = anchorsBefore(target: number)
      while segment < segments.count, segments.starts[segment] < before {
        piles.put(Int(segments.keys[segment]))
        segment &+= 1
      }
      piles.put(Int(keys[Int(partners[number])]))
    }
    for rest in segment..<segments.count { piles.put(Int(segments.keys[rest])) }
  }

}
