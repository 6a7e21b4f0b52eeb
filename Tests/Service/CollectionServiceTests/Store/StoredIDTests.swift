import DeltaEngine
import SnapshotJSON
import TestSupport
import Testing

@testable import CollectionService
@testable import VersionedCollections

@Suite struct StoredIDTests {
  /// The image of a collection whose items have these ids.
  private func image(_ items: [UInt32]) throws -> [UInt8] {
    var ids = IDTable(seed: 1)
    for text in ["s", "a", "b"] { _ = ids.intern(Array(text.utf8)[...]) }
    let hash = ContentHash(high: 1, low: 2)
    var contents = ContentsBuilder(byteCount: 64)
    contents.add(header: Array(#"{"id":"s"}"#.utf8)[...])
    for _ in items { contents.add(item: Array(#"{"id":"a"}"#.utf8)[...]) }
    let section = StructureSection(
      uniqueID: 0, header: hash,
      items: items.map { StructureItem(uniqueID: $0, content: hash) })
    let version = StoredVersion(
      token: VersionToken(lineage: "l", seq: 1, digest: "0123456789abcdef"), lineage: "l",
      record: VersionRecord(seq: 1, digest: ContentDigest(high: 1, low: 2), meta: nil, date: 0),
      sections: [section], ids: ids, contents: contents.contents, previous: nil,
      settings: nil)
    return version.encodedImage()
  }

  private func load(_ items: [UInt32]) throws(any Error) -> StoredCollection {
    let stored = try StoredCollection(lineage: "l", image: try image(items))
    try stored.checkIDs()
    return stored
  }

  @Test func `a stored collection in which an id stands twice is damaged`() throws {
    #expect(try load([1, 2]).itemCount == 2)
    #expect(throws: DamagedData("two items with one id")) { try load([1, 1]) }
  }

  @Test func `what release 0.1.0 stored of lists inside items is damaged, and says so`() throws {
    var stored = try load([1, 2])
    let settings = Array(#"{"nested":{"path":"/l"}}"#.utf8)
    let damage = #expect(throws: DamagedData.self) {
      try stored.apply(StoredSettings(settings: settings, overrides: nil))
    }
    #expect(damage?.reason.contains("there is no setting nested") == true)
    var writer = StoredBytesWriter(kind: 1, capacity: 16)
    for number in [0, 2] { writer.number(number) }
    var reader = try StoredBytesReader(writer.finish(), kind: 1)
    try reader.noLists()
    #expect(throws: DamagedData.self) { try reader.noLists() }
  }
}
