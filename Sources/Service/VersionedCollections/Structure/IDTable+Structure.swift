import DeltaEngine
import SnapshotJSON

extension IDTable {
  /// Returns the structure of a snapshot, sharing the item arrays of unchanged sections with the
  /// previous version.
  mutating func structure(
    of snapshot: Snapshot, sharing previous: [StructureSection],
    overrides: HashOverrides = HashOverrides()
  ) -> [StructureSection] {
    reserve(snapshot.sections.count + snapshot.items.count)
    var places: [UInt32: Int] = [:]
    for (index, section) in previous.enumerated() { places[section.uniqueID] = index }
    return snapshot.sections.map { section in
      let id = intern(snapshot.bytes(section.id))
      let before = places[id].map { previous[$0].items } ?? []
      let items = items(snapshot, section.items, near: before, overrides)
      return StructureSection(
        uniqueID: id, header: overrides.shown(header: id, section.content),
        items: items == before ? before : items)
    }
  }

  private mutating func items(
    _ snapshot: Snapshot, _ range: Range<Int>, near before: [StructureItem],
    _ overrides: HashOverrides
  ) -> [StructureItem] {
    var items: [StructureItem] = []
    items.reserveCapacity(range.count)
    var expected = 0
    let texts = snapshot.buffer.span
    for item in snapshot.items[range] {
      let text = texts.extracting(item.id.range)
      let hash = snapshot.idSeed == seed ? item.idHash : hash64(text, seed: seed)
      let id = intern(text, hash: hash, near: &expected, in: before)
      let content = overrides.isEmpty ? item.content : overrides.shown(id, item.content)
      items.append(StructureItem(uniqueID: id, content: content))
    }
    return items
  }

  /// Returns the number of an id; looks first at the expected index of the previous version and the
  /// next three, because items may have been deleted.
  private mutating func intern(
    _ text: Span<UInt8>, hash: UInt64, near expected: inout Int, in before: [StructureItem]
  ) -> UInt32 {
    for place in expected..<min(expected + 4, before.count)
    where isText(before[place].uniqueID, text) {
      expected = place + 1
      return before[place].uniqueID
    }
    return intern(text, hash: hash)
  }

  func digest(
    of sections: [StructureSection], meta: ContentHash?, lineage: String
  ) -> ContentDigest {
    var input = DigestInput(lineage: lineage)
    for section in sections {
      input.append(
        section: digestHash(section.uniqueID), header: section.header,
        itemCount: section.items.count)
      input.append(section.items, self)
    }
    input.append(meta: meta)
    return input.digest()
  }
}
