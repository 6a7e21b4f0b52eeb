/// Finds the partners of unresolved elements by a hash table of the source's.
///
/// Invariant: a source element is the partner of at most one target element, and their identities
/// are equal.
@usableFromInline struct Matcher<Element: Diffable> {
  @usableFromInline let sources: UnresolvedElements<Element>
  @usableFromInline let targets: UnresolvedElements<Element>
  @usableFromInline var partners: Partners

  /// Creates a matcher of an alignment's unresolved elements, none of which has a partner yet.
  @inlinable init(
    _ alignment: Alignment, _ sourceLists: ScratchBuffer<Elements<Element>>,
    _ targetLists: ScratchBuffer<Elements<Element>>, in arena: inout Arena
  ) {
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
  /// - Throws: `RepeatedIdentity` if two unresolved elements of one side have the same identity.
  @inlinable mutating func match(in arena: inout Arena) throws(RepeatedIdentity) {
    let (hash, sources, targets) = (IdentityHash(), sources, targets)
    let table = HashTable(count: sources.count, in: &arena)
    for number in 0..<sources.count {
      let other = table.insert(number, hash.hash(sources[number].diffID, of: Element.self)) {
        Element.isSame(sources[$0].diffID, sources[number].diffID)
      }
      if other >= 0 { throw RepeatedIdentity(side: .source) }
    }
    for number in 0..<targets.count {
      let partner = table.find(hash.hash(targets[number].diffID, of: Element.self)) {
        Element.isSame(sources[$0].diffID, targets[number].diffID)
      }
      partners.numbers[number] = Int32(truncatingIfNeeded: partner)
    }
    // A copy lets the loop keep it in registers.
    var partners = partners
    for number in 0..<targets.count where partners[number] >= 0 {
      if !partners.take(partners[number], for: number, sources, targets) {
        throw RepeatedIdentity(side: .target)
      }
    }
    self.partners = partners
  }
}

/// Two elements of one side have the same identity.
@usableFromInline struct RepeatedIdentity: Error {
  @usableFromInline let side: DuplicateIdentifier.Side

  @inlinable init(side: DuplicateIdentifier.Side) { self.side = side }
}
