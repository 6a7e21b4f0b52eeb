extension HomeOrder {
  mutating func decideWithSegments(in workspace: inout Workspace) {
    keys = workspace.carve(unresolved.source.count + 1)
    let keyCount = assignKeys(displacedSources(in: &workspace), in: &workspace)
    let staying = bits(keyCount, in: &workspace)
    let order = CommonOrder(count: keyCount, in: &workspace)
    putWithSegments(order)
    order.collect(into: staying)
    self.staying = staying
  }

  /// The displaced elements' numbers among the unresolved source elements; ascending, and behind
  /// them a number that is none.
  private func displacedSources(in workspace: inout Workspace) -> ScratchList<Int32> {
    var sources = ScratchList<Int32>(workspace.carve(displaced.count + 1))
    let used = workspace.used
    defer { workspace.used = used }
    let first = Int(group.sourceStart)
    let isHome = bits(group.sourceRange.count, in: &workspace)
    for number in displaced.numbers { isHome.insert(Int(partners[number]) - first) }
    for number in group.sourceRange {
      sources.append(Int32(truncatingIfNeeded: number), keepingIf: isHome[number - first])
    }
    sources.buffer[displaced.count] = Int32(truncatingIfNeeded: unresolved.source.count)
    return sources
  }

  /// Cuts the backbone wherever a displaced element falls, in either list, and numbers segments and
  /// displaced elements as they stand in the source: two ascending lists merged, without a branch
  /// that could be guessed wrong.
  ///
  /// - Returns: The number of keys.
  private mutating func assignKeys(
    _ sources: ScratchList<Int32>, in workspace: inout Workspace
  ) -> Int {
    let count = displaced.count
    let starts: ScratchBuffer<Int32> = workspace.carve(2 * count + 2)
    let segmentKeys: ScratchBuffer<Int32> = workspace.carve(2 * count + 2)
    let keys = keys
    var (source, target, segment) = (0, 0, 0)
    var (start, next) = (0, Int32(0))
    starts[0] = 0
    while source < count || target < count {
      let one = source < count ? backboneBefore(source: Int(sources[source])) : Int.max
      let other = target < count ? backboneBefore(target: Int(displaced[target])) : Int.max
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
    if start < backboneCount {
      segmentKeys[segment] = next
      next += 1
      segment += 1
      starts[segment] = Int32(truncatingIfNeeded: backboneCount)
    }
    segments = Segments(starts: starts, keys: segmentKeys, count: segment)
    return Int(next)
  }

  /// Puts displaced elements and segments into the order as they stand in the target.
  private func putWithSegments(_ order: CommonOrder) {
    let (partners, keys, segments) = (partners, keys, segments)
    var segment = 0
    for number in displaced.numbers {
      let before = backboneBefore(target: number)
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
