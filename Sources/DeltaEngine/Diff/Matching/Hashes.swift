/// The hashes of all unresolved elements.
///
/// A target element's hash is stored where its partner's number will be; it is not needed once the
/// partner is known.
@usableFromInline struct Hashes {
  @usableFromInline let source: HashList
  @usableFromInline let target: HashList

  @inlinable init(source: ScratchBuffer<Int32>, target: ScratchBuffer<Int32>) {
    self.source = HashList(source)
    self.target = HashList(target)
  }

  /// Hashes both sides, using `Hasher` if an identity requires it.
  ///
  /// - Returns: The hash that was used.
  @inlinable func fill<Element: Diffable>(
    from sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>
  ) -> IdentityHash {
    let hash = IdentityHash(isCanonical: false)
    if fill(from: sources, targets, by: hash) { return hash }
    let canonical = IdentityHash(isCanonical: true)
    _ = fill(from: sources, targets, by: canonical)
    return canonical
  }

  /// Hashes both sides with one hash.
  ///
  /// - Returns: `false` if an identity cannot be hashed this way.
  @inlinable func fill<Element: Diffable>(
    from sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>,
    by hash: IdentityHash
  ) -> Bool {
    sources.hash(by: hash, into: source) && targets.hash(by: hash, into: target)
  }
}
