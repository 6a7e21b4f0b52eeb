/// Runs of anchors, in their order.
struct Segments {
  /// Where each starts, counted along the anchors; behind the last, their number.
  let starts: ScratchBuffer<Int32>
  let keys: ScratchBuffer<Int32>
  var count = 0

  @inline(__always) func weight(_ segment: Int) -> Int32 { starts[segment + 1] - starts[segment] }
}

/// Walks the elements of the segments that move.
struct MovedSegments {
  private var segments: SegmentCursor
  private let staying: Bits
  /// The next element, counted along the anchors.
  private var element = 0
  /// The end of its segment; the cursor is past that one already.
  private var elementsEnd = 0

  init(_ segments: SegmentCursor, _ staying: Bits) {
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

/// Walks segments and finds the places of their anchors.
struct SegmentCursor {
  let segments: Segments
  let pair: SectionPair
  let unresolved: Unresolved
  private var number = 0
  private var source: Int
  private var target: Int

  init(_ segments: Segments, _ pair: SectionPair, _ unresolved: Unresolved) {
    self.segments = segments
    self.pair = pair
    self.unresolved = unresolved
    source = Int(pair.sourceStart)
    target = Int(pair.targetStart)
  }

  var isAtEnd: Bool { number == segments.count }

  var key: Int { Int(segments.keys[number]) }

  /// The current segment's first anchor, counted along the anchors.
  var start: Int { Int(segments.starts[number]) }

  /// The end of the current segment.
  var end: Int { Int(segments.starts[number + 1]) }

  mutating func advance() { number += 1 }

  /// The number of the first unresolved target element behind an anchor.
  mutating func unresolvedTarget(behind element: Int) -> Int {
    _ = targetIndex(of: element)
    return target
  }

  /// The places of an anchor; elements are asked for in ascending order.
  mutating func pair(of element: Int) -> ItemPathPair {
    ItemPathPair(
      source: ItemPath(section: Int(pair.sourceSection), item: sourceIndex(of: element)),
      target: ItemPath(section: Int(pair.targetSection), item: targetIndex(of: element)))
  }

  /// The source index of an anchor; elements are asked for in ascending order.
  mutating func sourceIndex(of element: Int) -> Int {
    while source < pair.sourceEnd,
      Int(unresolved.source[source]) - (source - Int(pair.sourceStart)) <= element
    {
      source += 1
    }
    return element + source - Int(pair.sourceStart)
  }

  /// The target index of an anchor; elements are asked for in ascending order.
  mutating func targetIndex(of element: Int) -> Int {
    while target < pair.targetEnd,
      Int(unresolved.target[target]) - (target - Int(pair.targetStart)) <= element
    {
      target += 1
    }
    return element + target - Int(pair.targetStart)
  }
}
