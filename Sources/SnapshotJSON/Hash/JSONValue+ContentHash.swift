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

  /// Returns the content hashes of an array's elements, without the values at some pointers in them.
  ///
  /// Without those that equality ignores, these are the hashes that `Snapshot` has for items.
  package func elementHashes(ignoring pointers: [JSONPointer] = []) -> [ContentHash] {
    let paths = pointers.filter { !$0.tokens.isEmpty }.map { TokenPath($0) }
    let elements = elements.map { UInt32($0.index) }
    return storage.withView { view in
      var canonicalizer = Canonicalizer(view, seed: 0)
      var hashes: [ContentHash] = []
      for element in elements {
        var skipped: [UInt32] = []
        for path in paths { path.collect(element, in: view, into: &skipped) }
        hashes.append(canonicalizer.hash(element, skipping: skipped))
      }
      return hashes
    } ?? []
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
