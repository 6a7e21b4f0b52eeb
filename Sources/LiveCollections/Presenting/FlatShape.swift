import DeltaEngine

/// The shape of a collection that is the items of one section.
enum FlatShape<Item>: ContentShape where Item: UniquelyIdentifiable & Sendable {
  typealias Element = Item

  static var isSectioned: Bool { false }

  static var thresholdStyle: AnimationStyle { .reloadSections }

  static func itemCounts(_ content: [Item]) -> [Int] { [content.count] }

  static func finished(_ content: [Item], dropsEmptySections: Bool) -> [Item] { content }

  static func deletedItems(_ delta: Delta, from source: [Item]) -> [Item] {
    delta.changes.deletedItems.map { source[$0.item] }
  }

  static func deletedItems(from source: [Item], to target: [Item]) -> [Item] {
    let kept = Set(target.lazy.map(\.uniqueID))
    return source.filter { !kept.contains($0.uniqueID) }
  }

  static func stages(
    _ delta: Delta, from source: [Item], to target: [Item]
  ) -> [ContentStage<Item>] {
    var stages = delta.steps.map { ContentStage(step: $0, content: target) }
    // Of several steps the last one reloads: until then changed items show their old content.
    for index in stages.indices.dropLast() {
      for pair in delta.changes.reloadedItems {
        stages[index].content[pair.target.item] = source[pair.source.item]
      }
    }
    return stages
  }

  static func reloadStages(
    _ delta: Delta?, from source: [Item], to target: [Item]
  ) -> [ContentStage<Item>] {
    var step = DeltaStep()
    step.reload.sections = [SectionReload(at: SectionIndex(0), target: SectionIndex(0))]
    step.itemCounts = [target.count]
    return [ContentStage(step: step, content: target)]
  }
}
