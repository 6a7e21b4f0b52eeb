/// The unresolved elements that, going by filters, may be in both lists; all others are not.
@usableFromInline struct CommonElements {
  @usableFromInline let source: ScratchList<Int32>
  @usableFromInline let target: ScratchList<Int32>

  /// The fewest elements for which filtering pays off.
  private static var filteredCountMin: Int { 128 }
  /// The number of alignment misses above which most elements are assumed to have partners.
  private static var missCountMax: Int { 48 }

  /// Filters the elements of each side by the hashes of the other.
  ///
  /// All other targets are recorded as having no partner. Returns `nil` if many elements seem to
  /// have partners, so that filtering would not pay off.
  @usableFromInline init?(
    _ hashes: Hashes, sourceCount: Int, targetCount: Int, missCount: Int, in arena: inout Arena
  ) {
    if min(sourceCount, targetCount) < Self.filteredCountMin || missCount > Self.missCountMax {
      return nil
    }
    let filter = IdentityFilter(hashes.source, 0..<sourceCount, in: &arena)
    if Self.seemsCommon(hashes.target, targetCount, filter) { return nil }
    target = Self.passing(hashes.target, targetCount, filter, in: &arena)
    Self.keepOnly(target, in: hashes.target.buffer, targetCount)
    let targetFilter = IdentityFilter(hashes.target, target.numbers, in: &arena)
    source = Self.passing(hashes.source, sourceCount, targetFilter, in: &arena)
  }

  /// Returns whether more than two fifths of a sample pass the filter.
  private static func seemsCommon(
    _ hashes: HashList, _ count: Int, _ filter: IdentityFilter
  ) -> Bool {
    let stride = count / 64
    var passed = 0
    for sample in 0..<64 { passed += filter.count(hashes[sample * stride]) }
    return passed > 26
  }

  /// Records all targets except the remaining ones as having no partner.
  private static func keepOnly(
    _ kept: ScratchList<Int32>, in partners: ScratchBuffer<Int32>, _ count: Int
  ) {
    var start = 0
    for number in kept.numbers {
      partners.fill(start..<number, with: -1)
      start = number &+ 1
    }
    partners.fill(start..<count, with: -1)
  }

  /// Returns the numbers of the hashes that pass a filter.
  private static func passing(
    _ hashes: HashList, _ count: Int, _ filter: IdentityFilter, in arena: inout Arena
  ) -> ScratchList<Int32> {
    let numbers: ScratchBuffer<Int32> = arena.allocate(count + 1)
    var passed = 0
    for number in 0..<count {
      numbers[passed] = Int32(truncatingIfNeeded: number)
      passed &+= filter.count(hashes[number])
    }
    var list = ScratchList(numbers)
    list.count = passed
    return list
  }
}
