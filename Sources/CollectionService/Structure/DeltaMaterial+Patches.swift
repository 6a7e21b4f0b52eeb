import DeltaEngine
import SnapshotJSON

// Items as merge patches: `{"~patch":{…}}` where that is shorter and exact, else whole.

extension DeltaMaterial {
  /// The same for readers who take merge patches of items.
  ///
  /// - Parameters:
  ///   - reader: Reads JSON.
  ///   - text: The JSON of an item of the source, as all have it who have that version; nil where that
  ///     is not known.
  /// - Returns: The same delta, with other entries.
  func patchingItems(
    _ reader: JSONReader, from text: (StructureItem) -> ArraySlice<UInt8>? = { _ in nil }
  ) -> DeltaMaterial {
    var material = self
    for path in delta.changes.insertedItems {
      material.entries[path] = ItemEntry.wrapped(json(path), reader)
    }
    for pair in delta.changes.reloadedItems {
      let (old, new) = (text(sourceItem(pair.source)), json(pair.target))
      material.entries[pair.target] =
        ItemEntry.wrapped(new, reader) ?? old.flatMap { ItemEntry.patch(from: $0, to: new, reader) }
    }
    for index in nested.indices {
      material.nested[index].material = nested[index].material.patchingItems(reader)
    }
    return material
  }

  /// An item of the source.
  private func sourceItem(_ path: ItemPath<Source>) -> StructureItem {
    source[path.section].items[path.item]
  }

  /// The hashes of the items that changed, as they were.
  var replacedHashes: Set<ContentHash> {
    Set(delta.changes.reloadedItems.map { sourceItem($0.source).content })
  }
}

/// What stands for an item where it is not simply its JSON.
private enum ItemEntry {
  /// The merge patch that makes an item of its older self.
  ///
  /// - Returns: `{"~patch":{…}}`; nil unless it is shorter than the item, and applying it gives a value
  ///   that is equal.
  static func patch(
    from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>, _ reader: JSONReader
  ) -> [UInt8]? {
    guard let source = try? reader.read(Array(old)).root,
      let target = try? reader.read(Array(new)).root,
      let patch = JSONMergePatch.difference(from: source, to: target)
    else { return nil }
    let entry = Array(#"{"~patch":"#.utf8) + patch + [UInt8(ascii: "}")]
    // A wrong item is the worst that can be sent: what readers will do is done here first.
    guard entry.count < new.count, let patch = try? reader.read(patch).root,
      let result = try? reader.read(JSONMergePatch.apply(patch, to: source)).root,
      result.contentHash() == target.contentHash()
    else { return nil }
    return entry
  }

  /// `{"~item":…}` for an item that a reader could take for a patch, or for one in such a wrapper.
  static func wrapped(_ json: ArraySlice<UInt8>, _ reader: JSONReader) -> [UInt8]? {
    // Its first name begins with a tilde, or with an escape that may be one.
    let start = json.prefix(3)
    guard start.elementsEqual(#"{"~"#.utf8) || start.elementsEqual(#"{"\#u{5C}"#.utf8),
      let item = try? reader.read(Array(json)).root,
      let name = item.members.first(where: { _ in true })?.key, name == "~patch" || name == "~item",
      item.members.allSatisfy({ $0.key == name })
    else { return nil }
    return Array(#"{"~item":"#.utf8) + json + [UInt8(ascii: "}")]
  }
}
