import DeltaEngine
import LiveCollections
import SnapshotJSON

extension IDTable {
  /// A snapshot's structure, with an array of the version before wherever a section's items are
  /// the same, so that memory holds them once.
  mutating func structure(
    of snapshot: Snapshot, sharing previous: [StructureSection]
  ) -> [StructureSection] {
    var places: [UInt32: Int] = [:]
    for (index, section) in previous.enumerated() { places[section.uniqueID] = index }
    return snapshot.sections.map { section in
      let id = intern(snapshot.bytes(section.id))
      let before = places[id].map { previous[$0].items } ?? []
      var items: [StructureItem] = []
      items.reserveCapacity(section.items.count)
      for index in section.items {
        let item = snapshot.items[index]
        let text = snapshot.bytes(item.id)
        // Most updates leave most ids where they were: look there first.
        let guess = items.count < before.count ? before[items.count].uniqueID : nil
        let id = guess.flatMap { isText($0, text) ? $0 : nil } ?? intern(text)
        items.append(StructureItem(uniqueID: id, content: item.content))
      }
      return StructureSection(
        uniqueID: id, header: section.content, items: items == before ? before : items)
    }
  }

  /// The digest of a version.
  func digest(
    of sections: [StructureSection], meta: ContentHash?, lineage: String
  ) -> ContentDigest {
    var input = DigestInput(lineage: lineage, itemCount: sections.itemCount)
    for section in sections {
      input.append(
        section: hash64(text(section.uniqueID), seed: 0), header: section.header,
        itemCount: section.items.count)
      for item in section.items {
        input.append(item: hash64(text(item.uniqueID), seed: 0), content: item.content)
      }
    }
    input.append(meta: meta)
    return input.digest
  }
}
