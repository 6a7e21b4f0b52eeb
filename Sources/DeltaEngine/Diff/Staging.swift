/// Cuts changes into as few batches as UIKit's rules allow: sections, items, sections out, reloads.
///
/// * An item cannot be moved out of a section that the same batch deletes, nor into one that it
///   inserts, and item operations beside a moved section are known to crash. So sections come
///   first when sections move or a survivor goes into a new one; and a section that a survivor
///   leaves is *vacated* by the items' step and goes out after it.
/// * Between the section steps the list stands in the `MiddleLayout`.
/// * A reload is a delete and an insert to UIKit, whose index it corrects for deletes and inserts
///   but not for moves: see `Reloads`.
struct Staging {
  private let changes: DeltaChanges
  private let sourceCounts: [Int]
  private let targetCounts: [Int]
  private let sourceSections: [Int32]
  private let layout: MiddleLayout
  /// Items that go one by one: those of removed sections go with their section.
  private let deletes: [ItemPath<Source>]
  /// Items that come one by one: those of added sections come with their section.
  private let inserts: [ItemPath<Target>]
  /// Per target section, how many items it comes with; 0 for sections that are not new.
  private let carriedCounts: [Int]
  /// Whether the section operations have a step of their own before the items'.
  private let sectionsFirst: Bool

  /// - Parameters:
  ///   - changes: What differs.
  ///   - sourceSections: Per target section its index in the source, or -1.
  ///   - sourceCounts: The number of items of each source section.
  ///   - targetCounts: The number of items of each target section.
  init(
    _ changes: DeltaChanges, sourceSections: [Int32], sourceCounts: [Int], targetCounts: [Int]
  ) {
    self.changes = changes
    self.sourceSections = sourceSections
    self.sourceCounts = sourceCounts
    self.targetCounts = targetCounts
    let isRemoved = Self.flags(changes.removedSections.map { $0.index }, count: sourceCounts.count)
    let isAdded = Self.flags(changes.addedSections.map { $0.index }, count: targetCounts.count)
    let moved = changes.movedItems
    var isVacated = [Bool](repeating: false, count: sourceCounts.count)
    for pair in moved where isRemoved[pair.source.section] { isVacated[pair.source.section] = true }
    layout = MiddleLayout(changes, sourceSections: sourceSections, isVacated: isVacated)
    deletes = Self.filtered(changes.removedItems) { !isRemoved[$0.section] }
    inserts = Self.filtered(changes.addedItems) { !isAdded[$0.section] }
    var carriedCounts = [Int](repeating: 0, count: targetCounts.count)
    if !changes.addedSections.isEmpty {
      for path in changes.addedItems where isAdded[path.section] {
        carriedCounts[path.section] += 1
      }
    }
    self.carriedCounts = carriedCounts
    let hasItemOperations = !(deletes.isEmpty && inserts.isEmpty && moved.isEmpty)
    sectionsFirst =
      hasItemOperations
      && (!changes.movedSections.isEmpty || moved.contains { isAdded[$0.target.section] })
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
    var reloads = Reloads(changes: changes, targetCounts: targetCounts)
    if step.operationCount > 0 {
      step.itemCounts = countsAfterItems()
      reloads.join(&step, at: before)
      steps.append(step)
    }
    if !layout.vacated.isEmpty { steps.append(sectionsOutStep()) }
    if let step = reloads.ownStep { steps.append(step) }
    return steps
  }

  private func addSections(to step: inout DeltaStep) {
    for section in changes.removedSections where layout.indexOfSource[section.index] < 0 {
      step.delete.sections.append(SectionIndex(section.index))
    }
    var added = changes.addedItems[...]
    step.insert.sections = changes.addedSections.map { section in
      added = added.drop { $0.section < section.index }
      return SectionInsert(
        at: SectionIndex(layout.indexOfTarget[section.index]), target: section,
        items: added.prefix(carriedCounts[section.index]).map { $0.item })
    }
    step.move.sections = changes.movedSections.map { pair in
      SectionMove(
        from: SectionIndex(pair.source.index),
        to: SectionIndex(layout.indexOfTarget[pair.target.index]))
    }
  }

  private func addItems(to step: inout DeltaStep) {
    step.delete.items = deletes.map { before($0) }
    if !changes.movedSections.isEmpty { step.delete.items.sort() }
    step.insert.items = inserts.map { ItemInsert(at: after($0), target: $0) }
    step.move.items = changes.movedItems.map {
      ItemMove(from: before($0.source), to: after($0.target))
    }
  }

  private func sectionsOutStep() -> DeltaStep {
    var step = DeltaStep()
    step.delete.sections =
      layout.vacated.map { SectionIndex(layout.indexOfSource[$0]) }.sorted()
    step.itemCounts = targetCounts
    return step
  }

  /// An item's place just before the items' step.
  private func before(_ path: ItemPath<Source>) -> ItemPath<Before> {
    ItemPath(
      section: sectionsFirst ? layout.indexOfSource[path.section] : path.section, item: path.item)
  }

  /// An item's place just after the items' step.
  private func after(_ path: ItemPath<Target>) -> ItemPath<After> {
    ItemPath(section: layout.indexOfTarget[path.section], item: path.item)
  }
}

// MARK: - Counts

extension Staging {
  /// Survivors and vacated sections as they were, new ones with the items they come with.
  private func countsAfterSections() -> [Int] {
    middleCounts { target in
      let source = Int(sourceSections[target])
      return source < 0 ? carriedCounts[target] : sourceCounts[source]
    } ofVacated: {
      sourceCounts[$0]
    }
  }

  /// The target's counts; vacated sections keep what nobody took out.
  private func countsAfterItems() -> [Int] {
    var left = [Int](repeating: 0, count: layout.vacated.isEmpty ? 0 : sourceCounts.count)
    if !left.isEmpty {
      for pair in changes.movedItems { left[pair.source.section] += 1 }
    }
    return middleCounts {
      targetCounts[$0]
    } ofVacated: {
      sourceCounts[$0] - left[$0]
    }
  }

  private func middleCounts(
    ofTarget: (Int) -> Int, ofVacated: (Int) -> Int
  ) -> [Int] {
    var counts = [Int](repeating: 0, count: layout.count)
    for (target, index) in layout.indexOfTarget.enumerated() { counts[index] = ofTarget(target) }
    for source in layout.vacated { counts[layout.indexOfSource[source]] = ofVacated(source) }
    return counts
  }

  private static func filtered<Space>(
    _ paths: [ItemPath<Space>], _ isKept: (ItemPath<Space>) -> Bool
  ) -> [ItemPath<Space>] {
    .filled(capacity: paths.count) { kept in
      for path in paths where isKept(path) { kept.append(path) }
    }
  }

  private static func flags(_ indices: [Int], count: Int) -> [Bool] {
    var flags = [Bool](repeating: false, count: count)
    for index in indices { flags[index] = true }
    return flags
  }
}
