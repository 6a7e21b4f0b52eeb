import DeltaEngine

/// Items that a writer had drawn anew though their content was the same.
///
/// Such an item is shown under a hash that is none of any content. As long as its content stays
/// what it was, it keeps that hash, so that writing the same again changes nothing.
struct ForcedContents: Sendable {
  private struct Entry {
    var content: ContentHash
    var shown: ContentHash
  }

  private var entries: [UInt32: Entry] = [:]

  /// Nothing is forced.
  init() {}

  var isEmpty: Bool { entries.isEmpty }

  /// The hash that an item with a content is shown under.
  func shown(_ id: UInt32, _ content: ContentHash) -> ContentHash {
    guard let entry = entries[id], entry.content == content else { return content }
    return entry.shown
  }

  /// Has an item drawn anew.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - current: The hash that it is shown under.
  ///   - make: Makes a new hash from that of its content.
  /// - Returns: The hash that it is shown under now.
  mutating func force(
    _ id: UInt32, current: ContentHash, make: (ContentHash) -> ContentHash
  ) -> ContentHash {
    let entry = entries[id]
    let content = entry.flatMap { $0.shown == current ? $0.content : nil } ?? current
    let shown = make(content)
    entries[id] = Entry(content: content, shown: shown)
    return shown
  }

  /// Those that a version still shows.
  func kept(in sections: [StructureSection]) -> ForcedContents {
    guard !entries.isEmpty else { return self }
    var kept = ForcedContents()
    for item in sections.lazy.flatMap(\.items) {
      if let entry = entries[item.uniqueID], entry.shown == item.content {
        kept.entries[item.uniqueID] = entry
      }
    }
    return kept
  }
}
