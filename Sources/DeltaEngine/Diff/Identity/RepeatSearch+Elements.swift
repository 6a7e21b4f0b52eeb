extension RepeatSearch {
  /// Searches by the fastest hash that all identities have.
  ///
  /// - Parameters:
  ///   - enteredCount: The number of hashes to enter, at most.
  ///   - probedCount: The number of hashes to probe, at most.
  ///   - arena: Where to work.
  ///   - fill: Enters and probes; returns false when an identity can only be hashed by `Hasher`, and
  ///     this is another hash.
  /// - Returns: Whether any entered hash occurs twice, or was probed too.
  @inlinable static func run(
    enteredCount: Int, probedCount: Int, in arena: inout Arena,
    _ fill: (inout RepeatSearch, IdentityHash) -> Bool
  ) -> Bool {
    arena.scoped { arena in
      for isCanonical in [false, true] {
        var search = RepeatSearch(
          enteredCount: enteredCount, probedCount: probedCount, in: &arena)
        if fill(&search, IdentityHash(isCanonical: isCanonical)) {
          return search.hasRepeated(in: &arena)
        }
      }
      return false
    }
  }
}

extension Elements where Element: Diffable {
  /// Enters the hashes of all identities.
  ///
  /// - Returns: False when one of them can only be hashed by `Hasher`, and this is another hash.
  @inlinable func enter(into search: inout RepeatSearch, by hash: IdentityHash) -> Bool {
    precondition(search.first.count + count < search.first.buffer.capacity)
    return forEachHash(by: hash, in: &search) { $0.enter($1) }
  }

  /// Probes the hashes of all identities.
  ///
  /// - Returns: As `enter(into:by:)`.
  @inlinable func probe(_ search: inout RepeatSearch, by hash: IdentityHash) -> Bool {
    precondition(search.again.count + count < search.again.buffer.capacity)
    return forEachHash(by: hash, in: &search) { $0.probe($1) }
  }

  /// Takes a step for the hash of each identity, until there is one that can only be hashed by `Hasher`.
  @inlinable @inline(__always) func forEachHash(
    by hash: IdentityHash, in search: inout RepeatSearch,
    _ step: (inout RepeatSearch, UInt64) -> Void
  ) -> Bool {
    // A copy: the loop then keeps it in registers.
    var copy = search
    for index in 0..<count {
      guard let hash = hash.hash(self[index].diffID, of: Element.self) else { return false }
      step(&copy, hash)
    }
    search = copy
    return true
  }
}

extension Matcher {
  /// Whether an element that was added may have the identity of another one of the target, when
  /// those of the source are unique.
  ///
  /// All other elements of the target are elements of the source, each of them once. So an added
  /// one has its identity in common with another added one, or with one of the source.
  ///
  /// - Parameters:
  ///   - sourceCount: The number of elements of the source, those that line up among them.
  ///   - arena: Where to work.
  ///   - probeSource: Probes all elements of the source.
  /// - Returns: False only when no added one has.
  @inlinable func mayRepeatAdded(
    sourceCount: Int, in arena: inout Arena,
    probeSource: (inout RepeatSearch, IdentityHash) -> Bool
  ) -> Bool {
    let addedCount = targets.count - partners.count
    if addedCount == 0 { return false }
    return RepeatSearch.run(
      enteredCount: addedCount, probedCount: sourceCount, in: &arena
    ) { search, hash in
      enterAdded(into: &search, by: hash) && probeSource(&search, hash)
    }
  }

  @inlinable func enterAdded(into search: inout RepeatSearch, by hash: IdentityHash) -> Bool {
    var copy = search
    for number in 0..<targets.count where partners[number] < 0 {
      guard let hash = hash.hash(targets[number].diffID, of: Element.self) else { return false }
      copy.enter(hash)
    }
    search = copy
    return true
  }
}
