import DeltaEngine
import Foundation
import ListTestSupport
import LiveCollections
import Testing

/// Where items are, as list views ask.
@Suite struct PlaceTests {
  @Test func `an item is found by its place and its place by its id`() {
    let data = CollectionData(items("ABC"), section: 2)
    let path = IndexPath(indexes: [2, 1])
    #expect(data[path].uniqueID == "B")
    #expect(data.index(of: "C") == 2 && data.index(of: "X") == nil)
    #expect(data.indexPath(for: "B") == path && data.indexPath(for: "X") == nil)
    #expect(data.itemIdentifier(for: path) == "B")
    #expect(data.itemIdentifier(for: IndexPath(indexes: [0, 1])) == nil)
    #expect(data.itemIdentifier(for: IndexPath(indexes: [2, 3])) == nil)
    #expect(data.item(for: "A")?.uniqueID == "A")
  }

  @Test func `the same in sections`() {
    let data = CollectionSectionData(list("x:AB y:C"))
    let path = IndexPath(indexes: [1, 0])
    #expect(data[path].uniqueID == "C")
    #expect(data.indexPath(for: "C") == path && data.indexPath(for: "X") == nil)
    #expect(data.itemIdentifier(for: path) == "C")
    #expect(data.itemIdentifier(for: IndexPath(indexes: [1, 1])) == nil)
    #expect(data.itemIdentifier(for: IndexPath(indexes: [1])) == nil)
    #expect(data.sectionIndex(of: "y") == 1 && data.item(for: "B")?.uniqueID == "B")
  }

  @Test func `places of deltas and of list views are each other's`() {
    let path = ItemPath<TargetSpace>(section: 3, item: 4)
    #expect(IndexPath(path) == IndexPath(indexes: [3, 4]))
    #expect(ItemPath<TargetSpace>(IndexPath(path)) == path)
    #expect(ItemPath<TargetSpace>(IndexPath(indexes: [1])) == nil)
  }

  @Test func `what is Identifiable has its id`() throws {
    let data = CollectionData([Movie(id: 1), Movie(id: 2)])
    #expect(try data.updateNow([Movie(id: 2)]).changes.deletedItems.count == 1)
    #expect(data[0].uniqueID == 2)
  }
}

private struct Movie: UniquelyIdentifiable, Identifiable, Sendable {
  var id: Int
}
