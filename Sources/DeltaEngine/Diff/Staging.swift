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
  private let changes: DeltaChanges
  private let sourceCounts: [Int]
  private let targetCounts: [Int]
  private let workspace: Workspace
  private let frame: SectionFrame
  private let layout: MiddleLayout
  private let sections: StagedSections
  /// Whether the section operations have a step of their own before the items'.
  private let sectionsFirst: Bool

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
  private func before(_ path: ItemPath<Source>) -> ItemPath<Before> {
    ItemPath(
      section: sectionsFirst ? layout.indexOfSource[path.section] : path.sectionValue,
      item: path.itemValue)
  }

  /// An item's place just after the items' step.
  @inline(__always)
  private func after(_ path: ItemPath<Target>) -> ItemPath<After> {
    ItemPath(section: layout.indexOfTarget[path.section], item: path.itemValue)
  }
}

// MARK: - Operations

extension Staging {
  private func addSections(to step: inout DeltaStep) {
    for section in changes.removedSections where layout.indexOfSource[section.index] < 0 {
      step.delete.sections.append(SectionIndex(section.index))
    }
    var added = changes.addedItems[...]
    step.insert.sections = changes.addedSections.map { section in
      added = added.drop { $0.section < section.index }
      return SectionInsert(
        at: SectionIndex(stored: layout.indexOfTarget[section.index]), target: section,
        items: added.prefix(Int(sections.carriedCounts[section.index])).map { $0.item })
    }
    step.move.sections = changes.movedSections.map { pair in
      SectionMove(
        from: SectionIndex(pair.source.index),
        to: SectionIndex(stored: layout.indexOfTarget[pair.target.index]))
    }
  }

  private func addItems(to step: inout DeltaStep) {
    let isSorted = !sectionsFirst || changes.movedSections.isEmpty
    step.delete.items = .filled(capacity: sections.deleteCount) {
      if isSorted { appendDeletes(to: &$0) } else { appendDeletesBySection(to: &$0) }
    }
    step.insert.items = .filled(capacity: sections.insertCount) { inserts in
      for path in changes.addedItems where !sections.isAdded[path.section] {
        inserts.append(ItemInsert(at: after(path), target: path))
      }
    }
    step.move.items = .filled(capacity: changes.movedItems.count) { moves in
      for pair in changes.movedItems {
        moves.append(ItemMove(from: before(pair.source), to: after(pair.target)))
      }
    }
  }

  /// Items that go one by one: those of removed sections go with their section.
  private func appendDeletes(to deletes: inout Output<ItemPath<Before>>) {
    for path in changes.removedItems where !sections.isRemoved[path.section] {
      deletes.append(before(path))
    }
  }

  /// The same where sections were moved first, so that they stand in another order.
  private func appendDeletesBySection(to deletes: inout Output<ItemPath<Before>>) {
    for index in 0..<layout.count {
      let source = Int(layout.sources[index])
      if source < 0 || sections.isRemoved[source] { continue }
      for number in sections.removedItems(of: source) {
        let item = changes.removedItems[number].itemValue
        deletes.append(ItemPath(section: Int32(truncatingIfNeeded: index), item: item))
      }
    }
  }
}

// MARK: - Counts

extension Staging {
  /// Survivors and vacated sections as they were, new ones with the items they come with.
  private func countsAfterSections() -> [Int] {
    var counts = [Int](repeating: 0, count: layout.count)
    for index in 0..<layout.count {
      let source = Int(layout.sources[index])
      if source >= 0 { counts[index] = sourceCounts[source] }
    }
    for section in changes.addedSections {
      counts[Int(layout.indexOfTarget[section.index])] = Int(sections.carriedCounts[section.index])
    }
    return counts
  }

  /// The target's counts; vacated sections keep what nobody took out.
  private func countsAfterItems() -> [Int] {
    var counts = [Int](repeating: 0, count: layout.count)
    for section in layout.vacated.numbers {
      counts[Int(layout.indexOfSource[section])] = sourceCounts[section]
    }
    for pair in changes.movedItems where sections.isRemoved[pair.source.section] {
      counts[Int(layout.indexOfSource[pair.source.section])] -= 1
    }
    for (target, count) in targetCounts.enumerated() {
      counts[Int(layout.indexOfTarget[target])] = count
    }
    return counts
  }
}
