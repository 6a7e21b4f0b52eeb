/// Which element is which: pairs of lists aligned, what did not line up matched by hash.
///
/// Unresolved elements are numbered through all pairs, on each side.
@usableFromInline
struct Matching: ~Copyable {
  @usableFromInline var workspace: Workspace
  @usableFromInline var unresolved: Unresolved
  @usableFromInline var groups: ScratchList<Group>
  /// Per unresolved element: the number of its pair; not kept for a single pair.
  @usableFromInline let sourceGroups: ScratchBuffer<Int32>
  @usableFromInline let targetGroups: ScratchBuffer<Int32>
  @usableFromInline let hasOnePair: Bool
  @usableFromInline var partners = Partners.none
  /// How often elements of one side stood on the other, but among other neighbours.
  @usableFromInline var strayCount = 0

  @inlinable
  init(workspace: consuming Workspace, sourceCount: Int, targetCount: Int, groupCountMax: Int) {
    var workspace = workspace
    unresolved = Unresolved(
      source: workspace.carve(sourceCount + 1), target: workspace.carve(targetCount + 1),
      changed: workspace.carve(min(sourceCount, targetCount)))
    groups = ScratchList(workspace.carve(groupCountMax))
    hasOnePair = groupCountMax == 1
    sourceGroups = workspace.carve(hasOnePair ? 0 : sourceCount + 8)
    targetGroups = workspace.carve(hasOnePair ? 0 : targetCount + 8)
    self.workspace = workspace
  }

  /// Address space that a matching of these sizes may need, and the order of its moves after it.
  @usableFromInline
  static func byteCount(sourceCount: Int, targetCount: Int, groupCount: Int, anchorSlots: Int)
    -> Int
  {
    let common = min(sourceCount, targetCount)
    let lists =
      (2 * sourceCount + 2 * targetCount + 24) * 4 + common * MemoryLayout<IndexPair>.stride
      + groupCount * MemoryLayout<Group>.stride + anchorSlots * 4
    let matches = targetCount * 4 + common * 4 + sourceCount / 4 + groupCount
    let hashing =
      (3 * sourceCount + targetCount) * 4 + TableLayout.slotCount(sourceCount) * 4
      + 2 * IdentityFilter.byteCount(max(sourceCount, targetCount))
    let ordering = HomeOrder.byteCount(sourceCount: sourceCount, targetCount: targetCount)
    return lists + matches + max(hashing, ordering) + groupCount * 24 + 2048
  }

  /// Ends a pair: keeps it when anything of it is unresolved or changed.
  @inlinable
  mutating func close(_ group: Group) {
    var group = group
    group.sourceEnd = Int32(truncatingIfNeeded: unresolved.source.count)
    group.targetEnd = Int32(truncatingIfNeeded: unresolved.target.count)
    group.changedEnd = Int32(truncatingIfNeeded: unresolved.changed.count)
    if group.sourceStart == group.sourceEnd, group.targetStart == group.targetEnd,
      group.changedStart == group.changedEnd
    {
      return
    }
    if !hasOnePair {
      let number = Int32(truncatingIfNeeded: groups.count)
      sourceGroups.fillByEights(group.sourceRange, with: number)
      targetGroups.fillByEights(group.targetRange, with: number)
    }
    groups.append(group)
  }

  /// A pair whose entries start here.
  @inlinable
  func open(sourceSection: Int, targetSection: Int, sourceCount: Int) -> Group {
    var group = Group(
      sourceSection: sourceSection, targetSection: targetSection, sourceCount: sourceCount)
    group.sourceStart = Int32(truncatingIfNeeded: unresolved.source.count)
    group.targetStart = Int32(truncatingIfNeeded: unresolved.target.count)
    group.changedStart = Int32(truncatingIfNeeded: unresolved.changed.count)
    return group
  }

  /// Whether nothing differs.
  @inlinable var isEmpty: Bool { groups.count == 0 }

  /// The pair of an unresolved source element.
  @inlinable
  @inline(__always)
  func sourceGroup(of number: Int) -> Int { hasOnePair ? 0 : Int(sourceGroups[number]) }

  /// The pair of an unresolved target element.
  @inlinable
  @inline(__always)
  func targetGroup(of number: Int) -> Int { hasOnePair ? 0 : Int(targetGroups[number]) }

  /// Lines up one pair of lists, of which `start` elements at the front are known to be equal.
  @inlinable
  mutating func align<Element: Diffable>(
    _ source: Elements<Element>, _ target: Elements<Element>, from start: Int = 0,
    sourceSection: Int, targetSection: Int, anchors: inout Anchors<Element>
  ) {
    let group = open(
      sourceSection: sourceSection, targetSection: targetSection, sourceCount: source.count)
    var aligner = Aligner(source, target, from: start)
    anchors.reset()
    aligner.align(into: &unresolved, anchors: &anchors)
    strayCount &+= aligner.misses
    close(group)
  }
}
