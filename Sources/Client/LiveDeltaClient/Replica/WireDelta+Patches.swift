import DeltaEngine
import SnapshotJSON

extension WireDelta {
  // Deeper than any item that the service accepts.
  private static var reader: JSONReader { JSONReader(depthMax: 128, isPortable: true) }

  /// Returns the delta with whole items in place of merge patches.
  ///
  /// - Parameter source: The contents of the version that it starts from.
  /// - Returns: The same delta with whole items.
  /// - Throws: `ReplicaError.badDelta` if a patched item does not exist in that version, or a patch
  ///   does not fit it.
  func patched(from source: [ReplicaSection]) throws(ReplicaError) -> WireDelta {
    if itemPatches.isEmpty { return self }
    var whole = self
    let reader = Self.reader
    for item in source.lazy.flatMap(\.items) {
      guard let patch = whole.itemPatches.removeValue(forKey: item.id) else { continue }
      guard let change = reader.root(of: patch), change.kind == .object,
        let old = reader.root(of: item.json),
        let new = reader.root(of: JSONMergePatch.apply(change, to: old))
      else { throw .badDelta(step: nil, reason: "item \"\(item.id)\" cannot be patched") }
      whole.items[item.id] = ReplicaItem(
        id: item.id, json: new.minified(), content: new.contentHash())
    }
    if let id = whole.itemPatches.keys.first {
      throw .badDelta(step: nil, reason: "there is no item \"\(id)\" to patch")
    }
    return whole
  }
}
