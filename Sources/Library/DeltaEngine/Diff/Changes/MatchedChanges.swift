/// The result of matching two versions: deleted and inserted positions, moved and reloaded pairs.
///
/// For lists of sections the section of each path is 0 and its item is the index.
@usableFromInline struct MatchedChanges {
  @usableFromInline var deleted: [ItemPath<SourceSpace>] = []
  @usableFromInline var inserted: [ItemPath<TargetSpace>] = []
  @usableFromInline var moved: [ItemPathPair] = []
  @usableFromInline var reloaded: [ItemPathPair] = []

  @inlinable init() {}
}

extension Diffable {
  /// Matches the lists of two versions and determines the changes, with minimal moves and ascending
  /// lists.
  ///
  /// - Parameters:
  ///   - sources: The lists of the source.
  ///   - targets: The lists of the target.
  ///   - sourceLists: For each list of the target, the same section's in the source, or -1.
  ///   - kind: The kind of element to name in an error.
  ///   - uniqueness: What is known about the uniqueness of ids.
  /// - Returns: The changes.
  /// - Throws: `DuplicateIdentifier` if a duplicate id is encountered, or if ids are checked and
  ///   there is one.
  @inlinable static func changes(
    from sources: [[Self]], to targets: [[Self]], sourceLists: [Int32],
    kind: DuplicateIdentifier.Kind, _ uniqueness: Uniqueness
  ) throws(DuplicateIdentifier) -> MatchedChanges {
    var matcher = Matcher(sources, targets)
    for (target, source) in sourceLists.enumerated() where source >= 0 {
      matcher.align(sourceList: Int(source), targetList: target)
    }
    do throws(RepeatedIdentity) {
      try matcher.matchRest(uniqueness)
    } catch {
      let lists = error.side == .source ? sources : targets
      try findRepeated(inLists: lists, error.side, kind: kind)
      preconditionFailure("an id's type has values that are equal and hash differently")
    }
    var changes = MatchedChanges()
    matcher.addDeleted(to: &changes)
    var runs = matcher.runs[...]
    for (target, source) in sourceLists.enumerated() {
      let own = runs.prefix { $0.target.section == target }
      runs = runs.dropFirst(own.count)
      matcher.addKept(own, to: &changes, sourceList: Int(source), targetList: target)
    }
    return changes
  }
}

extension Matcher {
  @inlinable func addDeleted(to changes: inout MatchedChanges) {
    if matchedCount == isTaken.count { return }
    for (section, list) in sources.enumerated() {
      for index in list.indices where !isTaken[starts[section] + index] {
        changes.deleted.append(ItemPath(section: section, item: index))
      }
    }
  }

  /// Adds the inserted, moved and reloaded elements of a target list, whose section's source list is
  /// -1 if it is inserted.
  @inlinable func addKept(
    _ runs: ArraySlice<Run>, to changes: inout MatchedChanges, sourceList: Int, targetList: Int
  ) {
    let count = sourceList < 0 ? 0 : sources[sourceList].count
    let staying = LongestCommonOrder.staying(runs, of: sourceList, count: count)
    let target = targets[targetList]
    var end = 0
    for (number, run) in runs.enumerated() {
      for index in end..<run.target.item {
        changes.inserted.append(ItemPath(section: targetList, item: index))
      }
      end = run.target.item + run.count
      let section = run.source.section
      let moves = section != sourceList || staying?[number] == false
      for offset in 0..<run.count {
        let (one, other) = (run.source.item &+ offset, run.target.item &+ offset)
        let isChanged = !target[other].hasSameContent(as: sources[section][one])
        if !moves && !isChanged { continue }
        let pair = ItemPathPair(
          source: ItemPath(section: section, item: one),
          target: ItemPath(section: targetList, item: other))
        if moves { changes.moved.append(pair) }
        if isChanged { changes.reloaded.append(pair) }
      }
    }
    for index in end..<target.count {
      changes.inserted.append(ItemPath(section: targetList, item: index))
    }
  }
}
