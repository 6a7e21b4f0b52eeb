import DeltaEngine
import LiveCollections

/// Checks a batch's operations against the content before and after it.
struct BatchJudge {
  let step: DeltaStep
  let before: ListStructure
  let after: ListStructure

  /// Judges the batch of one collection that has all sections.
  func check() throws(LawViolation) {
    let (step, before) = try withoutFreeReloads()
    var simulator = Simulator(from: before, to: after)
    try simulator.perform(retargeted(step))
    guard simulator.structure == after else {
      throw LawViolation(law: 5, reason: "the batch does not lead to the content after it")
    }
  }

  /// Judges the batch of collections with a section each, whose items are told apart by their section too.
  func checkDivided() throws(LawViolation) {
    if step.hasSectionOperations {
      throw LawViolation(law: 3, reason: "a section operation in a view with fixed sections")
    }
    guard before.sections.count == after.sections.count else {
      throw LawViolation(law: 4, reason: "the number of sections changes")
    }
    try BatchJudge(step: step, before: before.divided(), after: after.divided()).check()
  }

  /// Reloads that show the same, or a section with items of any kind, are legal in a view though
  /// never in a delta: they are checked here and taken out for the simulator.
  private func withoutFreeReloads() throws(LawViolation) -> (DeltaStep, ListStructure) {
    var step = step
    var before = before
    try checkSectionReloads()
    for reload in step.reload.sections {
      before.sections[reload.at.index] = after.sections[reload.at.index]
    }
    step.reload.sections = []
    step.reload.items.removeAll { reload in
      guard let old = before.item(section: reload.at.section, item: reload.at.item),
        let new = after.item(section: reload.target.section, item: reload.target.item)
      else { return false }
      return old == new
    }
    step.itemCounts = after.sections.map(\.items.count)
    return (step, before)
  }

  private func checkSectionReloads() throws(LawViolation) {
    if step.reload.sections.isEmpty { return }
    let reloaded = Set(step.reload.sections.map(\.at.index))
    if step.hasSectionOperations || !step.move.items.isEmpty {
      throw LawViolation(law: 2, reason: "a section reload beside moves or section operations")
    }
    for index in reloaded
    where
      !(before.sections.indices.contains(index)
      && after.sections.indices.contains(index)
      && before.sections[index].id == after.sections[index].id)
    {
      throw LawViolation(law: 1, reason: "section \(index) to reload is not there")
    }
    let named =
      step.delete.items.map(\.section) + step.insert.items.map(\.at.section)
      + step.reload.items.map(\.at.section)
    if named.contains(where: reloaded.contains) {
      throw LawViolation(law: 2, reason: "an item operation in a reloaded section")
    }
  }

  /// The step, with the content right after it as the target of its inserts.
  private func retargeted(_ step: DeltaStep) -> DeltaStep {
    var step = step
    step.insert.sections = step.insert.sections.map { insert in
      let section = insert.at.index
      let count = after.sections.indices.contains(section) ? after.sections[section].items.count : 0
      return SectionInsert(
        at: insert.at, target: SectionIndex(section), items: Array(0..<count))
    }
    step.insert.items = step.insert.items.map {
      ItemInsert(at: $0.at, target: ItemPath(section: $0.at.section, item: $0.at.item))
    }
    return step
  }
}

extension ListStructure {
  /// The structure with other ids for the items of each section.
  fileprivate func divided() -> ListStructure {
    var sections = sections
    for section in sections.indices {
      for item in sections[section].items.indices {
        let id = sections[section].items[item].id
        sections[section].items[item].id = id &* sections.count &+ section
      }
    }
    return ListStructure(sections: sections)
  }
}
