/// Matches lists whose order was reversed, as by flipping a sort order.
///
/// The first element is compared with the last of the other list, and so on. Nothing is hashed, and
/// as each element is compared only once, none is matched twice.
@usableFromInline struct MirrorMatcher<Element: Diffable> {
  @usableFromInline let alignment: Alignment
  @usableFromInline let sources: UnresolvedElements<Element>
  @usableFromInline let targets: UnresolvedElements<Element>

  /// The fewest unresolved elements for which a reversal is looked for.
  @inlinable static var countMin: Int { 64 }

  /// Creates a matcher; returns `nil` if a sample shows that the lists were not reversed.
  @inlinable init?(
    _ alignment: Alignment, _ sources: UnresolvedElements<Element>,
    _ targets: UnresolvedElements<Element>
  ) {
    self.alignment = alignment
    self.sources = sources
    self.targets = targets
    if targets.count < Self.countMin || !sampleIsMirrored { return nil }
  }

  /// Matches pair by pair; some elements may remain without a partner.
  @inlinable func match(_ partners: inout Partners) {
    for number in 0..<alignment.pairs.count { match(number, &partners) }
  }

  @inlinable func match(_ pairNumber: Int, _ partners: inout Partners) {
    let pair = alignment.pairs[pairNumber]
    let unresolved = alignment.unresolved
    let numbers = partners.numbers
    if pair.sourceRange.count != pair.targetRange.count {
      numbers.fill(pair.targetRange, with: -1)
      return
    }
    let lists = (source: sources.lists[pairNumber], target: targets.lists[pairNumber])
    var taken = BitWriter(partners.isTaken)
    var partner = Int(pair.sourceEnd)
    var count = 0
    for number in pair.targetRange {
      partner &-= 1
      let sourceIndex = Int(unresolved.source[partner])
      let targetIndex = Int(unresolved.target[number])
      let isSame = Element.isSame(
        lists.source[sourceIndex].diffID, lists.target[targetIndex].diffID)
      numbers[number] = isSame ? Int32(truncatingIfNeeded: partner) : -1
      taken.insert(partner, if: isSame)
      count &+= Int(bit(isSame))
      if isSame, !lists.target[targetIndex].hasSameContent(as: lists.source[sourceIndex]) {
        partners.changed.append(Int32(truncatingIfNeeded: number))
      }
    }
    taken.finish()
    partners.count &+= count
    if count > 0 { partners.hasOwn[pairNumber] = true }
  }

  /// Whether most elements of a sample equal their mirror images in the other list.
  @inlinable var sampleIsMirrored: Bool {
    var differing = 0
    for sample in 0..<32 {
      let number = sample &* targets.count / 32
      let partner = mirrored(number)
      if partner < 0 || !Element.isSame(sources[partner].diffID, targets[number].diffID) {
        differing &+= 1
        if differing > 4 { return false }
      }
    }
    return true
  }

  /// Returns the unresolved source element that mirrors a target element, or -1 if the lists differ
  /// in length.
  @inlinable @inline(__always) func mirrored(_ number: Int) -> Int {
    let pair = alignment.pairs[alignment.targetPair(of: number)]
    if pair.sourceRange.count != pair.targetRange.count { return -1 }
    return Int(pair.sourceEnd) &- 1 &- (number &- Int(pair.targetStart))
  }
}
