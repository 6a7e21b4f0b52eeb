public import DeltaEngine

extension JSONValue {
  /// The content hash of an object without one of its members, if it has such a one.
  ///
  /// The hash that `Snapshot` gives the header of a section, when the member is `items`.
  public func contentHash(without member: String, seed: UInt64 = 0) -> ContentHash {
    guard let skipped = self[member] else { return contentHash(seed: seed) }
    var result = ContentHash(high: 0, low: 0)
    storage.withPointers { text, tape in
      var canonicalizer = Canonicalizer(
        text: text, textCount: storage.bytes.count, tape: tape, seed: seed)
      result = canonicalizer.hash(UInt32(index), skipping: [UInt32(skipped.index)])
    }
    return result
  }

  /// The text of an object without white space and without one of its members.
  public func minified(without member: String) -> [UInt8] {
    guard let skipped = self[member] else { return minified() }
    return [UInt8](unsafeUninitializedCapacity: range.count) { out, count in
      guard let out = out.baseAddress else { return }
      storage.withPointers { text, tape in
        var minifier = Minifier(text: text, tape: tape)
        minifier.skipped = UInt32(skipped.index)
        minifier.copy(UInt32(index), out, &count)
      }
    }
  }
}
