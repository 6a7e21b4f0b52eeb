extension Matching {
  /// Matches what did not line up.
  ///
  /// A list that was turned around says so itself. Identities that are numbers close together have a
  /// place each. All others are hashed once, in a loop that does nothing else. Then, where most has no partner, filters say so for nearly all of
  /// it, and the table holds only the rest; else it holds all.
  ///
  /// - Parameters:
  ///   - sourceLists: Per kept group, the source's elements.
  ///   - targetLists: Per kept group, the target's elements.
  /// - Throws: `RepeatedPlaces` when two unresolved elements of one side are the same.
  @inlinable
  mutating func matchUnresolved<Element: Diffable>(
    _ sourceLists: ScratchBuffer<Elements<Element>>,
    _ targetLists: ScratchBuffer<Elements<Element>>
  ) throws(RepeatedPlaces) {
    let sources = UnresolvedElements(
      lists: sourceLists, indices: unresolved.source, groups: sourceGroups, hasOneList: hasOnePair)
    let targets = UnresolvedElements(
      lists: targetLists, indices: unresolved.target, groups: targetGroups, hasOneList: hasOnePair)
    partners = Partners(
      sourceCount: sources.count, targetCount: targets.count, groupCount: groups.count,
      in: &workspace)
    guard sources.count > 0, targets.count > 0 else {
      partners.numbers.fill(targets.count, with: -1)
      return
    }
    let used = workspace.used
    defer { workspace.used = used }
    if matchMirrored(sources, targets) {
      try matchRest(sources, targets)
    } else if let span = span(of: sources) {
      try enter(sources, into: span)
      span.guess(targets, into: partners.numbers)
      try confirm(sources, targets) { _ in -1 }
    } else {
      try matchByHash(sources, targets)
    }
  }

  /// Matches by hash: plain identities by that of their bits first.
  @inlinable
  mutating func matchByHash<Element: Diffable>(
    _ sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>
  ) throws(RepeatedPlaces) {
    let hashes = Hashes(source: workspace.carve(sources.count), target: partners.numbers)
    if Element.identityIsPlain {
      let hint = IdentityHash(isCanonical: false, isHint: true)
      _ = hashes.fill(from: sources, targets, by: hint)
      try match(sources, targets, hashes, hint)
      if partners.count > 0 { return try matchRest(sources, targets) }
    }
    let hash = hashes.fill(from: sources, targets)
    try match(sources, targets, hashes, hash)
  }

  /// Matches all that is unresolved, by hashes that are there.
  @inlinable
  mutating func match<Element: Diffable>(
    _ sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>,
    _ hashes: Hashes, _ hash: IdentityHash
  ) throws(RepeatedPlaces) {
    let used = workspace.used
    if let candidates = candidates(hashes) {
      let table = IdentityTable(sources, count: candidates.source.count, in: &workspace)
      try enter(candidates.source.numbers, hashes.source, into: table)
      try lookUp(candidates.target.numbers, hashes.target, targets, in: table)
    } else {
      let table = IdentityTable(sources, count: sources.count, in: &workspace)
      try enter(0..<sources.count, hashes.source, into: table)
      table.guess(hashes.target, count: targets.count, into: partners.numbers)
      try confirm(sources, targets) { table.find(targets, $0, by: hash) }
    }
    workspace.used = used
  }

  /// Matches what has no partner yet, identities without a hash of their own by `Hasher`; mostly
  /// there is little of it.
  @inlinable
  mutating func matchRest<Element: Diffable>(
    _ sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>
  ) throws(RepeatedPlaces) {
    if partners.count == min(sources.count, targets.count) { return }
    let (sourceRest, targetRest) = withoutPartner()
    let changedCount = partners.changed.count
    let hash = IdentityHash(isCanonical: true)
    let hashes = Hashes(source: workspace.carve(sources.count), target: partners.numbers)
    let table = IdentityTable(sources, count: sourceRest.count, in: &workspace)
    for number in sourceRest.numbers {
      hashes.source[number] = hash.hash(sources, number)
    }
    for number in targetRest.numbers {
      hashes.target[number] = hash.hash(targets, number)
    }
    try enter(sourceRest.numbers, hashes.source, into: table)
    try lookUp(targetRest.numbers, hashes.target, targets, in: table)
    if partners.changed.count > changedCount { partners.changed.sort() }
  }

  /// The unresolved elements that have no partner yet.
  @usableFromInline
  mutating func withoutPartner() -> (source: ScratchList<Int32>, target: ScratchList<Int32>) {
    var source = ScratchList<Int32>(workspace.carve(unresolved.source.count + 1))
    var target = ScratchList<Int32>(workspace.carve(unresolved.target.count + 1))
    for number in 0..<unresolved.source.count {
      source.append(Int32(truncatingIfNeeded: number), keepingIf: !partners.isTaken[number])
    }
    for number in 0..<unresolved.target.count {
      target.append(Int32(truncatingIfNeeded: number), keepingIf: partners[number] < 0)
    }
    return (source, target)
  }
}
