/// The hashes of all unresolved elements, 32 bits each.
@usableFromInline
struct Hashes {
  @usableFromInline let source: ScratchBuffer<UInt32>
  @usableFromInline let target: ScratchBuffer<UInt32>

  @inlinable
  init(source: ScratchBuffer<UInt32>, target: ScratchBuffer<UInt32>) {
    self.source = source
    self.target = target
  }

  /// Hashes both sides one way.
  ///
  /// - Returns: False when an identity can only be hashed another way.
  @inlinable
  func fill<Element: Diffable>(
    from sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>,
    by hash: IdentityHash
  ) -> Bool {
    sources.hash(by: hash, into: source) && targets.hash(by: hash, into: target)
  }

  /// Hashes both sides; by `Hasher` when an identity can only be hashed that way.
  @inlinable
  func fill<Element: Diffable>(
    from sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>
  ) {
    for isCanonical in [false, true] {
      if fill(from: sources, targets, by: IdentityHash(isCanonical: isCanonical)) { return }
    }
  }
}
