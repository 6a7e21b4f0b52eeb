/// Cuts changes into as few batches as UIKit's rules allow: sections, items, sections out, reloads.
///
/// * An item cannot be moved out of a section that the same batch deletes, nor into one that it
///   inserts, and item operations beside a moved section are known to crash. So sections come
///   first when sections move or a survivor goes into a new one; and the delete of a
///   section that a survivor leaves is *deferred* until after the items' step.
/// * Between the section steps the list stands in the `IntermediateLayout`.
/// * A reload is a delete and an insert to UIKit, whose index it corrects for deletes and inserts
///   but not for moves: see `Reloads`.
struct Staging {
  let changes: DeltaChanges
  let sourceCounts: [Int]
  let targetCounts: [Int]
  let mapping: SectionMapping
  let layout: IntermediateLayout
  let sections: StagedSections
  /// Whether the section operations have a step of their own before the items'.
  let sectionsFirst: Bool

  /// - Parameters:
  ///   - changes: What differs.
  ///   - sourceCounts: The number of items of each source section.
  ///   - targetCounts: The number of items of each target section.
  ///   - arena: Where to work.
  init(
    _ changes: DeltaChanges, sourceCounts: [Int], targetCounts: [Int], in arena: inout Arena
  ) {
    self.changes = changes
    self.sourceCounts = sourceCounts
    self.targetCounts = targetCounts
    let (sourceCount, targetCount) = (sourceCounts.count, targetCounts.count)
    mapping = SectionMapping(
      changes, sourceCount: sourceCount, targetCount: targetCount, in: &arena)
    sections = StagedSections(
      changes, sourceCount: sourceCount, targetCount: targetCount, in: &arena)
    layout = IntermediateLayout(
      changes, mapping, deferredDeletes: sections.deferredDeletes, sourceCount: sourceCount,
      targetCount: targetCount, in: &arena)
    let hasItemOperations =
      sections.deleteCount + sections.insertCount + changes.movedItems.count > 0
    sectionsFirst =
      hasItemOperations && (!changes.movedSections.isEmpty || sections.hasMoveIntoInserted)
  }

  /// The batches, in order; none is empty.
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
    step.delete.sections = layout.deferredDeletes.numbers.map {
      SectionIndex(stored: layout.indexOfSource[$0])
    }
    step.itemCounts = targetCounts
    return step
  }

  /// An item's place just before the items' step.
  @inline(__always) func before(_ path: ItemPath<Source>) -> ItemPath<Before> {
    ItemPath(
      section: sectionsFirst ? layout.indexOfSource[path.section] : path.sectionValue,
      item: path.itemValue)
  }

  /// An item's place just after the items' step.
  @inline(__always) func after(_ path: ItemPath<Target>) -> ItemPath<After> {
    ItemPath(section: layout.indexOfTarget[path.section], item: path.itemValue)
  }
}
