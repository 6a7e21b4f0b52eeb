/// What staging asks of each section: whether it comes or goes, and which items with it.
struct StagedSections {
  /// Per source section: whether it was removed.
  let isRemoved: ScratchBuffer<Bool>
  /// Per target section: whether it was added.
  let isAdded: ScratchBuffer<Bool>
  /// Per added target section: how many items it comes with.
  let carriedCounts: ScratchBuffer<Int32>
  /// Removed sections that a survivor leaves; ascending.
  private(set) var deferredDeletes: ScratchList<Int32>
  /// How many items go one by one, and how many come so.
  private(set) var deleteCount = 0
  private(set) var insertCount = 0
  /// Whether a survivor goes into an added section.
  private(set) var hasMoveIntoAdded = false
  /// Per source section the number of its first removed item; behind the last, their count.
  private let removedStarts: ScratchBuffer<Int32>

  init(
    _ changes: DeltaChanges, sourceCount: Int, targetCount: Int, in arena: inout Arena
  ) {
    isRemoved = arena.allocate(sourceCount)
    isAdded = arena.allocate(targetCount)
    carriedCounts = arena.allocate(targetCount)
    deferredDeletes = ScratchList(arena.allocate(sourceCount))
    removedStarts = arena.allocate(sourceCount + 1)
    isRemoved.fill(sourceCount, with: false)
    isAdded.fill(targetCount, with: false)
    for section in changes.removedSections { isRemoved[section.index] = true }
    for section in changes.addedSections { isAdded[section.index] = true }
    countRemoved(changes.removedItems, sourceCount)
    countAdded(changes.addedItems, targetCount)
    follow(changes, sourceCount, in: &arena)
  }

  /// The numbers of a source section's removed items.
  func removedItems(of section: Int) -> Range<Int> {
    Int(removedStarts[section])..<Int(removedStarts[section + 1])
  }

  private mutating func countRemoved(_ items: [ItemPath<Source>], _ sourceCount: Int) {
    removedStarts.fill(sourceCount + 1, with: 0)
    for path in items { removedStarts[path.section + 1] &+= 1 }
    for section in 0..<sourceCount {
      if !isRemoved[section] { deleteCount += Int(removedStarts[section + 1]) }
      removedStarts[section + 1] &+= removedStarts[section]
    }
  }

  private mutating func countAdded(_ items: [ItemPath<Target>], _ targetCount: Int) {
    carriedCounts.fill(targetCount, with: 0)
    for path in items { carriedCounts[path.section] &+= 1 }
    for section in 0..<targetCount where !isAdded[section] {
      insertCount += Int(carriedCounts[section])
    }
  }

  /// Looks at what the survivors that move leave, and where they go.
  private mutating func follow(
    _ changes: DeltaChanges, _ sourceCount: Int, in arena: inout Arena
  ) {
    if changes.removedSections.isEmpty && changes.addedSections.isEmpty { return }
    let isLeft: ScratchBuffer<Bool> = arena.allocate(sourceCount)
    isLeft.fill(sourceCount, with: false)
    for pair in changes.movedItems {
      isLeft[pair.source.section] = true
      if isAdded[pair.target.section] { hasMoveIntoAdded = true }
    }
    for section in changes.removedSections where isLeft[section.index] {
      deferredDeletes.append(Int32(truncatingIfNeeded: section.index))
    }
  }
}
