extension Delta {
  /// Computes the minimal, staged delta between two versions of a sectioned list.
  ///
  /// - Parameters:
  ///   - source: The current sections; section ids must be unique, and item ids unique across
  ///     sections.
  ///   - target: The new sections; their ids must be unique in the same way.
  ///   - uniqueness: What is known about the uniqueness of ids.
  /// - Throws: `DuplicateIdentifier` if an id occurs twice in one of the versions.
  /// - Complexity: O(*n* + *m*) expected; O(*k* log *k*) for the *k* items that changed their
  ///   order.
  @inlinable public init<Section: DiffableSection>(
    from source: [Section], to target: [Section], uniqueness: Uniqueness = .checked
  ) throws(DuplicateIdentifier) {
    let sections: MatchedChanges
    do throws(DuplicateIdentifier) {
      sections = try Section.changes(
        from: [source], to: [target], sourceLists: [0], kind: .section, uniqueness)
    } catch {
      // A duplicate of the source is reported before one of the target, whatever it is.
      if uniqueness == .checked { try Section.checkUniqueness(of: source, .source) }
      throw error
    }
    var changes = DeltaChanges(sections: sections)
    let (sources, targets) = (source.map { $0.items }, target.map { $0.items })
    changes.setItems(
      try Section.Item.changes(
        from: sources, to: targets,
        sourceLists: changes.sourceSections(sourceCount: source.count, targetCount: target.count),
        kind: .item, uniqueness))
    self.init(
      staging: changes, sourceItemCounts: sources.map { $0.count },
      targetItemCounts: targets.map { $0.count })
  }

  /// Computes the minimal delta between two versions of a flat list, as section 0 of a sectioned
  /// one.
  ///
  /// - Parameters:
  ///   - source: The current items; ids must be unique.
  ///   - target: The new items; ids must be unique.
  ///   - uniqueness: What is known about the uniqueness of ids.
  /// - Throws: `DuplicateIdentifier` if an id occurs twice in one of the versions.
  /// - Complexity: Like `init(from:to:uniqueness:)`.
  @inlinable public init<Item: Diffable>(
    fromItems source: [Item], toItems target: [Item], uniqueness: Uniqueness = .checked
  ) throws(DuplicateIdentifier) {
    var changes = DeltaChanges()
    changes.setItems(
      try Item.changes(
        from: [source], to: [target], sourceLists: [0], kind: .item, uniqueness))
    self.init(
      staging: changes, sourceItemCounts: [source.count], targetItemCounts: [target.count])
  }

  /// Creates a delta by dividing changes, with minimal moves and ascending lists, into steps.
  @usableFromInline
  init(staging changes: DeltaChanges, sourceItemCounts: [Int], targetItemCounts: [Int]) {
    if changes.isEmpty {
      self = .empty
      return
    }
    let steps = Staging(
      changes, sourceCounts: sourceItemCounts, targetCounts: targetItemCounts
    ).steps()
    self.init(
      changes: changes, steps: steps, sourceItemCounts: sourceItemCounts,
      targetItemCounts: targetItemCounts)
  }
}

extension DeltaChanges {
  @usableFromInline init(sections: MatchedChanges) {
    deletedSections = sections.deleted.map { SectionIndex($0.item) }
    insertedSections = sections.inserted.map { SectionIndex($0.item) }
    movedSections = sections.moved.map(SectionIndexPair.init)
    reloadedSections = sections.reloaded.map(SectionIndexPair.init)
  }

  @usableFromInline mutating func setItems(_ items: MatchedChanges) {
    deletedItems = items.deleted
    insertedItems = items.inserted
    movedItems = items.moved
    reloadedItems = items.reloaded
  }
}

extension SectionIndexPair {
  fileprivate init(_ pair: ItemPathPair) {
    self.init(source: SectionIndex(pair.source.item), target: SectionIndex(pair.target.item))
  }
}
