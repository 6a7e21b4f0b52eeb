public import DeltaEngine

extension JSONValue {
  /// The hash of what the value means: equal for two spellings of one value, whatever their
  /// member order, white space and escapes; numbers are compared by their text.
  ///
  /// - Parameter seed: Only hashes with one seed can be compared.
  /// - Returns: XXH3, 128 bits, of the value's canonical text.
  /// - Complexity: O(n) in the bytes of the value, and O(m log m) in the members of an object.
  public func contentHash(seed: UInt64 = 0) -> ContentHash {
    var hash = ContentHash(high: 0, low: 0)
    storage.withPointers { text, tape in
      var canonicalizer = Canonicalizer(
        text: text, textCount: storage.bytes.count, tape: tape, seed: seed)
      hash = canonicalizer.hash(UInt32(index))
    }
    return hash
  }
}
