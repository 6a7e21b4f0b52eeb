/// What staging needs to know of each section: whether it is deleted or inserted, and its items.
struct StagedSections {
  private(set) var isDeleted: [Bool]
  private(set) var isInserted: [Bool]
  /// For each inserted target section, how many items are inserted with it.
  private(set) var carriedCounts: [Int32]
  /// Deleted sections that a survivor leaves, ascending.
  private(set) var deferredDeletes: [Int32] = []
  /// The numbers of items deleted and inserted individually.
  private(set) var deleteCount = 0
  private(set) var insertCount = 0
  private(set) var hasMoveIntoInserted = false
  /// For each source section, the number of its first deleted item; the last entry is their total.
  private var deletedStarts: [Int32]

  init(_ changes: DeltaChanges, sourceCount: Int, targetCount: Int) {
    isDeleted = [Bool](repeating: false, count: sourceCount)
    isInserted = [Bool](repeating: false, count: targetCount)
    carriedCounts = [Int32](repeating: 0, count: targetCount)
    deletedStarts = [Int32](repeating: 0, count: sourceCount + 1)
    for section in changes.deletedSections { isDeleted[section.index] = true }
    for section in changes.insertedSections { isInserted[section.index] = true }
    countDeleted(changes.deletedItems, sourceCount)
    countInserted(changes.insertedItems, targetCount)
    follow(changes, sourceCount)
  }

  /// Returns the numbers of a source section's deleted items.
  func deletedItems(of section: Int) -> Range<Int> {
    Int(deletedStarts[section])..<Int(deletedStarts[section + 1])
  }

  private mutating func countDeleted(_ items: [ItemPath<SourceSpace>], _ sourceCount: Int) {
    for path in items { deletedStarts[path.section + 1] &+= 1 }
    for section in 0..<sourceCount {
      if !isDeleted[section] { deleteCount += Int(deletedStarts[section + 1]) }
      deletedStarts[section + 1] &+= deletedStarts[section]
    }
  }

  private mutating func countInserted(_ items: [ItemPath<TargetSpace>], _ targetCount: Int) {
    for path in items { carriedCounts[path.section] &+= 1 }
    for section in 0..<targetCount where !isInserted[section] {
      insertCount += Int(carriedCounts[section])
    }
  }

  /// Records which sections moved items leave, and whether any moves into an inserted one.
  private mutating func follow(_ changes: DeltaChanges, _ sourceCount: Int) {
    if changes.deletedSections.isEmpty && changes.insertedSections.isEmpty { return }
    var isLeft = [Bool](repeating: false, count: sourceCount)
    for pair in changes.movedItems {
      isLeft[pair.source.section] = true
      if isInserted[pair.target.section] { hasMoveIntoInserted = true }
    }
    for section in changes.deletedSections where isLeft[section.index] {
      deferredDeletes.append(Int32(truncatingIfNeeded: section.index))
    }
  }
}
