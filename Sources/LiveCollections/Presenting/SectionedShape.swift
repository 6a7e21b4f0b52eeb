import DeltaEngine

/// The shape of a collection with sections.
enum SectionedShape<Section>: ContentShape
where Section: UniquelyIdentifiableSection & Sendable, Section.DataType: Sendable {
  typealias Element = Section
  typealias Item = Section.DataType

  static var isSectioned: Bool { true }

  static var thresholdStyle: AnimationStyle { .reloadData }

  static func itemCounts(_ content: [Section]) -> [Int] { content.map(\.items.count) }

  static func finished(_ content: [Section], dropsEmptySections: Bool) -> [Section] {
    dropsEmptySections ? content.filter { !$0.items.isEmpty } : content
  }

  static func deletedItems(_ delta: Delta, from source: [Section]) -> [Item] {
    delta.changes.deletedItems.map { source[$0.section].items[$0.item] }
  }

  static func deletedItems(from source: [Section], to target: [Section]) -> [Item] {
    let kept = Set(target.lazy.flatMap(\.items).map(\.uniqueID))
    return source.flatMap { $0.items.filter { !kept.contains($0.uniqueID) } }
  }

  static func stages(
    _ delta: Delta, from source: [Section], to target: [Section]
  ) -> [ContentStage<Section>] {
    var stages: [ContentStage<Section>] = []
    for (index, step) in delta.steps.enumerated() {
      let isLast = index == delta.steps.count - 1
      let content = isLast ? target : step.content(after: stages.last?.content ?? source, target)
      stages.append(ContentStage(step: step, content: content))
    }
    return stages
  }
}

// MARK: - Reloading sections

extension SectionedShape {
  static func reloadStages(
    _ delta: Delta?, from source: [Section], to target: [Section]
  ) -> [ContentStage<Section>] {
    guard let changes = delta?.changes else { return [] }
    // Per target section, its index in the source if it was there.
    let stay = changes.sourceSections(sourceCount: source.count, targetCount: target.count)
      .map { $0 < 0 ? nil : Int($0) }
    var sections = DeltaStep()
    sections.delete.sections = changes.deletedSections.map { SectionIndex($0.index) }
    sections.insert.sections = changes.insertedSections.map {
      SectionInsert(
        at: SectionIndex($0.index), target: $0, items: Array(target[$0.index].items.indices))
    }
    sections.move.sections = changes.movedSections.map {
      SectionMove(from: SectionIndex($0.source.index), to: SectionIndex($0.target.index))
    }
    // Sections that stay keep their old items until they are reloaded; new ones are complete.
    let middle = target.indices.map { stay[$0].map { source[$0] } ?? target[$0] }
    sections.itemCounts = middle.map(\.items.count)

    var reloads = DeltaStep()
    reloads.reload.sections = touched(changes, stay).map {
      SectionReload(at: SectionIndex($0), target: SectionIndex($0))
    }
    reloads.itemCounts = target.map(\.items.count)

    return [
      ContentStage(step: sections, content: middle), ContentStage(step: reloads, content: target),
    ].filter { $0.step.operationCount > 0 }
  }

  /// The target's sections that stay and in which anything changes; ascending.
  private static func touched(_ changes: DeltaChanges, _ stay: [Int?]) -> [Int] {
    var sources = Set(changes.deletedItems.map(\.section))
    sources.formUnion(changes.movedItems.map(\.source.section))
    var targets = Set(changes.reloadedSections.map(\.target.index))
    targets.formUnion(changes.insertedItems.map(\.section))
    targets.formUnion(changes.movedItems.map(\.target.section))
    targets.formUnion(changes.reloadedItems.map(\.target.section))
    return stay.indices.filter { index in
      stay[index].map { targets.contains(index) || sources.contains($0) } ?? false
    }
  }
}
