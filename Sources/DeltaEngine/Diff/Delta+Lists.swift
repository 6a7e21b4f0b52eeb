extension Diffable {
  /// Matches two flat lists and determines the changes; paths are in section 0.
  ///
  /// - Throws: `DuplicateIdentifier` if a duplicate id is encountered, or if the target is checked
  ///   and contains one.
  @inlinable static func changes(
    from source: [Self], to target: [Self], kind: DuplicateIdentifier.Kind, uniqueness: Uniqueness
  ) throws(DuplicateIdentifier) -> MatchedChanges {
    let (source, target) = (ContiguousArray(source), ContiguousArray(target))
    let isChecked = uniqueness != .promised
    let changes: MatchedChanges
    do throws(RepeatedIdentity) {
      changes = try source.withElements { source throws(RepeatedIdentity) in
        try target.withElements { target throws(RepeatedIdentity) in
          try self.changes(from: source, to: target, checksTarget: isChecked)
        }
      }
    } catch {
      let list = error.side == .source ? source : target
      throw duplicate(inLists: [list], error.side, kind: kind)
    }
    if changes.mayRepeatAdded { try findRepeated(inLists: [target], .target, kind: kind) }
    return changes
  }

  @inlinable static func changes(
    from source: Elements<Self>, to target: Elements<Self>, checksTarget: Bool
  ) throws(RepeatedIdentity) -> MatchedChanges {
    try Arena.with { arena throws(RepeatedIdentity) in
      var alignment = Alignment(
        sourceCount: source.count, targetCount: target.count, pairCountMax: 1, in: &arena)
      alignment.align(source, target, sourceSection: 0, targetSection: 0, in: &arena)
      let sources: ScratchBuffer<Elements<Self>> = arena.allocate(1)
      let targets: ScratchBuffer<Elements<Self>> = arena.allocate(1)
      sources[0] = source
      targets[0] = target
      return try alignment.changes(
        of: sources, targets, sourceSectionCount: 1, in: &arena
      ) { matcher, arena in
        checksTarget
          && matcher.mayRepeatAdded(sourceCount: source.count, in: &arena) {
            source.probe(&$0)
          }
      }
    }
  }
}

extension Alignment {
  /// Matches the unresolved elements and lists the changes.
  ///
  /// - Parameters:
  ///   - sources: The source list of each pair.
  ///   - targets: The target list of each pair.
  ///   - sourceSectionCount: The number of source sections that pairs refer to.
  ///   - arena: The scratch memory.
  ///   - mayRepeatAdded: Called after matching; returns whether an inserted element may repeat
  ///     another identity.
  /// - Returns: The changes, with minimal moves and ascending lists.
  /// - Throws: `RepeatedIdentity` if two unresolved elements of one side have the same identity.
  @inlinable func changes<Element: Diffable>(
    of sources: ScratchBuffer<Elements<Element>>, _ targets: ScratchBuffer<Elements<Element>>,
    sourceSectionCount: Int, in arena: inout Arena,
    mayRepeatAdded: (Matcher<Element>, inout Arena) -> Bool
  ) throws(RepeatedIdentity) -> MatchedChanges {
    if isEmpty { return MatchedChanges() }
    var matcher = Matcher(self, sources, targets, in: &arena)
    try arena.scoped { arena throws(RepeatedIdentity) in try matcher.match(in: &arena) }
    let mayRepeatAdded = mayRepeatAdded(matcher, &arena)
    var changes = ChangeLists(self, matcher.partners).changes(
      sourceSectionCount: sourceSectionCount, in: &arena)
    changes.mayRepeatAdded = mayRepeatAdded
    return changes
  }
}
