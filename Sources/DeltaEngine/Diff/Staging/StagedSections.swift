/// What staging needs to know of each section: whether it is deleted or inserted, and its items.
struct StagedSections {
  /// For each source section, whether it is deleted.
  let isDeleted: ScratchBuffer<Bool>
  /// For each target section, whether it is inserted.
  let isInserted: ScratchBuffer<Bool>
  /// For each inserted target section, how many items are inserted with it.
  let carriedCounts: ScratchBuffer<Int32>
  /// Deleted sections that a survivor leaves, ascending.
  private(set) var deferredDeletes: ScratchList<Int32>
  /// The numbers of items deleted and inserted individually.
  private(set) var deleteCount = 0
  private(set) var insertCount = 0
  /// Whether a survivor moves into an inserted section.
  private(set) var hasMoveIntoInserted = false
  /// For each source section, the number of its first deleted item; the last entry is their total.
  private let deletedStarts: ScratchBuffer<Int32>

  init(
    _ changes: DeltaChanges, sourceCount: Int, targetCount: Int, in arena: inout Arena
  ) {
    isDeleted = arena.allocate(sourceCount)
    isInserted = arena.allocate(targetCount)
    carriedCounts = arena.allocate(targetCount)
    deferredDeletes = ScratchList(arena.allocate(sourceCount))
    deletedStarts = arena.allocate(sourceCount + 1)
    isDeleted.fill(sourceCount, with: false)
    isInserted.fill(targetCount, with: false)
    for section in changes.deletedSections { isDeleted[section.index] = true }
    for section in changes.insertedSections { isInserted[section.index] = true }
    countDeleted(changes.deletedItems, sourceCount)
    countInserted(changes.insertedItems, targetCount)
    follow(changes, sourceCount, in: &arena)
  }

  /// Returns the numbers of a source section's deleted items.
  func deletedItems(of section: Int) -> Range<Int> {
    Int(deletedStarts[section])..<Int(deletedStarts[section + 1])
  }

  private mutating func countDeleted(_ items: [ItemPath<SourceSpace>], _ sourceCount: Int) {
    deletedStarts.fill(sourceCount + 1, with: 0)
    for path in items { deletedStarts[path.section + 1] &+= 1 }
    for section in 0..<sourceCount {
      if !isDeleted[section] { deleteCount += Int(deletedStarts[section + 1]) }
      deletedStarts[section + 1] &+= deletedStarts[section]
    }
  }

  private mutating func countInserted(_ items: [ItemPath<TargetSpace>], _ targetCount: Int) {
    carriedCounts.fill(targetCount, with: 0)
    for path in items { carriedCounts[path.section] &+= 1 }
    for section in 0..<targetCount where !isInserted[section] {
      insertCount += Int(carriedCounts[section])
    }
  }

  /// Records which sections moved items leave, and whether any moves into an inserted one.
  private mutating func follow(
    _ changes: DeltaChanges, _ sourceCount: Int, in arena: inout Arena
  ) {
    if changes.deletedSections.isEmpty && changes.insertedSections.isEmpty { return }
    let isLeft: ScratchBuffer<Bool> = arena.allocate(sourceCount)
    isLeft.fill(sourceCount, with: false)
    for pair in changes.movedItems {
      isLeft[pair.source.section] = true
      if isInserted[pair.target.section] { hasMoveIntoInserted = true }
    }
    for section in changes.deletedSections where isLeft[section.index] {
      deferredDeletes.append(Int32(truncatingIfNeeded: section.index))
    }
  }
}
