import DeltaEngine

/// How a content is seen as sections: a flat one is the items of a single section.
protocol ContentShape: Sendable {
  /// What the content is an array of: items, or sections.
  associatedtype Element: Sendable
  associatedtype Section: UniquelyIdentifiableSection & Sendable where Section.DataType: Sendable
  typealias Item = Section.DataType

  /// Whether the content has sections of its own.
  static var isSectioned: Bool { get }

  static func sections(_ content: [Element]) -> [Section]

  static func content(_ sections: [Section]) -> [Element]
}

/// One batch and the content after it.
struct ContentStage<Element: Sendable>: Sendable {
  var step: DeltaStep
  var content: [Element]
}

enum SectionedShape<Section>: ContentShape
where Section: UniquelyIdentifiableSection & Sendable, Section.DataType: Sendable {
  static var isSectioned: Bool { true }
  static func sections(_ content: [Section]) -> [Section] { content }
  static func content(_ sections: [Section]) -> [Section] { sections }
}

enum FlatShape<ItemType: UniquelyIdentifiable & Sendable>: ContentShape {
  static var isSectioned: Bool { false }
  static func sections(_ content: [ItemType]) -> [OnlySection<ItemType>] {
    [OnlySection(items: content)]
  }
  static func content(_ sections: [OnlySection<ItemType>]) -> [ItemType] { sections[0].items }
}

extension ContentShape {
  /// What is reloaded when there are too many changes.
  static var thresholdStyle: AnimationStyle { isSectioned ? .reloadData : .reloadSections }

  /// The number of items in each section.
  static func itemCounts(_ content: [Element]) -> [Int] { sections(content).map(\.items.count) }

  /// A content as it is shown: without sections that have no items, if those are left out.
  static func finished(_ content: [Element], dropsEmptySections: Bool) -> [Element] {
    dropsEmptySections
      ? Self.content(sections(content).filter { !$0.items.isEmpty }) : content
  }

  /// The items that a delta deletes.
  static func deletedItems(_ delta: Delta, from source: [Element]) -> [Item] {
    let source = sections(source)
    return delta.changes.deletedItems.map { source[$0.section].items[$0.item] }
  }

  /// The items whose ids are in the source only, found without a delta.
  static func deletedItems(from source: [Element], to target: [Element]) -> [Item] {
    let kept = Set(sections(target).lazy.flatMap(\.items).map(\.uniqueID))
    return sections(source).flatMap { $0.items.filter { !kept.contains($0.uniqueID) } }
  }

  /// A delta's steps with the content after each; the last content is the target.
  static func stages(
    _ delta: Delta, from source: [Element], to target: [Element]
  ) -> [ContentStage<Element>] {
    var (before, sections) = (sections(source), sections(target))
    return delta.steps.enumerated().map { index, step in
      if index == delta.steps.count - 1 { return ContentStage(step: step, content: target) }
      before = step.content(after: before, sections)
      return ContentStage(step: step, content: content(before))
    }
  }
}

// MARK: - Reloading sections

extension ContentShape {
  /// Batches that reload the sections that changed, after sections were inserted, deleted and
  /// moved; without a delta, the one section of a flat content.
  static func reloadStages(
    _ delta: Delta?, from source: [Element], to target: [Element]
  ) -> [ContentStage<Element>] {
    let (source, target) = (sections(source), sections(target))
    let changes = delta?.changes ?? DeltaChanges()
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
    reloads.reload.sections = (isSectioned ? touched(changes, stay) : [0]).map {
      SectionReload(at: SectionIndex($0), target: SectionIndex($0))
    }
    reloads.itemCounts = target.map(\.items.count)

    return [
      ContentStage(step: sections, content: content(middle)),
      ContentStage(step: reloads, content: content(target)),
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
