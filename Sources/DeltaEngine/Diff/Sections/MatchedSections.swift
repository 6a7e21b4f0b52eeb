/// The sections of two versions after matching.
@usableFromInline struct MatchedSections<Section: DiffableSection> {
  @usableFromInline let source: [Section]
  @usableFromInline let target: [Section]
  /// The changes of the sections; paths are in section 0.
  @usableFromInline let changes: MatchedChanges
  @usableFromInline let uniqueness: Uniqueness

  @inlinable init(
    from source: [Section], to target: [Section], _ uniqueness: Uniqueness
  ) throws(DuplicateIdentifier) {
    self.source = source
    self.target = target
    self.uniqueness = uniqueness
    changes = try Section.changes(
      from: source, to: target, kind: .section, uniqueness: uniqueness)
  }

  /// Returns the number of items in each section.
  @inlinable static func counts(of sections: [Section]) -> [Int] { sections.map { $0.items.count } }

  /// Matches the items, first section by section, then the remaining ones across all sections.
  ///
  /// - Throws: `DuplicateIdentifier` if a duplicate id is encountered, or if the target is checked
  ///   and contains one.
  @inlinable func matchItems() throws(DuplicateIdentifier) -> MatchedChanges {
    let items: MatchedChanges
    do throws(RepeatedIdentity) {
      items = try matchedItems()
    } catch {
      throw Section.Item.duplicate(
        inLists: Self.lists(error.side == .source ? source : target), error.side, kind: .item)
    }
    if items.mayRepeatAdded {
      try Section.Item.findRepeated(inLists: Self.lists(target), .target, kind: .item)
    }
    return items
  }

  @inlinable static func lists(_ sections: [Section]) -> [ContiguousArray<Section.Item>] {
    sections.map { ContiguousArray($0.items) }
  }

  @inlinable func matchedItems() throws(RepeatedIdentity) -> MatchedChanges {
    // This copies only an array that is not stored contiguously.
    let (source, target) = (ContiguousArray(source), ContiguousArray(target))
    return try source.withElements { source throws(RepeatedIdentity) in
      try target.withElements { target throws(RepeatedIdentity) in
        try Arena.with { arena throws(RepeatedIdentity) in
          try RetainedLists<Section.Item>.scoped(
            capacity: source.count + target.count, in: &arena
          ) { retained, arena throws(RepeatedIdentity) in
            try matchItems(source, target, &retained, in: &arena)
          }
        }
      }
    }
  }

  @inlinable func matchItems(
    _ source: Elements<Section>, _ target: Elements<Section>,
    _ retained: inout RetainedLists<Section.Item>, in arena: inout Arena
  ) throws(RepeatedIdentity) -> MatchedChanges {
    var pairs = ItemPairs(source, target, in: &arena)
    if changes.hasMembership {
      let mapping = SectionMapping(
        inserted: changes.inserted.lazy.map { $0.item },
        deleted: changes.deleted.lazy.map { $0.item },
        moved: changes.moved.lazy.map { ($0.source.item, $0.target.item) },
        sourceCount: source.count, targetCount: target.count, in: &arena)
      for index in 0..<target.count {
        pairs.align(sourceSection: mapping[index], targetSection: index, &retained, in: &arena)
      }
    } else {
      for index in 0..<target.count {
        pairs.align(sourceSection: index, targetSection: index, &retained, in: &arena)
      }
    }
    for path in changes.deleted {
      pairs.align(sourceSection: path.item, targetSection: -1, &retained, in: &arena)
    }
    return try pairs.changes(checksTarget: uniqueness != .promised, in: &arena)
  }
}
