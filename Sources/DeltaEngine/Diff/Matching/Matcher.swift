/// Finds the partners of unresolved elements.
///
/// A reversed list is recognized as such, and integer identities close together use a
/// direct-address table. All others are hashed once, in a tight loop. Then, if most have no
/// partner, filters rule out nearly all of those and the hash table holds only the rest; otherwise
/// it holds all.
///
/// Invariant: a source element is the partner of at most one target element, and their identities
/// are equal.
@usableFromInline struct Matcher<Element: Diffable> {
  @usableFromInline let alignment: Alignment
  @usableFromInline let sources: UnresolvedElements<Element>
  @usableFromInline let targets: UnresolvedElements<Element>
  @usableFromInline var partners: Partners

  /// Creates a matcher of an alignment's unresolved elements, none of which has a partner yet.
  ///
  /// - Parameters:
  ///   - alignment: The result of aligning the lists.
  ///   - sourceLists: The source list of each pair.
  ///   - targetLists: The target list of each pair.
  ///   - arena: The memory for the partners.
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

  /// Matches all unresolved elements.
  ///
  /// - Throws: `RepeatedPlaces` if two unresolved elements of one side have the same identity.
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

  /// Matches by hash, plain identities by their bits first.
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

  /// Matches all unresolved elements by hashes already computed.
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

  /// Matches the elements still without a partner, usually few, using `Hasher`.
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
