/// Derives ascending lists of changes from an alignment and the partners found by hash.
@usableFromInline struct ChangeLists {
  private let alignment: Alignment
  private let partners: Partners
  private var pairs: ScratchList<SectionPair> { alignment.pairs }
  private var unresolved: Unresolved { alignment.unresolved }

  @usableFromInline init(_ alignment: Alignment, _ partners: Partners) {
    self.alignment = alignment
    self.partners = partners
  }

  /// Determines the minimal moves and lists all changes.
  @usableFromInline func changes(sourceSectionCount: Int, in arena: inout Arena) -> MatchedChanges {
    var changes = MatchedChanges()
    changes.deleted = .filled(capacity: unresolved.source.count - partners.count) {
      appendDeleted(to: &$0, sourceSectionCount: sourceSectionCount, in: &arena)
    }
    changes.reloaded = changedPairs()
    // The anchors alone are a common order, so there are no more moves than matches by hash.
    changes.inserted = .filled(capacity: unresolved.target.count - partners.count) {
      inserted in
      changes.moved = .filled(capacity: partners.count) { moved in
        var lists = MoveLists(alignment, partners, inserted: inserted, moved: moved)
        lists.fill(in: &arena)
        (inserted, moved) = (lists.inserted, lists.moved)
      }
    }
    return changes
  }

  /// Appends deleted elements in order of source section, as pairs are in the target's order.
  private func appendDeleted(
    to deleted: inout Output<ItemPath<SourceSpace>>, sourceSectionCount: Int, in arena: inout Arena
  ) {
    let pairOfSection: ScratchBuffer<Int32> = arena.allocate(sourceSectionCount)
    pairOfSection.fill(sourceSectionCount, with: -1)
    for number in 0..<pairs.count where pairs[number].sourceSection >= 0 {
      pairOfSection[Int(pairs[number].sourceSection)] = Int32(truncatingIfNeeded: number)
    }
    for section in 0..<sourceSectionCount where pairOfSection[section] >= 0 {
      let pair = pairs[Int(pairOfSection[section])]
      for number in pair.sourceRange where !partners.isTaken[number] {
        deleted.append(ItemPath(section: pair.sourceSection, item: unresolved.source[number]))
      }
    }
  }

  /// Returns the changed anchors merged with the changed elements that were matched by hash, pair
  /// by pair in the target's order.
  private func changedPairs() -> [ItemPathPair] {
    var matched = 0
    return .filled(capacity: unresolved.changed.count + partners.changed.count) {
      for number in 0..<pairs.count where pairs[number].targetSection >= 0 {
        appendChanged(to: &$0, pairs[number], &matched)
      }
    }
  }

  private func appendChanged(
    to changed: inout Output<ItemPathPair>, _ pair: SectionPair, _ matched: inout Int
  ) {
    for number in Int(pair.changedStart)..<Int(pair.changedEnd) {
      let anchor = unresolved.changed[number]
      appendMatched(to: &changed, pair, &matched, before: anchor.target)
      changed.append(
        ItemPathPair(
          source: ItemPath(section: pair.sourceSection, item: anchor.source),
          target: ItemPath(section: pair.targetSection, item: anchor.target)))
    }
    appendMatched(to: &changed, pair, &matched, before: .max)
  }

  /// Appends the changed elements of a pair that were matched by hash and precede an index.
  @inline(__always) private func appendMatched(
    to changed: inout Output<ItemPathPair>, _ pair: SectionPair, _ matched: inout Int,
    before index: Int32
  ) {
    while matched < partners.changed.count {
      let number = Int(partners.changed[matched])
      if number >= pair.targetEnd || unresolved.target[number] >= index { return }
      changed.append(
        ItemPathPair(
          source: alignment.sourcePath(partners[number]), target: alignment.targetPath(number)))
      matched += 1
    }
  }
}
