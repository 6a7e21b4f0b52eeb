extension LongestCommonOrder {
  /// Determines what stays, among move candidates and segments by weight or, if hardly anything is
  /// aligned, among all elements.
  mutating func decide(in arena: inout Arena) {
    if moveCandidates.isEmpty { return }
    if anchorCount <= Int(pair.sourceCount) / 8 { return decideByElements(in: &arena) }
    keys = arena.allocate(unresolved.source.count + 1)
    let keyCount = assignKeys(moveCandidateSources(in: &arena), in: &arena)
    let staying = bits(keyCount, in: &arena)
    let order = WeightedSubsequence(count: keyCount, in: &arena)
    putSegments(order)
    order.collect(into: staying)
    self.staying = staying
  }

  /// Returns the numbers of the move candidates among the unresolved source elements, ascending,
  /// followed by an invalid number.
  private func moveCandidateSources(in arena: inout Arena) -> ScratchList<Int32> {
    var sources = ScratchList<Int32>(arena.allocate(moveCandidates.count + 1))
    arena.scoped { arena in
      let first = Int(pair.sourceStart)
      let isCandidate = bits(pair.sourceRange.count, in: &arena)
      for number in moveCandidates.numbers { isCandidate.insert(Int(partners[number]) - first) }
      for number in pair.sourceRange {
        sources.append(Int32(truncatingIfNeeded: number), keepingIf: isCandidate[number - first])
      }
    }
    sources.buffer[moveCandidates.count] = Int32(truncatingIfNeeded: unresolved.source.count)
    return sources
  }

  /// Divides the anchors into runs at the move candidates of either list, and numbers segments and
  /// candidates in the source's order: a branch-free merge of two ascending lists.
  ///
  /// - Returns: The number of keys.
  private mutating func assignKeys(
    _ sources: ScratchList<Int32>, in arena: inout Arena
  ) -> Int {
    let count = moveCandidates.count
    let starts: ScratchBuffer<Int32> = arena.allocate(2 * count + 2)
    let segmentKeys: ScratchBuffer<Int32> = arena.allocate(2 * count + 2)
    let keys = keys
    var (source, target, segment) = (0, 0, 0)
    var (start, next) = (0, Int32(0))
    starts[0] = 0
    while source < count || target < count {
      let one = source < count ? anchorsBefore(source: Int(sources[source])) : Int.max
      let other = target < count ? anchorsBefore(target: Int(moveCandidates[target])) : Int.max
      let isSource = one <= other
      let place = min(one, other)
      let isCut = bit(place > start)
      segmentKeys[segment] = next
      next &+= Int32(bitPattern: isCut)
      segment &+= Int(isCut)
      start = place
      starts[segment] = Int32(truncatingIfNeeded: place)
      keys[Int(sources.buffer[source])] = next
      next &+= Int32(bitPattern: bit(isSource))
      source &+= Int(bit(isSource))
      target &+= Int(bit(!isSource))
    }
    if start < anchorCount {
      segmentKeys[segment] = next
      next += 1
      segment += 1
      starts[segment] = Int32(truncatingIfNeeded: anchorCount)
    }
    segments = Segments(starts: starts, keys: segmentKeys, count: segment)
    return Int(next)
  }

  /// Adds move candidates and segments in the target's order.
  private func putSegments(_ order: WeightedSubsequence) {
    let (partners, keys, segments) = (partners, keys, segments)
    var segment = 0
    for number in moveCandidates.numbers {
      let before = anchorsBefore(target: number)
      while segment < segments.count, segments.starts[segment] < before {
        order.put(Int(segments.keys[segment]), weight: segments.weight(segment))
        segment &+= 1
      }
      order.put(Int(keys[Int(partners[number])]), weight: 1)
    }
    for rest in segment..<segments.count {
      order.put(Int(segments.keys[rest]), weight: segments.weight(rest))
    }
  }
}
