/// The known matches between unresolved elements of the target and the source.
@usableFromInline struct Partners {
  /// For each unresolved target element, the number of its source element, or -1.
  @usableFromInline let numbers: ScratchBuffer<Int32>
  /// For each unresolved source element, whether it has a partner.
  @usableFromInline let isTaken: Bits
  /// For each pair of lists, whether an element of one has its partner in the other.
  @usableFromInline let hasOwn: ScratchBuffer<Bool>
  /// The numbers of target elements whose partners differ in content, ascending.
  @usableFromInline var changed: ScratchList<Int32>
  @usableFromInline var count = 0

  @inlinable init(sourceCount: Int, targetCount: Int, pairCount: Int, in arena: inout Arena) {
    numbers = arena.allocate(targetCount)
    isTaken = Bits(words: arena.allocate(Bits.wordCount(sourceCount)))
    hasOwn = arena.allocate(pairCount)
    hasOwn.fill(pairCount, with: false)
    changed = ScratchList(arena.allocate(min(sourceCount, targetCount)))
    isTaken.clear(sourceCount)
  }

  /// The number of a target element's partner, or -1.
  @inlinable subscript(number: Int) -> Int {
    @inline(__always) get { Int(numbers[number]) }
  }

  /// Records that a target element has a partner.
  ///
  /// - Returns: `false` if another element already has that partner.
  @inlinable @inline(__always) mutating func take<Element: Diffable>(
    _ partner: Int, for number: Int, _ sources: UnresolvedElements<Element>,
    _ targets: UnresolvedElements<Element>
  ) -> Bool {
    if isTaken[partner] { return false }
    isTaken.insert(partner)
    count &+= 1
    let pair = targets.pair(of: number)
    if pair == sources.pair(of: partner) { hasOwn[pair] = true }
    if !targets[number].hasSameContent(as: sources[partner]) {
      changed.append(Int32(truncatingIfNeeded: number))
    }
    return true
  }
}
