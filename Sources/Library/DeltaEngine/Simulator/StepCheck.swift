struct StepCheck {
  let step: DeltaStep
  let before: ListStructure
  let target: ListStructure
  let deletedSections: Set<Int>
  let insertedSections: Set<Int>
  let reloadedSections: Set<Int>

  init(_ step: DeltaStep, _ before: ListStructure, _ target: ListStructure) {
    self.step = step
    self.before = before
    self.target = target
    deletedSections = Set(step.delete.sections.map(\.index))
    insertedSections = Set(step.insert.sections.map(\.at.index))
    reloadedSections = Set(step.reload.sections.map(\.at.index))
  }

  func structureAfterStep(_ journal: inout Journal) throws(LawViolation) -> ListStructure {
    try checkOrder()
    try checkSectionIndices()
    try checkSectionRoles()
    try checkItemRoles()
    try checkReloadsStandApart()
    try checkSectionsStandApart()
    var draft = journal
    let after = try applied(&draft)
    journal = draft
    return after
  }

  /// The number of sections after the step, as law 4 requires.
  var sectionCountAfter: Int {
    before.sections.count + step.insert.sections.count - step.delete.sections.count
  }

  func refuse(_ law: Int, _ reason: String) -> LawViolation {
    LawViolation(law: law, reason: reason)
  }
}

// MARK: - Law 1: indices and roles

extension StepCheck {
  /// Checks that deletes, reloads and inserts ascend, and moves ascend by destination, without
  /// repetition.
  private func checkOrder() throws(LawViolation) {
    try checkAscends(step.delete.sections, "section deletes")
    try checkAscends(step.delete.items, "item deletes")
    try checkAscends(step.reload.sections.map(\.at), "section reloads")
    try checkAscends(step.reload.items.map(\.at), "item reloads")
    try checkAscends(step.insert.sections.map(\.at), "section inserts")
    try checkAscends(step.insert.items.map(\.at), "item inserts")
    try checkAscends(step.move.sections.map(\.to), "section moves by destination")
    try checkAscends(step.move.items.map(\.to), "item moves by destination")
    try checkAscends(step.headers, "headers")
  }

  private func checkAscends<Index: Comparable>(
    _ indices: [Index], _ name: String
  ) throws(LawViolation) {
    for (lower, upper) in zip(indices, indices.dropFirst()) where lower >= upper {
      throw refuse(1, "\(name): \(lower) stands before \(upper)")
    }
  }

  private func checkSectionIndices() throws(LawViolation) {
    let old = before.sections.count
    let new = sectionCountAfter
    for index in step.delete.sections + step.move.sections.map(\.from)
      + step.reload.sections.map(\.at) where index.index >= old
    {
      throw refuse(1, "section \(index) of \(old) before the step")
    }
    for index in step.insert.sections.map(\.at) + step.move.sections.map(\.to) + step.headers
    where index.index >= new {
      throw refuse(1, "section \(index) of \(new) after the step")
    }
    if new < 0 { throw refuse(4, "\(new) sections after the step") }
  }

  private func checkSectionRoles() throws(LawViolation) {
    let sources = step.move.sections.map(\.from)
    if let twice = firstRepeated(
      step.delete.sections + sources + step.reload.sections.map(\.at))
    {
      throw refuse(1, "section \(twice) has two roles before the step")
    }
    if let twice = firstRepeated(step.insert.sections.map(\.at) + step.move.sections.map(\.to)) {
      throw refuse(1, "section \(twice) has two roles after the step")
    }
  }

  private func checkItemRoles() throws(LawViolation) {
    let olds = step.delete.items + step.move.items.map(\.from) + step.reload.items.map(\.at)
    for path in olds where before.item(section: path.section, item: path.item) == nil {
      throw refuse(1, "item \(path) does not exist before the step")
    }
    if let twice = firstRepeated(olds) {
      throw refuse(1, "item \(twice) has two roles before the step")
    }
    let news = step.insert.items.map(\.at) + step.move.items.map(\.to)
    for path in news where path.section >= sectionCountAfter {
      throw refuse(1, "item \(path): \(sectionCountAfter) sections after the step")
    }
    if let twice = firstRepeated(news) {
      throw refuse(1, "item \(twice) has two roles after the step")
    }
  }

  private func firstRepeated<Index: Hashable>(_ indices: [Index]) -> Index? {
    var seen = Set<Index>(minimumCapacity: indices.count)
    return indices.first { !seen.insert($0).inserted }
  }
}

// MARK: - Laws 2 and 3: operations that exclude each other in a step

extension StepCheck {
  private func checkReloadsStandApart() throws(LawViolation) {
    for index in step.headers
    where reloadedSections.contains(index.index) || insertedSections.contains(index.index) {
      throw refuse(2, "the header of section \(index), which is shown anew in the same step")
    }
    if step.reload.items.isEmpty && step.reload.sections.isEmpty { return }
    if !step.move.items.isEmpty { throw refuse(2, "a reload and a move in one step") }
    if step.hasSectionOperations { throw refuse(2, "a reload and a section operation in one step") }
    for path in step.delete.items + step.reload.items.map(\.at)
    where reloadedSections.contains(path.section) {
      throw refuse(2, "item \(path) in reloaded section \(path.section)")
    }
    // Without section operations, section indices are the same before and after the step.
    for path in step.insert.items.map(\.at) where reloadedSections.contains(path.section) {
      throw refuse(2, "item \(path) inserted into reloaded section \(path.section)")
    }
  }

  private func checkSectionsStandApart() throws(LawViolation) {
    for path in step.delete.items + step.move.items.map(\.from) + step.reload.items.map(\.at)
    where deletedSections.contains(path.section) {
      throw refuse(3, "item \(path) named in deleted section \(path.section)")
    }
    for path in step.insert.items.map(\.at) + step.move.items.map(\.to)
    where insertedSections.contains(path.section) {
      throw refuse(3, "item \(path) goes into section \(path.section), inserted by the same step")
    }
    if !step.move.sections.isEmpty, step.hasItemOperations || !step.reload.items.isEmpty {
      throw refuse(3, "section moves and item operations in one step")
    }
  }
}
