extension Staging {
  func addSections(to step: inout DeltaStep) {
    for section in changes.deletedSections where layout.indexOfSource[section.index] < 0 {
      step.delete.sections.append(SectionIndex(section.index))
    }
    var inserted = changes.insertedItems[...]
    step.insert.sections = changes.insertedSections.map { section in
      inserted = inserted.drop { $0.section < section.index }
      return SectionInsert(
        at: SectionIndex(stored: layout.indexOfTarget[section.index]), target: section,
        items: inserted.prefix(Int(sections.carriedCounts[section.index])).map { $0.item })
    }
    step.move.sections = changes.movedSections.map { pair in
      SectionMove(
        from: SectionIndex(pair.source.index),
        to: SectionIndex(stored: layout.indexOfTarget[pair.target.index]))
    }
  }

  func addItems(to step: inout DeltaStep) {
    let isSorted = !sectionsFirst || changes.movedSections.isEmpty
    step.delete.items = isSorted ? deletes() : deletesBySection()
    for path in changes.insertedItems where !sections.isInserted[path.section] {
      step.insert.items.append(ItemInsert(at: after(path), target: path))
    }
    step.move.items = changes.movedItems.map {
      ItemMove(from: before($0.source), to: after($0.target))
    }
  }

  /// Returns the individually deleted items; those of deleted sections are deleted with the section.
  private func deletes() -> [ItemPath<BeforeSpace>] {
    var deletes: [ItemPath<BeforeSpace>] = []
    for path in changes.deletedItems where !sections.isDeleted[path.section] {
      deletes.append(before(path))
    }
    return deletes
  }

  /// Returns them if sections have been moved first, so that their order differs.
  private func deletesBySection() -> [ItemPath<BeforeSpace>] {
    var deletes: [ItemPath<BeforeSpace>] = []
    for index in 0..<layout.count {
      let source = Int(layout.sources[index])
      if source < 0 || sections.isDeleted[source] { continue }
      for number in sections.deletedItems(of: source) {
        let item = changes.deletedItems[number].itemValue
        deletes.append(ItemPath(section: Int32(truncatingIfNeeded: index), item: item))
      }
    }
    return deletes
  }
}
