import DeltaEngine

/// Contents that have another hash in the structure than their own.
///
/// An item that a writer reloaded though its content was the same has a hash that no content has.
/// And when the rule of equality changes all hashes do, but readers have the same contents as
/// before. As long as a content stays the same it keeps the hash of its override, so that writing it
/// again changes nothing.
struct HashOverrides: Hashable, Sendable {
  private struct Entry: Hashable {
    var content: ContentHash
    var shown: ContentHash
  }

  private var items: [UInt32: Entry] = [:]
  private var headers: [UInt32: Entry] = [:]

  /// Every content has its own hash.
  init() {}

  var isEmpty: Bool { items.isEmpty && headers.isEmpty }

  /// The hash that an item with a content is shown under.
  func shown(_ id: UInt32, _ content: ContentHash) -> ContentHash {
    guard let entry = items[id], entry.content == content else { return content }
    return entry.shown
  }

  /// The hash that a section's header with a content is shown under.
  func shown(header id: UInt32, _ content: ContentHash) -> ContentHash {
    guard let entry = headers[id], entry.content == content else { return content }
    return entry.shown
  }

  /// Has readers reload an item.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - current: The hash that it is shown under.
  ///   - make: Makes a new hash from that of its content.
  /// - Returns: The hash that it is shown under now.
  mutating func reload(
    _ id: UInt32, current: ContentHash, make: (ContentHash) -> ContentHash
  ) -> ContentHash {
    let entry = items[id]
    let content = entry.flatMap { $0.shown == current ? $0.content : nil } ?? current
    let shown = make(content)
    items[id] = Entry(content: content, shown: shown)
    return shown
  }

  /// Shows an item under a hash as long as it has a content.
  mutating func keep(_ id: UInt32, content: ContentHash, shown: ContentHash) {
    items[id] = content == shown ? nil : Entry(content: content, shown: shown)
  }

  /// Shows a section's header under a hash as long as it has a content.
  mutating func keep(header id: UInt32, content: ContentHash, shown: ContentHash) {
    headers[id] = content == shown ? nil : Entry(content: content, shown: shown)
  }

  /// Those that a version still shows.
  func kept(in sections: [StructureSection]) -> HashOverrides {
    guard !isEmpty else { return self }
    var kept = HashOverrides()
    for section in sections {
      if let entry = headers[section.uniqueID], entry.shown == section.header {
        kept.headers[section.uniqueID] = entry
      }
      for item in section.items {
        if let entry = items[item.uniqueID], entry.shown == item.content {
          kept.items[item.uniqueID] = entry
        }
      }
    }
    return kept
  }
}

extension HashOverrides {
  /// The bytes that a store keeps; nil when there is nothing to keep.
  func encoded(_ ids: IDTable) -> [UInt8]? {
    guard !isEmpty else { return nil }
    var writer = StoredBytesWriter(
      kind: StoredKind.overrides, capacity: 64 * (items.count + headers.count))
    for entries in [items, headers] {
      writer.number(entries.count)
      for (id, entry) in entries {
        writer.text(ids.text(id))
        writer.hash(entry.content)
        writer.hash(entry.shown)
      }
    }
    return writer.finish()
  }

  /// Reads what `encoded` wrote.
  ///
  /// - Throws: `DamagedData` when it is something else.
  init(_ bytes: [UInt8], _ ids: inout IDTable) throws(DamagedData) {
    var reader = try StoredBytesReader(bytes, kind: StoredKind.overrides)
    items = try Self.entries(&reader, &ids)
    headers = try Self.entries(&reader, &ids)
    try reader.finish()
  }

  private static func entries(
    _ reader: inout StoredBytesReader, _ ids: inout IDTable
  ) throws(DamagedData) -> [UInt32: Entry] {
    var entries: [UInt32: Entry] = [:]
    for _ in 0..<(try reader.count()) {
      let id = ids.intern(try reader.text())
      entries[id] = Entry(content: try reader.hash(), shown: try reader.hash())
    }
    return entries
  }
}
