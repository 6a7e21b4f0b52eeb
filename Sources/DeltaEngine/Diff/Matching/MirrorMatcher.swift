/// Matches lists whose order was turned around, as a sort that is flipped does.
///
/// The first element is asked whether it is the last of the other list, and so on; nothing is
/// hashed, and no element is asked twice, so that none is taken twice.
@usableFromInline struct MirrorMatcher<Element: Diffable> {
  @usableFromInline let alignment: Alignment
  @usableFromInline let sources: UnresolvedElements<Element>
  @usableFromInline let targets: UnresolvedElements<Element>

  /// Fewer unresolved elements than this are not worth a look.
  @inlinable static var countMin: Int { 64 }

  /// `nil` when a sample says that the lists were not turned around.
  @inlinable init?(
    _ alignment: Alignment, _ sources: UnresolvedElements<Element>,
    _ targets: UnresolvedElements<Element>
  ) {
    self.alignment = alignment
    self.sources = sources
    self.targets = targets
    if targets.count < Self.countMin || !sampleIsMirrored { return nil }
  }

  /// Matches pair by pair; some elements may have no partner afterwards.
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

  /// Whether most of a sample are the same as what stands as far from the other end.
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

  /// The unresolved source element that stands as far from the end of its list as a target element
  /// from the start of its own; -1 where the lists are not equally long.
  @inlinable @inline(__always) func mirrored(_ number: Int) -> Int {
    let pair = alignment.pairs[alignment.targetPair(of: number)]
    if pair.sourceRange.count != pair.targetRange.count { return -1 }
    return Int(pair.sourceEnd) &- 1 &- (number &- Int(pair.targetStart))
  }
}
