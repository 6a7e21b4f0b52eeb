import DeltaEngine
package import SnapshotJSON

extension CollectionState {
  /// Replaces changed items in a delta by merge patches; `includesHead` says that the head may have the items
  /// that the delta starts from.
  package func patchingItems(
    _ material: DeltaEncodingInput, includesHead: Bool = false, _ reader: JSONReader
  ) -> DeltaEncodingInput {
    // If the hash does not cover the whole item, or is overridden, it does not tell whether a
    // reader has the same contents.
    guard settings.comparesAll, overrides.isEmpty else { return material.patchingItems(reader) }
    let hashes = material.replacedHashes
    var texts = replaced.texts(of: hashes)
    if includesHead {
      for (flat, item) in sections.lazy.flatMap(\.items).enumerated()
      where hashes.contains(item.content) {
        texts[item.content] = contents.item(at: flat)
      }
    }
    return material.patchingItems(reader) { item in
      guard let text = texts[item.content],
        // An item shown under an overridden hash may have other contents.
        reader.root(of: Array(text))?.contentHash() == item.content
      else { return nil }
      return text
    }
  }
}
