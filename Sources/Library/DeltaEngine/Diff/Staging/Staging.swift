/// Divides changes into as few batches as UIKit's rules allow: sections, items, deferred section
/// deletes, reloads.
///
/// * An item cannot be moved out of a section that the same batch deletes, nor into one that it
/// inserts, and item operations together with moved sections are known to crash. Section operations
/// therefore come first if sections move or a survivor moves into an inserted one; and the delete
/// of a section that a survivor leaves is *deferred* until after the item step.
/// * Between the section steps the sections have the `IntermediateLayout`.
/// * To UIKit a reload is a delete and an insert, whose index it adjusts for deletes and inserts
/// but not for moves: see `Reloads`.
struct Staging {
  let changes: DeltaChanges
  let sourceCounts: [Int]
  let targetCounts: [Int]
  let layout: IntermediateLayout
  let sections: StagedSections
  /// Whether section operations have a separate step before the items'.
  let sectionsFirst: Bool

  /// - Parameters:
  ///   - changes: The changes.
  ///   - sourceCounts: The number of items in each source section.
  ///   - targetCounts: The number of items in each target section.
  init(_ changes: DeltaChanges, sourceCounts: [Int], targetCounts: [Int]) {
    self.changes = changes
    self.sourceCounts = sourceCounts
    self.targetCounts = targetCounts
    let (sourceCount, targetCount) = (sourceCounts.count, targetCounts.count)
    sections = StagedSections(changes, sourceCount: sourceCount, targetCount: targetCount)
    layout = IntermediateLayout(
      changes, changes.sourceSections(sourceCount: sourceCount, targetCount: targetCount),
      deferredDeletes: sections.deferredDeletes, sourceCount: sourceCount)
    let hasItemOperations =
      sections.deleteCount + sections.insertCount + changes.movedItems.count > 0
    sectionsFirst =
      hasItemOperations && (!changes.movedSections.isEmpty || sections.hasMoveIntoInserted)
  }

  /// Returns the batches in order; none is empty.
  func steps() -> [DeltaStep] {
    var steps: [DeltaStep] = []
    var step = DeltaStep()
    addSections(to: &step)
    if sectionsFirst {
      step.itemCounts = countsAfterSections()
      steps.append(step)
      step = DeltaStep()
    }
    addItems(to: &step)
    var reloads = Reloads(changes, targetCounts: targetCounts)
    if step.operationCount > 0 {
      step.itemCounts = layout.deferredDeletes.isEmpty ? targetCounts : countsAfterItems()
      reloads.join(&step) { before($0) }
      steps.append(step)
    }
    if !layout.deferredDeletes.isEmpty { steps.append(sectionsOutStep()) }
    if let step = reloads.ownStep { steps.append(step) }
    return steps
  }

  private func sectionsOutStep() -> DeltaStep {
    var step = DeltaStep()
    step.delete.sections = layout.deferredDeletes.map {
      SectionIndex(stored: layout.indexOfSource[Int($0)])
    }
    step.itemCounts = targetCounts
    return step
  }

  /// Returns an item's position just before the item step.
  @inline(__always) func before(_ path: ItemPath<SourceSpace>) -> ItemPath<BeforeSpace> {
    ItemPath(
      section: sectionsFirst ? layout.indexOfSource[path.section] : path.sectionValue,
      item: path.itemValue)
  }

  /// Returns an item's position just after the item step.
  @inline(__always) func after(_ path: ItemPath<TargetSpace>) -> ItemPath<AfterSpace> {
    ItemPath(section: layout.indexOfTarget[path.section], item: path.itemValue)
  }
}

extension DeltaChanges {
  /// Returns for each section of the target its section of the source, or -1: moved sections by
  /// their pairs, all others except inserted ones in order.
  @usableFromInline package func sourceSections(sourceCount: Int, targetCount: Int) -> [Int32] {
    var sources = [Int32](repeating: -2, count: targetCount)
    var isPlaced = [Bool](repeating: false, count: sourceCount)
    for target in insertedSections { sources[target.index] = -1 }
    for source in deletedSections { isPlaced[source.index] = true }
    for pair in movedSections {
      sources[pair.target.index] = pair.source.value
      isPlaced[pair.source.index] = true
    }
    var next = 0
    for target in 0..<targetCount where sources[target] == -2 {
      while isPlaced[next] { next += 1 }
      sources[target] = Int32(truncatingIfNeeded: next)
      next += 1
    }
    return sources
  }
}
