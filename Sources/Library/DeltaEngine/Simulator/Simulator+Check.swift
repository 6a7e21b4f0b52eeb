extension Simulator {
  /// Checks a delta between two versions of any list.
  ///
  /// - Parameters:
  ///   - delta: The delta.
  ///   - source: The version it starts from; ids unique.
  ///   - target: The version it must end at; ids unique.
  /// - Throws: `LawViolation` for the first law that the delta violates.
  @inlinable public static func check<Section: DiffableSection>(
    _ delta: Delta, from source: [Section], to target: [Section]
  ) throws(LawViolation) {
    let structures = StructurePair(from: source, to: target)
    try check(delta, from: structures.source, to: structures.target)
  }

  /// Checks a delta between two versions of any flat list.
  ///
  /// - Parameters:
  ///   - delta: The delta.
  ///   - source: The version it starts from; ids unique.
  ///   - target: The version it must end at; ids unique.
  /// - Throws: `LawViolation` for the first law that the delta violates.
  @inlinable public static func check<Item: Diffable>(
    _ delta: Delta, fromItems source: [Item], toItems target: [Item]
  ) throws(LawViolation) {
    try check(
      delta, from: [FlatSection(items: source)], to: [FlatSection(items: target)])
  }

  /// Checks a delta between two structures.
  ///
  /// - Parameters:
  ///   - delta: The delta.
  ///   - source: The version it starts from.
  ///   - target: The version it must end at, with ids numbered as in `source`.
  /// - Throws: `LawViolation` for the first law that the delta violates.
  /// - Complexity: O(sections + items of sections that differ).
  public static func check(
    _ delta: Delta, from source: ListStructure, to target: ListStructure
  ) throws(LawViolation) {
    var simulator = Simulator(from: source, to: target)
    for step in delta.steps { try simulator.perform(step) }
    try simulator.finish()
    try simulator.checkChanges(delta.changes)
  }

  /// Checks laws 6, 7 and 9: that the delta's changes are what its steps did.
  func checkChanges(_ changes: DeltaChanges) throws(LawViolation) {
    let gone = changes.deletedItems.compactMap {
      source.item(section: $0.section, item: $0.item)?.id
    }
    guard gone.count == changes.deletedItems.count, isSame(gone, journal.deletedItems) else {
      throw LawViolation(law: 6, reason: "the deleted items are not those that the steps delete")
    }
    try checkSections(changes)
    guard isSame(ids(changes.insertedItems), journal.insertedItems) else {
      throw LawViolation(law: 9, reason: "the inserted items are not those that the steps insert")
    }
    guard isSame(ids(changes.reloadedItems.map(\.target)), journal.reloadedItems) else {
      throw LawViolation(law: 9, reason: "the reloaded items are not those that the steps reload")
    }
    guard isSame(ids(changes.movedItems.map(\.target)), Set(journal.movedItems.keys)) else {
      throw LawViolation(law: 7, reason: "the moved items are not those that the steps move")
    }
  }

  private func checkSections(_ changes: DeltaChanges) throws(LawViolation) {
    let gone = changes.deletedSections.compactMap {
      source.sections.indices.contains($0.index) ? source.sections[$0.index].id : nil
    }
    guard isSame(gone, journal.deletedSections) else {
      throw LawViolation(law: 6, reason: "the deleted sections are not those that the steps delete")
    }
    guard isSame(sectionIDs(changes.insertedSections), journal.insertedSections) else {
      throw LawViolation(
        law: 9, reason: "the inserted sections are not those that the steps insert")
    }
    guard
      isSame(
        sectionIDs(changes.reloadedSections.map(\.target)),
        journal.reloadedSections.union(journal.updatedHeaders))
    else {
      throw LawViolation(
        law: 9, reason: "the reloaded sections are not those that the steps reload")
    }
    guard isSame(sectionIDs(changes.movedSections.map(\.target)), journal.movedSections) else {
      throw LawViolation(law: 7, reason: "the moved sections are not those that the steps move")
    }
  }

  private func isSame(_ ids: [Int], _ set: Set<Int>) -> Bool {
    ids.count == set.count && set.isSuperset(of: ids)
  }

  private func ids(_ paths: [ItemPath<TargetSpace>]) -> [Int] {
    paths.compactMap { target.item(section: $0.section, item: $0.item)?.id }
  }

  private func sectionIDs(_ indices: [SectionIndex<TargetSpace>]) -> [Int] {
    indices.compactMap {
      target.sections.indices.contains($0.index) ? target.sections[$0.index].id : nil
    }
  }
}

@usableFromInline struct FlatSection<Item: Diffable>: DiffableSection {
  @usableFromInline let items: [Item]
  @inlinable init(items: [Item]) { self.items = items }
  @inlinable var diffID: Int { 0 }
  @inlinable func hasSameContent(as other: Self) -> Bool { true }
}
