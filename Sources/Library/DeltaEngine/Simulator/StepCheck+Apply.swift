// Performs a step by the reference method: named elements go to their positions, the others fill
// the rest in order.

extension StepCheck {
  /// Returns the list after the step, checking laws 4, 5 and 10.
  func applied(_ journal: inout Journal) throws(LawViolation) -> ListStructure {
    let oldIndices = try oldSectionIndices()
    let reloaded = try reloadedSections(&journal)
    let edits = ItemEdits(step)
    var inserts = step.insert.sections[...]
    var sections: [ListStructure.Section] = []
    sections.reserveCapacity(sectionCountAfter)
    for (new, old) in oldIndices.enumerated() {
      if let old {
        var section = reloaded[old]
        section.items = try items(section.items, old: old, new: new, edits)
        sections.append(section)
      } else {
        sections.append(try insertedSection(inserts.popFirst(), &journal))
      }
    }
    for header in step.headers { try update(&sections[header.index], &journal) }
    try record(&journal, oldIndices)
    try checkCounts(of: sections)
    return ListStructure(sections: sections)
  }

  /// Returns for each section after the step its index before it; `nil` for an inserted one.
  private func oldSectionIndices() throws(LawViolation) -> [Int?] {
    var old = [Int?](repeating: nil, count: sectionCountAfter)
    var isPlaced = [Bool](repeating: false, count: sectionCountAfter)
    var isMoved = [Bool](repeating: false, count: before.sections.count)
    for index in insertedSections { isPlaced[index] = true }
    for move in step.move.sections {
      old[move.to.index] = move.from.index
      isPlaced[move.to.index] = true
      isMoved[move.from.index] = true
    }
    var rest = before.sections.indices.filter { !isMoved[$0] && !deletedSections.contains($0) }[...]
    for index in old.indices where !isPlaced[index] {
      guard let next = rest.popFirst() else {
        throw refuse(4, "nothing is left for section \(index) after the step")
      }
      old[index] = next
    }
    let movedTo = Set(step.move.sections.map(\.to.index))
    let unmoved = old.indices.compactMap { index in
      movedTo.contains(index) ? nil : old[index].map { (slot: index, old: $0) }
    }
    for move in step.move.sections
    where isNilMove(from: move.from.index, to: move.to.index, among: unmoved) {
      throw refuse(1, "the move of section \(move.from) to \(move.to) has no effect")
    }
    return old
  }

  /// Whether a section would have the same position without its move; `unmoved` must ascend.
  private func isNilMove(from: Int, to: Int, among unmoved: [(slot: Int, old: Int)]) -> Bool {
    var low = 0
    var high = unmoved.count
    while low < high {
      let middle = (low + high) / 2
      if unmoved[middle].slot < to { low = middle + 1 } else { high = middle }
    }
    let below = low > 0 ? unmoved[low - 1].old : -1
    let above = low < unmoved.count ? unmoved[low].old : Int.max
    return below < from && from < above
  }

  /// Returns an inserted section with the items that the step lists.
  private func insertedSection(
    _ insert: SectionInsert?, _ journal: inout Journal
  ) throws(LawViolation) -> ListStructure.Section {
    guard let insert, target.sections.indices.contains(insert.target.index)
    else { throw refuse(5, "a section is inserted from nowhere") }
    let wanted = target.sections[insert.target.index]
    var items: [ListStructure.Item] = []
    var last = -1
    for item in insert.items {
      guard item > last, wanted.items.indices.contains(item) else {
        throw refuse(10, "inserted section \(insert.at) comes with item \(item) after \(last)")
      }
      last = item
      items.append(wanted.items[item])
      journal.insertedItems.insert(wanted.items[item].id)
    }
    journal.insertedSections.insert(wanted.id)
    return ListStructure.Section(id: wanted.id, content: wanted.content, items: items)
  }

  /// Shows the header of a section again, and none of its items.
  private func update(
    _ section: inout ListStructure.Section, _ journal: inout Journal
  ) throws(LawViolation) {
    let id = section.id
    guard let new = target.sections.first(where: { $0.id == id }), new.content != section.content,
      journal.updatedHeaders.insert(id).inserted
    else { throw refuse(5, "the header of section id \(id) is shown again without need") }
    section.content = new.content
  }

  private func checkCounts(of sections: [ListStructure.Section]) throws(LawViolation) {
    guard step.itemCounts.count == sections.count else {
      throw refuse(4, "\(step.itemCounts.count) counts for \(sections.count) sections")
    }
    for (index, section) in sections.enumerated()
    where step.itemCounts[index] != section.items.count {
      throw refuse(
        4, "section \(index) has \(section.items.count) items, not \(step.itemCounts[index])")
    }
  }
}

// MARK: - Recording by id

extension StepCheck {
  private func record(
    _ journal: inout Journal, _ oldIndices: [Int?]
  ) throws(LawViolation) {
    let goneSections = Set(step.delete.sections.map { before.sections[$0.index].id })
    journal.deletedSections.formUnion(goneSections)
    journal.deletedSectionsOfStep.append(goneSections)
    for index in step.delete.sections {
      journal.deletedItems.formUnion(before.sections[index.index].items.lazy.map(\.id))
    }
    for path in step.delete.items {
      journal.deletedItems.insert(before.sections[path.section].items[path.item].id)
    }
    for insert in step.insert.items {
      let item = target.sections[insert.target.section].items[insert.target.item]
      journal.insertedItems.insert(item.id)
    }
    for move in step.move.sections
    where !journal.movedSections.insert(before.sections[move.from.index].id).inserted {
      throw refuse(7, "section \(move.from) moves for the second time")
    }
    for move in step.move.items {
      guard let old = oldIndices[move.to.section] else {
        throw refuse(3, "item \(move.from) moves into a section that is just inserted")
      }
      let id = before.sections[move.from.section].items[move.from.item].id
      let sections = Journal.Move(
        from: before.sections[move.from.section].id, to: before.sections[old].id)
      if journal.movedItems.updateValue(sections, forKey: id) != nil {
        throw refuse(7, "item \(move.from) moves for the second time")
      }
    }
  }

  /// Returns the sections before the step, with the contents of reloaded sections and items
  /// replaced.
  private func reloadedSections(
    _ journal: inout Journal
  ) throws(LawViolation) -> [ListStructure.Section] {
    var sections = before.sections
    for reload in step.reload.items {
      let old = sections[reload.at.section].items[reload.at.item]
      guard
        let new = target.item(section: reload.target.section, item: reload.target.item),
        new.id == old.id
      else { throw refuse(5, "item \(reload.at) is reloaded with another's content") }
      guard journal.reloadedItems.insert(old.id).inserted, new.content != old.content else {
        throw refuse(5, "item \(reload.at) is reloaded without need")
      }
      sections[reload.at.section].items[reload.at.item] = new
    }
    for reload in step.reload.sections {
      try applySectionReload(reload, to: &sections[reload.at.index], &journal)
    }
    return sections
  }

  /// Applies the reload of a section, which includes its header and all its items.
  private func applySectionReload(
    _ reload: SectionReload, to section: inout ListStructure.Section, _ journal: inout Journal
  ) throws(LawViolation) {
    guard target.sections.indices.contains(reload.target.index),
      target.sections[reload.target.index].id == section.id
    else { throw refuse(5, "section \(reload.at) is reloaded with another's content") }
    let new = target.sections[reload.target.index]
    guard journal.reloadedSections.insert(section.id).inserted, new.content != section.content
    else { throw refuse(5, "section \(reload.at) is reloaded without need") }
    let contents = Dictionary(
      new.items.lazy.map { ($0.id, $0.content) }, uniquingKeysWith: { first, _ in first })
    for index in section.items.indices {
      let item = section.items[index]
      guard let content = contents[item.id] else { continue }
      if content != item.content { journal.reloadedItems.insert(item.id) }
      section.items[index].content = content
    }
    section.content = new.content
  }
}
