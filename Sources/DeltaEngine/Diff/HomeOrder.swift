/// Which elements of one pair of lists stay, and which move: an exact longest common order.
///
/// The elements in both lists are the backbone and the *displaced* ones, matched by hash. A
/// *segment* is a run of the backbone into which no displaced element falls, in either list. Within
/// it, elements stand alike to everything outside; so some longest common order takes it whole or
/// not at all, and the search is over the displaced elements and the segments, by weight, instead of
/// over all elements.
struct HomeOrder {
  private let group: Group
  private let unresolved: Unresolved
  private let partners: ScratchBuffer<Int32>
  /// Per unresolved source element: whether it stays in this pair's list.
  private let isHome: Bits
  private var homeCount = 0
  /// Where segments start, counted along the backbone.
  private var cuts: ScratchList<Int32>
  /// The source indices of displaced elements and of segments' first elements that stay.
  private(set) var staying: Bits?

  init(
    _ group: Group, _ unresolved: Unresolved, _ partners: ScratchBuffer<Int32>, _ isHome: Bits
  ) {
    self.group = group
    self.unresolved = unresolved
    self.partners = partners
    self.isHome = isHome
    cuts = ScratchList(.none)
    var count = 0
    for number in group.targetRange { count &+= isFromHere(number) ? 1 : 0 }
    homeCount = count
  }

  /// The number of backbone elements.
  private var backboneCount: Int {
    Int(group.sourceCount) - Int(group.sourceEnd - group.sourceStart)
  }

  @inline(__always)
  private func isFromHere(_ number: Int) -> Bool {
    partners[number] >= group.sourceStart && partners[number] < group.sourceEnd
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
    if homeCount == 0 { return }
    let count = Int(group.sourceCount)
    let staying = Bits(words: workspace.carve(Bits.wordCount(count)))
    staying.clear(count)
    if backboneCount <= count / 8 {
      cuts = everyElement(in: &workspace)
      var piles = Piles(keyCount: count, in: &workspace)
      putAlike(&piles)
      piles.collect(into: staying)
    } else {
      let cuts = segmentCuts(in: &workspace)
      self.cuts = cuts
      let order = CommonOrder(count: count, in: &workspace)
      putWithSegments(cuts, order)
      order.collect(into: staying)
    }
    self.staying = staying
  }

  /// Cuts the backbone into its elements.
  private func everyElement(in workspace: inout Workspace) -> ScratchList<Int32> {
    var cuts = ScratchList<Int32>(workspace.carve(backboneCount))
    for element in 0..<backboneCount { cuts.append(Int32(truncatingIfNeeded: element)) }
    return cuts
  }

  /// Puts displaced and backbone elements onto the piles as they stand in the target.
  private func putAlike(_ piles: inout Piles) {
    let partners = partners
    let places = unresolved.source
    if backboneCount == 0 {
      for number in group.targetRange where isFromHere(number) {
        piles.put(Int(places[Int(partners[number])]))
      }
      return
    }
    var segments = SegmentCursor(cuts, group, unresolved, backboneCount)
    for number in group.targetRange where isFromHere(number) {
      while segments.isBefore(backboneBefore(target: number)) {
        piles.put(segments.sourceIndex())
        segments.advance()
      }
      piles.put(Int(places[Int(partners[number])]))
    }
    while segments.isBefore(Int.max) {
      piles.put(segments.sourceIndex())
      segments.advance()
    }
  }

  /// Cuts the backbone wherever a displaced element falls: the two ascending lists merged.
  private func segmentCuts(in workspace: inout Workspace) -> ScratchList<Int32> {
    for number in group.targetRange where isFromHere(number) {
      isHome.insert(Int(partners[number]))
    }
    var cuts = ScratchList<Int32>(workspace.carve(2 * homeCount + 2))
    cuts.append(0)
    var source = Int(group.sourceStart)
    var target = Int(group.targetStart)
    while true {
      while source < group.sourceEnd, !isHome[source] { source += 1 }
      while target < group.targetEnd, !isFromHere(target) { target += 1 }
      let one = source < group.sourceEnd ? backboneBefore(source: source) : Int.max
      let other = target < group.targetEnd ? backboneBefore(target: target) : Int.max
      let cut = min(one, other)
      if cut >= backboneCount { return cuts }
      if cut > Int(cuts[cuts.count - 1]) { cuts.append(Int32(truncatingIfNeeded: cut)) }
      if one == cut { source += 1 }
      if other == cut { target += 1 }
    }
  }

  /// Puts displaced elements and segments into the order as they stand in the target.
  private func putWithSegments(_ cuts: ScratchList<Int32>, _ order: CommonOrder) {
    var segments = SegmentCursor(cuts, self.group, unresolved, backboneCount)
    for number in group.targetRange where isFromHere(number) {
      let before = backboneBefore(target: number)
      while segments.isBefore(before) {
        order.put(segments.sourceIndex(), weight: segments.weight)
        segments.advance()
      }
      order.put(Int(unresolved.source[Int(partners[number])]), weight: 1)
    }
    while segments.isBefore(Int.max) {
      order.put(segments.sourceIndex(), weight: segments.weight)
      segments.advance()
    }
  }

  /// The segments that move, or `nil` when all stay.
  func movedSegments() -> MovedSegments? {
    guard let staying else { return nil }
    var segments = SegmentCursor(cuts, group, unresolved, backboneCount)
    while segments.isBefore(Int.max) {
      if !staying[segments.sourceIndex()] {
        return MovedSegments(SegmentCursor(cuts, group, unresolved, backboneCount), staying)
      }
      segments.advance()
    }
    return nil
  }
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
      while segments.isBefore(Int.max), staying[segments.sourceIndex()] { segments.advance() }
      if !segments.isBefore(Int.max) { return nil }
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
  let cuts: ScratchList<Int32>
  let group: Group
  let unresolved: Unresolved
  let backboneCount: Int
  private var number = 0
  private var source: Int
  private var target: Int

  init(
    _ cuts: ScratchList<Int32>, _ group: Group, _ unresolved: Unresolved, _ backboneCount: Int
  ) {
    self.cuts = cuts
    self.group = group
    self.unresolved = unresolved
    self.backboneCount = backboneCount
    source = Int(group.sourceStart)
    target = Int(group.targetStart)
  }

  /// The current segment's first element, counted along the backbone.
  var start: Int { Int(cuts[number]) }

  /// The end of the current segment.
  var end: Int { number + 1 < cuts.count ? Int(cuts[number + 1]) : backboneCount }

  var weight: Int32 { Int32(truncatingIfNeeded: end - start) }

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

  /// Whether there is a current segment, and it starts before a place along the backbone.
  func isBefore(_ place: Int) -> Bool { number < cuts.count && start < place }

  mutating func advance() { number += 1 }

  /// The source index of the current segment's first element.
  mutating func sourceIndex() -> Int { sourceIndex(of: start) }

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
