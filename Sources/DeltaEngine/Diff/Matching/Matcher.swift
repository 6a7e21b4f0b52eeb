/// Finds the partners of what did not line up.
///
/// A list that was turned around says so itself. Identities that are numbers close together have a
/// place each. All others are hashed once, in a loop that does nothing else. Then, where most has
/// no partner, filters say so for nearly all of it, and the table holds only the rest; else it
/// holds all.
///
/// Invariant: a source element is the partner of at most one target element, and both are the same.
@usableFromInline struct Matcher<Element: Diffable> {
  @usableFromInline let alignment: Alignment
  @usableFromInline let sources: UnresolvedElements<Element>
  @usableFromInline let targets: UnresolvedElements<Element>
  @usableFromInline var partners: Partners

  /// A matcher of an alignment's unresolved elements, all without a partner yet.
  ///
  /// - Parameters:
  ///   - alignment: What did not line up.
  ///   - sourceLists: Per pair, the source's elements.
  ///   - targetLists: Per pair, the target's elements.
  ///   - arena: Where the partners are kept.
  @inlinable init(
    _ alignment: Alignment, _ sourceLists: ScratchBuffer<Elements<Element>>,
    _ targetLists: ScratchBuffer<Elements<Element>>, in arena: inout Arena
  ) {
    self.alignment = alignment
    sources = UnresolvedElements(
      lists: sourceLists, indices: alignment.unresolved.source, pairs: alignment.sourcePairs,
      hasOneList: alignment.hasOnePair)
    targets = UnresolvedElements(
      lists: targetLists, indices: alignment.unresolved.target, pairs: alignment.targetPairs,
      hasOneList: alignment.hasOnePair)
    partners = Partners(
      sourceCount: sources.count, targetCount: targets.count, pairCount: alignment.pairs.count,
      in: &arena)
  }

  /// Matches all that did not line up.
  ///
  /// - Throws: `RepeatedPlaces` when two unresolved elements of one side are the same.
  @inlinable mutating func match(in arena: inout Arena) throws(RepeatedPlaces) {
    guard sources.count > 0, targets.count > 0 else {
      partners.numbers.fill(targets.count, with: -1)
      return
    }
    if let mirror = MirrorMatcher(alignment, sources, targets) {
      mirror.match(&partners)
      try matchRest(in: &arena)
    } else if let span = IdentitySpan(of: sources, in: &arena) {
      try enter(into: span)
      span.findCandidates(targets, into: partners.numbers)
      try confirmCandidates(in: &arena) { _ in -1 }
    } else {
      try matchByHash(in: &arena)
    }
  }

  /// Matches by hash: plain identities by that of their bits first.
  @inlinable mutating func matchByHash(in arena: inout Arena) throws(RepeatedPlaces) {
    let hashes = Hashes(source: arena.allocate(sources.count), target: partners.numbers)
    if Element.identityIsPlain {
      let hint = IdentityHash(isCanonical: false, isHint: true)
      _ = hashes.fill(from: sources, targets, by: hint)
      try match(hashes, hint, in: &arena)
      if partners.count > 0 { return try matchRest(in: &arena) }
    }
    let hash = hashes.fill(from: sources, targets)
    try match(hashes, hash, in: &arena)
  }

  /// Matches all that is unresolved, by hashes that are there.
  @inlinable mutating func match(
    _ hashes: Hashes, _ hash: IdentityHash, in arena: inout Arena
  ) throws(RepeatedPlaces) {
    if let common = CommonElements(
      hashes, sourceCount: sources.count, targetCount: targets.count,
      missCount: alignment.missCount, in: &arena)
    {
      let table = IdentityTable(sources, count: common.source.count, in: &arena)
      try enter(common.source.numbers, hashes.source, into: table)
      try lookUp(common.target.numbers, hashes.target, in: table)
    } else {
      let table = IdentityTable(sources, count: sources.count, in: &arena)
      try enter(0..<sources.count, hashes.source, into: table)
      table.findCandidates(hashes.target, count: targets.count, into: partners.numbers)
      let targets = targets
      try confirmCandidates(in: &arena) { table.find(targets, $0, by: hash) }
    }
  }

  /// Matches what has no partner yet, identities without a hash of their own by `Hasher`; mostly
  /// there is little of it.
  @inlinable mutating func matchRest(in arena: inout Arena) throws(RepeatedPlaces) {
    if partners.count == min(sources.count, targets.count) { return }
    let (sourceRest, targetRest) = partners.missing(
      sourceCount: sources.count, targetCount: targets.count, in: &arena)
    let changedCount = partners.changed.count
    let hash = IdentityHash(isCanonical: true)
    let hashes = Hashes(source: arena.allocate(sources.count), target: partners.numbers)
    let table = IdentityTable(sources, count: sourceRest.count, in: &arena)
    for number in sourceRest.numbers { hashes.source[number] = hash.hash(sources, number) }
    for number in targetRest.numbers { hashes.target[number] = hash.hash(targets, number) }
    try enter(sourceRest.numbers, hashes.source, into: table)
    try lookUp(targetRest.numbers, hashes.target, in: table)
    if partners.changed.count > changedCount { partners.changed.sort() }
  }
}
