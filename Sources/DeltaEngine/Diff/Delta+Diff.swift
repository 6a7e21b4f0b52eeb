extension Delta {
  /// The minimal, staged delta from one version of a sectioned list to another.
  ///
  /// - Parameters:
  ///   - source: The sections as they are; section ids unique, item ids unique over all sections.
  ///   - target: The sections wanted, likewise.
  ///   - uniqueness: What is known of the ids.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in one of the versions.
  /// - Complexity: O(n + m) expected; O(k log k) for the k items that changed their order.
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

  /// The minimal delta from one version of a flat list to another, as section 0 of a sectioned one.
  ///
  /// - Parameters:
  ///   - source: The items as they are; ids unique.
  ///   - target: The items wanted, likewise.
  ///   - uniqueness: What is known of the ids.
  /// - Throws: `DuplicateIdentifier` when an id occurs twice in one of the versions.
  /// - Complexity: As `init(from:to:uniqueness:)`.
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

  /// Changes, cut into steps.
  ///
  /// - Parameters:
  ///   - changes: What differs; moves minimal, lists ascending.
  ///   - sourceItemCounts: The number of items of each source section.
  ///   - targetItemCounts: The number of items of each target section.
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
  /// What matching found of sections and of items.
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
