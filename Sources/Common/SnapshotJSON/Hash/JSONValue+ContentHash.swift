public import DeltaEngine

extension JSONValue {
  /// Returns the hash of the value's content.
  ///
  /// It is equal for two spellings of the same value, regardless of member order, white space and
  /// escapes. Numbers are compared as text.
  ///
  /// - Returns: The 128-bit XXH3 hash of the value's canonical text.
  /// - Complexity: O(*n*) in the number of bytes, and O(*m* log *m*) in the number of members of an
  ///   object.
  public func contentHash() -> ContentHash { contentHash(skipping: []) }

  /// Returns the content hash of an object without one of its members, if it has that member.
  ///
  /// For the member `items`, this is the hash that `Snapshot` has for the header of a section.
  public func contentHash(without member: String) -> ContentHash {
    contentHash(skipping: self[member].map { [UInt32($0.index)] } ?? [])
  }

  private func contentHash(skipping skipped: [UInt32]) -> ContentHash {
    let hash = storage.withView { view in
      var canonicalizer = Canonicalizer(view)
      return canonicalizer.hash(UInt32(index), skipping: skipped)
    }
    return hash ?? ContentHash(high: 0, low: 0)
  }

  /// Returns the content hashes of an array's elements, without the values at some pointers in them.
  ///
  /// Without those that equality ignores, these are the hashes that `Snapshot` has for items.
  package func elementHashes(ignoring pointers: [JSONPointer] = []) -> [ContentHash] {
    let elements = elements.map { UInt32($0.index) }
    return storage.withView { view in
      var canonicalizer = Canonicalizer(view)
      var hashes: [ContentHash] = []
      for element in elements {
        var skipped: [UInt32] = []
        view.collect(pointers, from: element, into: &skipped)
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
