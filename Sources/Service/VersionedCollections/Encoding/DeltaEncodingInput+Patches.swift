import DeltaEngine
package import SnapshotJSON

// Sends items as merge patches, `{"~patch":{…}}`, where that is shorter and exact.

extension DeltaEncodingInput {
  /// Replaces changed items by merge patches, where it is known what JSON every reader of the source version
  /// has for the item.
  package func patchingItems(
    _ reader: JSONReader, from text: (StructureItem) -> ArraySlice<UInt8>? = { _ in nil }
  ) -> DeltaEncodingInput {
    var material = self
    for path in delta.changes.insertedItems {
      material.entries[path] = ItemEntry.wrapped(json(path), reader)
    }
    for pair in delta.changes.reloadedItems {
      let (old, new) = (text(sourceItem(pair.source)), json(pair.target))
      material.entries[pair.target] =
        ItemEntry.wrapped(new, reader) ?? old.flatMap { ItemEntry.patch(from: $0, to: new, reader) }
    }
    return material
  }

  private func sourceItem(_ path: ItemPath<SourceSpace>) -> StructureItem {
    source[path.section].items[path.item]
  }

  /// The previous hashes of the changed items.
  var replacedHashes: Set<ContentHash> {
    Set(delta.changes.reloadedItems.map { sourceItem($0.source).content })
  }
}

/// The forms of an item that replace its JSON.
private enum ItemEntry {
  /// Returns the merge patch between two versions of an item.
  ///
  /// - Returns: `{"~patch":{…}}`; nil unless it is shorter than the item and applying it gives an
  ///   equal value.
  static func patch(
    from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>, _ reader: JSONReader
  ) -> [UInt8]? {
    guard let source = reader.root(of: Array(old)),
      let target = reader.root(of: Array(new)),
      let patch = JSONMergePatch.difference(from: source, to: target)
    else { return nil }
    let entry = Array(#"{"~patch":"#.utf8) + patch + [UInt8(ascii: "}")]
    // Applies the patch as readers will, because sending a wrong item must never happen.
    guard entry.count < new.count, let patch = reader.root(of: patch),
      let result = reader.root(of: JSONMergePatch.apply(patch, to: source)),
      result.contentHash() == target.contentHash()
    else { return nil }
    return entry
  }

  /// Returns `{"~item":…}` for an item that looks like a patch or a wrapped item; otherwise nil.
  static func wrapped(_ json: ArraySlice<UInt8>, _ reader: JSONReader) -> [UInt8]? {
    // The first name must start with a tilde, or with an escape that may be one.
    let start = json.prefix(3)
    guard start.elementsEqual(#"{"~"#.utf8) || start.elementsEqual(#"{"\#u{5C}"#.utf8),
      let item = reader.root(of: Array(json)),
      let name = item.members.first(where: { _ in true })?.key, name == "~patch" || name == "~item",
      item.members.allSatisfy({ $0.key == name })
    else { return nil }
    return Array(#"{"~item":"#.utf8) + json + [UInt8(ascii: "}")]
  }
}
