/// The hashes of unresolved elements of one side, 32 bits each.
@usableFromInline struct HashList {
  @usableFromInline let buffer: ScratchBuffer<Int32>

  @inlinable init(_ buffer: ScratchBuffer<Int32>) { self.buffer = buffer }

  /// The hash of a number.
  @inlinable subscript(number: Int) -> UInt32 {
    @inline(__always) get { UInt32(bitPattern: buffer[number]) }
    @inline(__always) nonmutating set { buffer[number] = Int32(bitPattern: newValue) }
  }
}

/// The hashes of all unresolved elements.
///
/// A target element's hash stands where its partner will: it is read for the last time before its
/// partner is known.
@usableFromInline struct Hashes {
  @usableFromInline let source: HashList
  @usableFromInline let target: HashList

  @inlinable init(source: ScratchBuffer<Int32>, target: ScratchBuffer<Int32>) {
    self.source = HashList(source)
    self.target = HashList(target)
  }

  /// Hashes both sides, by `Hasher` when an identity can only be hashed that way.
  ///
  /// - Returns: How they were hashed.
  @inlinable func fill<Element: Diffable>(
    from sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>
  ) -> IdentityHash {
    let hash = IdentityHash(isCanonical: false)
    if fill(from: sources, targets, by: hash) { return hash }
    let canonical = IdentityHash(isCanonical: true)
    _ = fill(from: sources, targets, by: canonical)
    return canonical
  }

  /// Hashes both sides one way.
  ///
  /// - Returns: False when an identity can only be hashed another way.
  @inlinable func fill<Element: Diffable>(
    from sources: UnresolvedElements<Element>, _ targets: UnresolvedElements<Element>,
    by hash: IdentityHash
  ) -> Bool {
    sources.hash(by: hash, into: source) && targets.hash(by: hash, into: target)
  }
}
