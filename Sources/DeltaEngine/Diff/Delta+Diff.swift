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
    if uniqueness == .checked { try Section.checkUniqueness(of: source, .source) }
    let matched = try MatchedSections(from: source, to: target, uniqueness)
    let items = try matched.matchItems()
    if matched.changes.isEmpty && items.isEmpty {
      self = .empty
      return
    }
    self.init(
      staging: DeltaChanges(sections: matched.changes, items: items),
      sourceItemCounts: MatchedSections.counts(of: source),
      targetItemCounts: MatchedSections.counts(of: target))
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
    if uniqueness == .checked { try Item.checkUniqueness(of: source, .source) }
    let changes = try Item.changes(
      from: source, to: target, kind: .item, uniqueness: uniqueness)
    if changes.isEmpty {
      self = .empty
      return
    }
    self.init(
      staging: DeltaChanges(items: changes), sourceItemCounts: [source.count],
      targetItemCounts: [target.count])
  }

  /// Creates a delta by dividing changes, with minimal moves and ascending lists, into steps.
  @usableFromInline
  init(staging changes: DeltaChanges, sourceItemCounts: [Int], targetItemCounts: [Int]) {
    if changes.isEmpty {
      self = .empty
      return
    }
    let steps =
      changes.hasSectionOperations
      ? Arena.with {
        Staging(
          changes, sourceCounts: sourceItemCounts, targetCounts: targetItemCounts, in: &$0
        ).steps()
      } : PlainStaging(changes: changes, targetCounts: targetItemCounts).steps()
    self.init(
      changes: changes, steps: steps, sourceItemCounts: sourceItemCounts,
      targetItemCounts: targetItemCounts)
  }
}

extension DeltaChanges {
  @usableFromInline init(sections: MatchedChanges = MatchedChanges(), items: MatchedChanges) {
    deletedSections = sections.deleted.map { SectionIndex($0.item) }
    insertedSections = sections.inserted.map { SectionIndex($0.item) }
    movedSections = sections.moved.map(SectionIndexPair.init)
    reloadedSections = sections.reloaded.map(SectionIndexPair.init)
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
