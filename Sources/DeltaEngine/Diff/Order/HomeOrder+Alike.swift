extension HomeOrder {
  /// Each element is a key: its index in the source.
  mutating func decideAlike(in workspace: inout Workspace) {
    let count = Int(group.sourceCount)
    keys = unresolved.source.buffer
    segments = everyElement(in: &workspace)
    let staying = bits(count, in: &workspace)
    var piles = Piles(keyCount: count, in: &workspace)
    putAlike(&piles)
    piles.collect(into: staying)
    self.staying = staying
  }

  /// Cuts the backbone into its elements.
  private func everyElement(in workspace: inout Workspace) -> Segments {
    let segments = Segments(
      starts: workspace.carve(backboneCount + 1), keys: workspace.carve(backboneCount),
      count: backboneCount)
    var cursor = SegmentCursor(segments, group, unresolved)
    for element in 0..<backboneCount {
      segments.starts[element] = Int32(truncatingIfNeeded: element)
      segments.keys[element] = Int32(truncatingIfNeeded: cursor.sourceIndex(of: element))
    }
    segments.starts[backboneCount] = Int32(truncatingIfNeeded: backboneCount)
    return segments
  }

  /// Puts displaced and backbone elements onto the piles as they stand in the target.
  private func putAlike(_ piles: inout Piles) {
    let (partners, keys, segments) = (partners, keys, segments)
    var segment = 0
    for number in displaced.numbers {
      let before = backboneBefore(target: number)
      while segment < segments.count, segments.starts[segment] < before {
        piles.put(Int(segments.keys[segment]))
        segment &+= 1
      }
      piles.put(Int(keys[Int(partners[number])]))
    }
    for rest in segment..<segments.count { piles.put(Int(segments.keys[rest])) }
  }

}
