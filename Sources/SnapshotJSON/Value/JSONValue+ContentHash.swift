public import DeltaEngine

extension JSONValue {
  /// The hash of what the value means: equal for two spellings of one value, whatever their
  /// member order, white space and escapes; numbers are compared by their text.
  ///
  /// - Parameter seed: Only hashes with one seed can be compared.
  /// - Returns: XXH3, 128 bits, of the value's canonical text.
  /// - Complexity: O(n) in the bytes of the value, and O(m log m) in the members of an object.
  public func contentHash(seed: UInt64 = 0) -> ContentHash {
    storage.contentHash(UInt32(index), skipping: [], seed: seed)
  }

  /// The content hash of an object without one of its members, if it has such a one.
  ///
  /// The hash that `Snapshot` gives the header of a section, when the member is `items`.
  public func contentHash(without member: String, seed: UInt64 = 0) -> ContentHash {
    guard let skipped = self[member] else { return contentHash(seed: seed) }
    return storage.contentHash(UInt32(index), skipping: [UInt32(skipped.index)], seed: seed)
  }

  /// The text of an object without white space and without one of its members.
  public func minified(without member: String) -> [UInt8] {
    guard let skipped = self[member] else { return minified() }
    return minified(skipping: UInt32(skipped.index))
  }
}

extension JSONStorage {
  /// The content hash of the value at `index` without some values inside it.
  func contentHash(_ index: UInt32, skipping skipped: [UInt32], seed: UInt64) -> ContentHash {
    let hash = withView { view in
      var canonicalizer = Canonicalizer(view, seed: seed)
      return canonicalizer.hash(index, skipping: skipped)
    }
    return hash ?? ContentHash(high: 0, low: 0)
  }
}
