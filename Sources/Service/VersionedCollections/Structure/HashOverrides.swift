import DeltaEngine

/// Hashes that items and headers keep in place of those of their contents.
///
/// An item reloaded by its writer without a change gets a hash that no content has. And when the
/// rule of equality changes, all computed hashes change, although readers still have the same
/// contents. An override is valid as long as the content stays the same, so writing it again
/// changes nothing; other content whose hash is the overriding one is shown under yet another.
package struct HashOverrides: Hashable, Sendable {
  private struct Entry: Hashable {
    var content: ContentHash
    var shown: ContentHash

    /// What other content is shown under that has the hash under which this one is.
    var next: Entry {
      Entry(content: shown, shown: ContentHash(high: ~shown.low, low: shown.high))
    }

    /// The hash under which some content is shown.
    func shown(_ other: ContentHash) -> ContentHash {
      other == content ? shown : other == shown ? next.shown : other
    }

    /// The entry that a version uses in which the content is shown under a hash; nil if it uses none.
    func kept(_ hash: ContentHash) -> Entry? {
      hash == shown ? self : hash == next.shown ? next : nil
    }
  }

  private var items: [UInt32: Entry] = [:]
  private var headers: [UInt32: Entry] = [:]

  package init() {}

  /// The approximate size in bytes.
  var byteCount: Int {
    HeapCost.dictionary(of: items.count + headers.count, MemoryLayout<Entry>.stride + 4)
  }

  package var isEmpty: Bool { items.isEmpty && headers.isEmpty }

  /// The hash of an item in the structure.
  func shown(_ id: UInt32, _ content: ContentHash) -> ContentHash {
    items[id]?.shown(content) ?? content
  }

  /// The hash of a section's header in the structure.
  func shown(header id: UInt32, _ content: ContentHash) -> ContentHash {
    headers[id]?.shown(content) ?? content
  }

  /// Overrides an item's hash in the structure by one made from that of its content, so that readers reload it.
  mutating func reload(
    _ id: UInt32, current: ContentHash, make: (ContentHash) -> ContentHash
  ) -> ContentHash {
    let entry = items[id]
    let content = entry.flatMap { $0.shown == current ? $0.content : nil } ?? current
    let shown = make(content)
    items[id] = Entry(content: content, shown: shown)
    return shown
  }

  /// Overrides the hash of an item as long as it has the given content.
  mutating func keep(_ id: UInt32, content: ContentHash, shown: ContentHash) {
    items[id] = content == shown ? nil : Entry(content: content, shown: shown)
  }

  /// Overrides the hash of a section's header as long as it has the given content.
  mutating func keep(header id: UInt32, content: ContentHash, shown: ContentHash) {
    headers[id] = content == shown ? nil : Entry(content: content, shown: shown)
  }

  /// The overrides that a version still uses.
  package func kept(in sections: [StructureSection]) -> HashOverrides {
    guard !isEmpty else { return self }
    var kept = HashOverrides()
    for section in sections {
      if let entry = headers[section.uniqueID]?.kept(section.header) {
        kept.headers[section.uniqueID] = entry
      }
      for item in section.items {
        if let entry = items[item.uniqueID]?.kept(item.content) {
          kept.items[item.uniqueID] = entry
        }
      }
    }
    return kept
  }
}

extension HashOverrides {
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

  /// Decodes what `encoded` wrote.
  package init(_ bytes: [UInt8], _ ids: inout IDTable) throws(DamagedData) {
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
