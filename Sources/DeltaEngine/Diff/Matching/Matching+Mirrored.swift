extension Matching {
  /// Fewer unresolved elements than this are not worth a look.
  @inlinable static var mirroredCountMin: Int { 64 }

  /// Matches lists whose order was turned around, as a sort that is flipped does.
  ///
  /// The first element is asked whether it is the last of the other list, and so on; nothing is
  /// hashed.
  ///
  /// - Returns: False when a sample says that they were not; then nothing was done. Else some
  ///   elements may still have no partner.
  @inlinable
  mutating func matchMirrored<Element: Diffable>(
    _ sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>
  ) -> Bool {
    guard seemsMirrored(sources, targets) else { return false }
    for number in 0..<groups.count { matchMirrored(number, sources, targets) }
    return true
  }

  /// The same for one pair.
  ///
  /// No element is asked twice, so none can be taken twice.
  @inlinable
  mutating func matchMirrored<Element: Diffable>(
    _ groupNumber: Int, _ sources: UnresolvedElements<Element>,
    _ targets: UnresolvedElements<Element>
  ) {
    let group = groups[groupNumber]
    let numbers = partners.numbers
    if group.sourceRange.count != group.targetRange.count {
      numbers.fill(group.targetRange, with: -1)
      return
    }
    let lists = (source: sources.lists[groupNumber], target: targets.lists[groupNumber])
    var taken = BitWriter(partners.isTaken)
    var partner = Int(group.sourceEnd)
    var count = 0
    for number in group.targetRange {
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
    if count > 0 { partners.areHome[groupNumber] = true }
  }

  /// Whether most of a sample are the same as what stands as far from the other end.
  @inlinable
  func seemsMirrored<Element: Diffable>(
    _ sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>
  ) -> Bool {
    if targets.count < Self.mirroredCountMin { return false }
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
  @inlinable
  @inline(__always)
  func mirrored(_ number: Int) -> Int {
    let group = groups[targetGroup(of: number)]
    if group.sourceRange.count != group.targetRange.count { return -1 }
    return Int(group.sourceEnd) &- 1 &- (number &- Int(group.targetStart))
  }
}
