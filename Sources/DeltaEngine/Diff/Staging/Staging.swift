/// Cuts changes into as few batches as UIKit's rules allow: sections, items, sections out, reloads.
///
/// * An item cannot be moved out of a section that the same batch deletes, nor into one that it
///   inserts, and item operations beside a moved section are known to crash. So sections come
///   first when sections move or a survivor goes into a new one; and a section that a survivor
///   leaves is *vacated* by the items' step and goes out after it.
/// * Between the section steps the list stands in the `MiddleLayout`.
/// * A reload is a delete and an insert to UIKit, whose index it corrects for deletes and inserts
///   but not for moves: see `Reloads`.
struct Staging: ~Copyable {
  let changes: DeltaChanges
  let sourceCounts: [Int]
  let targetCounts: [Int]
  let workspace: Workspace
  let frame: SectionFrame
  let layout: MiddleLayout
  let sections: StagedSections
  /// Whether the section operations have a step of their own before the items'.
  let sectionsFirst: Bool

  /// - Parameters:
  ///   - changes: What differs.
  ///   - sourceCounts: The number of items of each source section.
  ///   - targetCounts: The number of items of each target section.
  init(_ changes: DeltaChanges, sourceCounts: [Int], targetCounts: [Int]) {
    self.changes = changes
    self.sourceCounts = sourceCounts
    self.targetCounts = targetCounts
    let (sourceCount, targetCount) = (sourceCounts.count, targetCounts.count)
    var workspace = Workspace(
      byteCount: SectionFrame.byteCount(sourceCount: sourceCount, targetCount: targetCount)
        + MiddleLayout.byteCount(sourceCount: sourceCount, targetCount: targetCount)
        + StagedSections.byteCount(sourceCount: sourceCount, targetCount: targetCount))
    frame = SectionFrame(
      changes, sourceCount: sourceCount, targetCount: targetCount, in: &workspace)
    sections = StagedSections(
      changes, sourceCount: sourceCount, targetCount: targetCount, in: &workspace)
    layout = MiddleLayout(
      changes, frame, vacated: sections.vacated, sourceCount: sourceCount,
      targetCount: targetCount, in: &workspace)
    self.workspace = workspace
    let hasItemOperations =
      sections.deleteCount + sections.insertCount + changes.movedItems.count > 0
    sectionsFirst =
      hasItemOperations && (!changes.movedSections.isEmpty || sections.hasMoveIntoAdded)
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
      step.itemCounts = layout.vacated.isEmpty ? targetCounts : countsAfterItems()
      reloads.join(&step) { before($0) }
      steps.append(step)
    }
    if !layout.vacated.isEmpty { steps.append(sectionsOutStep()) }
    if let step = reloads.ownStep { steps.append(step) }
    return steps
  }

  private func sectionsOutStep() -> DeltaStep {
    var step = DeltaStep()
    step.delete.sections = layout.vacated.numbers.map {
      SectionIndex(stored: layout.indexOfSource[$0])
    }
    step.itemCounts = targetCounts
    return step
  }

  /// An item's place just before the items' step.
  @inline(__always)
  func before(_ path: ItemPath<Source>) -> ItemPath<Before> {
    ItemPath(
      section: sectionsFirst ? layout.indexOfSource[path.section] : path.sectionValue,
      item: path.itemValue)
  }

  /// An item's place just after the items' step.
  @inline(__always)
  func after(_ path: ItemPath<Target>) -> ItemPath<After> {
    ItemPath(section: layout.indexOfTarget[path.section], item: path.itemValue)
  }
}
