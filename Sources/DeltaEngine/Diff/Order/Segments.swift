/// Runs of anchors, in order.
struct Segments {
  /// The index of each one's first anchor among the anchors; the last entry is their total number.
  let starts: ScratchBuffer<Int32>
  let keys: ScratchBuffer<Int32>
  var count = 0

  @inline(__always) func weight(_ segment: Int) -> Int32 { starts[segment + 1] - starts[segment] }
}

/// Iterates over the elements of the segments that move.
struct MovedSegments {
  private var segments: SegmentCursor
  private let staying: Bits
  /// The next element, as an index among the anchors.
  private var element = 0
  /// The end of its segment; the cursor has already passed that segment.
  private var elementsEnd = 0

  init(_ segments: SegmentCursor, _ staying: Bits) {
    self.segments = segments
    self.staying = staying
  }

  /// Advances to the next element.
  ///
  /// - Returns: The number of the first unresolved target element after it; `nil` at the end.
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

  /// Appends the move of the current element.
  mutating func append(to moved: inout Output<ItemPathPair>) {
    moved.append(segments.pair(of: element))
    element += 1
  }
}

/// Iterates over segments and computes the positions of their anchors.
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

  /// The first anchor of the current segment, as an index among the anchors.
  var start: Int { Int(segments.starts[number]) }

  /// The end of the current segment.
  var end: Int { Int(segments.starts[number + 1]) }

  mutating func advance() { number += 1 }

  /// Returns the number of the first unresolved target element after an anchor.
  mutating func unresolvedTarget(behind element: Int) -> Int {
    _ = targetIndex(of: element)
    return target
  }

  /// Returns the positions of an anchor; call it in ascending order.
  mutating func pair(of element: Int) -> ItemPathPair {
    ItemPathPair(
      source: ItemPath(section: Int(pair.sourceSection), item: sourceIndex(of: element)),
      target: ItemPath(section: Int(pair.targetSection), item: targetIndex(of: element)))
  }

  /// Returns the source index of an anchor; call it in ascending order.
  mutating func sourceIndex(of element: Int) -> Int {
    while source < pair.sourceEnd,
      Int(unresolved.source[source]) - (source - Int(pair.sourceStart)) <= element
    {
      source += 1
    }
    return element + source - Int(pair.sourceStart)
  }

  /// Returns the target index of an anchor; call it in ascending order.
  mutating func targetIndex(of element: Int) -> Int {
    while target < pair.targetEnd,
      Int(unresolved.target[target]) - (target - Int(pair.targetStart)) <= element
    {
      target += 1
    }
    return element + target - Int(pair.targetStart)
  }
}
