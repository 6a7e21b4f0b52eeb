import DeltaEngine
import SnapshotJSON

extension WireDelta {
  // Deeper than any item that the service accepts.
  private static var reader: JSONReader { JSONReader(depthMax: 128, isPortable: true) }

  /// Returns the delta with whole items in place of merge patches and changes of nested lists.
  ///
  /// - Parameter source: The contents of the version that it starts from.
  /// - Returns: The same delta with whole items.
  /// - Throws: `ReplicaError.badDelta` if a patched item does not exist in that version, or a patch
  ///   does not fit it.
  func patched(from source: [ReplicaSection]) throws(ReplicaError) -> WireDelta {
    if itemPatches.isEmpty && nested.isEmpty { return self }
    var whole = self
    let reader = Self.reader
    for item in source.lazy.flatMap(\.items) {
      let list = whole.nested.removeValue(forKey: item.id)
      let patch =
        try list?.patch(of: item, reader) ?? whole.itemPatches.removeValue(forKey: item.id)
      guard let patch else { continue }
      guard let change = reader.root(of: patch), change.kind == .object,
        let old = reader.root(of: item.json),
        let new = reader.root(of: JSONMergePatch.apply(change, to: old))
      else { throw .badDelta(step: nil, reason: "item \"\(item.id)\" cannot be patched") }
      whole.items[item.id] = ReplicaItem(
        id: item.id, json: new.minified(), content: new.contentHash())
    }
    if let id = whole.itemPatches.keys.first ?? whole.nested.keys.first {
      throw .badDelta(step: nil, reason: "there is no item \"\(id)\" to patch")
    }
    return whole
  }
}

extension NestedDelta {
  /// Returns the merge patch of the item that the list is in.
  fileprivate func patch(
    of item: ReplicaItem, _ reader: JSONReader
  ) throws(ReplicaError) -> [UInt8] {
    let names = path.split(separator: "/").map {
      String($0.replacing("~1", with: "/").replacing("~0", with: "~"))
    }
    guard path.hasPrefix("/"), let list = reader.root(of: item.json)?.value(at: path),
      list.kind == .array,
      // An error means that elements have no ids.
      let source = try? [ReplicaItem](nested: WireValue(list))
    else {
      throw .badDelta(step: nil, reason: "there is no list at \"\(path)\" in \"\(item.id)\"")
    }
    let target = try target(from: [ReplicaSection(flat: source)])
    var writer = JSONWriter()
    for name in names {
      writer.beginObject()
      writer.key(name)
    }
    writer.beginArray()
    for element in target.flatMap(\.items) { writer.raw(element.json) }
    writer.endArray()
    for _ in names { writer.endObject() }
    return writer.bytes
  }
}

extension NestedDelta {
  /// Returns what the change makes of a list.
  private func target(from source: [ReplicaSection]) throws(ReplicaError) -> [ReplicaSection] {
    let translation = try StepTranslation(
      try delta.patched(from: source), from: source, reloading: Set(delta.nested.keys))
    do throws(DeltaMismatch) {
      _ = try translation.delta()
    } catch {
      throw .badDelta(step: nil, reason: error.reason)
    }
    return translation.stages.last ?? source
  }
}

extension [ReplicaItem] {
  /// Decodes the elements of a list inside an item.
  fileprivate init(nested list: WireValue) throws(ClientError) {
    var names = OccurrenceNames()
    try self.init(list, idPath: "/id", &names)
  }
}
