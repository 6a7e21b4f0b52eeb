/// Which unresolved element of the target is which of the source, as far as is known yet.
@usableFromInline
struct Partners {
  /// Per unresolved target element: the number of its unresolved source element, or -1.
  @usableFromInline let numbers: ScratchBuffer<Int32>
  /// Per unresolved source element: whether it has a partner.
  @usableFromInline let isTaken: Bits
  /// Per pair of lists: whether an element of the one has its partner in the other.
  @usableFromInline let areHome: ScratchBuffer<Bool>
  /// The numbers of target elements whose partners have other content; ascending.
  @usableFromInline var changed: ScratchList<Int32>
  @usableFromInline var count = 0

  @inlinable
  init(sourceCount: Int, targetCount: Int, groupCount: Int, in workspace: inout Workspace) {
    numbers = workspace.carve(targetCount)
    isTaken = Bits(words: workspace.carve(Bits.wordCount(sourceCount)))
    areHome = workspace.carve(groupCount)
    changed = ScratchList(workspace.carve(min(sourceCount, targetCount)))
    isTaken.clear(sourceCount)
    areHome.fill(groupCount, with: false)
  }

  /// No elements.
  @inlinable static var none: Partners { Partners() }

  @inlinable
  init() {
    numbers = .none
    isTaken = Bits(words: .none)
    areHome = .none
    changed = ScratchList(.none)
  }

  /// The number of a target element's partner, or -1.
  @inlinable subscript(number: Int) -> Int {
    @inline(__always) get { Int(numbers[number]) }
  }

  /// Gives a target element its partner.
  ///
  /// - Returns: False when another one has it.
  @inlinable
  @inline(__always)
  mutating func take<Element: Diffable>(
    _ partner: Int, for number: Int, _ sources: UnresolvedElements<Element>,
    _ targets: UnresolvedElements<Element>
  ) -> Bool {
    if isTaken[partner] { return false }
    numbers[number] = Int32(truncatingIfNeeded: partner)
    isTaken.insert(partner)
    count &+= 1
    let group = targets.group(of: number)
    if group == sources.group(of: partner) { areHome[group] = true }
    if !targets[number].hasSameContent(as: sources[partner]) {
      changed.append(Int32(truncatingIfNeeded: number))
    }
    return true
  }
}
