public import DeltaEngine

extension JSONValue {
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
