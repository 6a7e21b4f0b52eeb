public import DeltaEngine

extension JSONValue {
  /// Returns the hash of the value's content.
  ///
  /// It is equal for two spellings of the same value, regardless of member order, white space and
  /// escapes. Numbers are compared as text.
  ///
  /// - Parameter seed: The seed; only hashes with the same seed can be compared.
  /// - Returns: The 128-bit XXH3 hash of the value's canonical text.
  /// - Complexity: O(*n*) in the number of bytes, and O(*m* log *m*) in the number of members of an
  ///   object.
  public func contentHash(seed: UInt64 = 0) -> ContentHash {
    storage.contentHash(UInt32(index), skipping: [], seed: seed)
  }

  /// Returns the content hash of an object without one of its members, if it has that member.
  ///
  /// For the member `items`, this is the hash that `Snapshot` has for the header of a section.
  public func contentHash(without member: String, seed: UInt64 = 0) -> ContentHash {
    guard let skipped = self[member] else { return contentHash(seed: seed) }
    return storage.contentHash(UInt32(index), skipping: [UInt32(skipped.index)], seed: seed)
  }

  /// Returns the minified text of an object without one of its members.
  public func minified(without member: String) -> [UInt8] {
    guard let skipped = self[member] else { return minified() }
    return minified(skipping: UInt32(skipped.index))
  }
}

extension JSONStorage {
  /// Returns the content hash of the value at `index`, excluding some values inside it.
  func contentHash(_ index: UInt32, skipping skipped: [UInt32], seed: UInt64) -> ContentHash {
    let hash = withView { view in
      var canonicalizer = Canonicalizer(view, seed: seed)
      return canonicalizer.hash(index, skipping: skipped)
    }
    return hash ?? ContentHash(high: 0, low: 0)
  }
}
