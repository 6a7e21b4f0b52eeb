/// Which elements of one pair of lists stay, and which move: an exact longest common order.
///
/// The elements in both lists are the backbone and the *displaced* ones, matched by hash. A
/// *segment* is a run of the backbone into which no displaced element falls, in either list. Within
/// it, elements stand alike to everything outside; so some longest common order takes it whole or
/// not at all, and the search is over the displaced elements and the segments, by weight, instead of
/// over all elements.
///
/// Displaced elements and segments are numbered as they stand in the source: these are the keys. So
/// what the search touches is as small as what was displaced, however long the lists are.
struct HomeOrder {
  private let group: Group
  private let unresolved: Unresolved
  private let partners: ScratchBuffer<Int32>
  /// Unresolved target elements that stood in this pair's source list; ascending.
  private let displaced: ScratchList<Int32>
  private var segments = Segments(starts: .none, keys: .none)
  /// Per unresolved source element that is displaced: its key.
  private(set) var keys = ScratchBuffer<Int32>.none
  /// The keys of the displaced elements and of the segments that stay.
  private(set) var staying: Bits?

  init(
    _ group: Group, _ unresolved: Unresolved, _ partners: ScratchBuffer<Int32>,
    in workspace: inout Workspace
  ) {
    self.group = group
    self.unresolved = unresolved
    self.partners = partners
    var displaced = ScratchList<Int32>(workspace.carve(group.targetRange.count + 1))
    for number in group.targetRange {
      let partner = partners[number]
      let isFromHere = bit(partner >= group.sourceStart) & bit(partner < group.sourceEnd) == 1
      displaced.append(Int32(truncatingIfNeeded: number), keepingIf: isFromHere)
    }
    self.displaced = displaced
  }

  /// The room that the order of one pair may need.
  static func byteCount(sourceCount: Int, targetCount: Int) -> Int {
    let displacedMax = min(sourceCount, targetCount)
    let lists = sourceCount + targetCount + 5 * displacedMax + 8
    return 4 * lists + sourceCount / 4 + 256
      + max(CommonOrder.byteCount(sourceCount), Piles.byteCount(sourceCount))
  }

  /// The number of backbone elements.
  private var backboneCount: Int {
    Int(group.sourceCount) - Int(group.sourceEnd - group.sourceStart)
  }

  /// The number of backbone elements before an unresolved source element.
  @inline(__always)
  private func backboneBefore(source number: Int) -> Int {
    Int(unresolved.source[number]) - (number - Int(group.sourceStart))
  }

  /// The number of backbone elements before an unresolved target element.
  @inline(__always)
  private func backboneBefore(target number: Int) -> Int {
    Int(unresolved.target[number]) - (number - Int(group.targetStart))
  }

  /// Finds what stays: among displaced elements and segments by weight, or, where hardly anything
  /// lined up, among all elements alike.
  mutating func decide(in workspace: inout Workspace) {
    if displaced.isEmpty { return }
    if backboneCount <= Int(group.sourceCount) / 8 {
      decideAlike(in: &workspace)
    } else {
      decideWithSegments(in: &workspace)
    }
  }

  // MARK: - All alike

  /// Each element is a key: its index in the source.
  private mutating func decideAlike(in workspace: inout Workspace) {
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

  // MARK: - Displaced elements and segments

  private mutating func decideWithSegments(in workspace: inout Workspace) {
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

  private func bits(_ count: Int, in workspace: inout Workspace) -> Bits {
    let bits = Bits(words: workspace.carve(Bits.wordCount(count)))
    bits.clear(count)
    return bits
  }

  /// The segments that move, or `nil` when all stay.
  func movedSegments() -> MovedSegments? {
    guard let staying else { return nil }
    for segment in 0..<segments.count where !staying[Int(segments.keys[segment])] {
      return MovedSegments(SegmentCursor(segments, group, unresolved), staying)
    }
    return nil
  }
}

/// Runs of the backbone, in its order.
private struct Segments {
  /// Where each starts, counted along the backbone; behind the last, the backbone's end.
  let starts: ScratchBuffer<Int32>
  let keys: ScratchBuffer<Int32>
  var count = 0

  @inline(__always)
  func weight(_ segment: Int) -> Int32 { starts[segment + 1] - starts[segment] }
}

/// Walks the elements of the segments that move.
struct MovedSegments {
  private var segments: SegmentCursor
  private let staying: Bits
  /// The next element, counted along the backbone.
  private var element = 0
  /// The end of its segment; the cursor is past that one already.
  private var elementsEnd = 0

  fileprivate init(_ segments: SegmentCursor, _ staying: Bits) {
    self.segments = segments
    self.staying = staying
  }

  /// Goes to the next element.
  ///
  /// - Returns: The number of the first unresolved target element behind it, `nil` at the end.
  mutating func next() -> Int? {
    if element == elementsEnd {
      while !segments.isAtEnd, staying[segments.key] { segments.advance() }
      if segments.isAtEnd { return nil }
      element = segments.start
      elementsEnd = segments.end
      segments.advance()
    }
    return segments.unresolvedTarget(behind: element)
  }

  /// Lists the element, and leaves it.
  mutating func append(to moved: inout Output<ItemPathPair>) {
    moved.append(segments.pair(of: element))
    element += 1
  }
}

/// Walks the segments of a backbone and tells where their elements stand.
private struct SegmentCursor {
  let segments: Segments
  let group: Group
  let unresolved: Unresolved
  private var number = 0
  private var source: Int
  private var target: Int

  init(_ segments: Segments, _ group: Group, _ unresolved: Unresolved) {
    self.segments = segments
    self.group = group
    self.unresolved = unresolved
    source = Int(group.sourceStart)
    target = Int(group.targetStart)
  }

  var isAtEnd: Bool { number == segments.count }

  var key: Int { Int(segments.keys[number]) }

  /// The current segment's first element, counted along the backbone.
  var start: Int { Int(segments.starts[number]) }

  /// The end of the current segment.
  var end: Int { Int(segments.starts[number + 1]) }

  mutating func advance() { number += 1 }

  /// The number of the first unresolved target element behind a backbone element.
  mutating func unresolvedTarget(behind element: Int) -> Int {
    _ = targetIndex(of: element)
    return target
  }

  /// The places of a backbone element; elements are asked for in ascending order.
  mutating func pair(of element: Int) -> ItemPathPair {
    ItemPathPair(
      source: ItemPath(section: Int(group.sourceSection), item: sourceIndex(of: element)),
      target: ItemPath(section: Int(group.targetSection), item: targetIndex(of: element)))
  }

  /// The source index of a backbone element; elements are asked for in ascending order.
  mutating func sourceIndex(of element: Int) -> Int {
    while source < group.sourceEnd,
      Int(unresolved.source[source]) - (source - Int(group.sourceStart)) <= element
    {
      source += 1
    }
    return element + source - Int(group.sourceStart)
  }

  /// The target index of a backbone element; elements are asked for in ascending order.
  mutating func targetIndex(of element: Int) -> Int {
    while target < group.targetEnd,
      Int(unresolved.target[target]) - (target - Int(group.targetStart)) <= element
    {
      target += 1
    }
    return element + target - Int(group.targetStart)
  }
}
