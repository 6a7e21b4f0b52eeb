import DeltaEngine
import Testing

@testable import CollectionService

@Suite struct ItemPlacesTests {
  private func items(_ numbers: [UInt32]) -> [StructureItem] {
    numbers.map { StructureItem(uniqueID: $0, content: ContentHash(high: 0, low: UInt64($0))) }
  }

  @Test func `an item is found by its number, whether numbers are close or far apart`() {
    for numbers in [[], [0], [5, 3, 900_000], [3_000_000_000, 7], Array(0..<1000)] as [[UInt32]] {
      let places = ItemPlaces(items(numbers))
      for (index, number) in numbers.enumerated() {
        #expect(places.place(of: number) == Int32(index))
      }
      #expect(places.place(of: 4_000_000_000) == nil)
      #expect(places.place(of: 1001) == nil)
    }
  }

  @Test func `a short list with large numbers takes no table of all numbers`() {
    guard case .sparse = ItemPlaces(items([100_000, 200_000])) else {
      Issue.record("the table is as long as the largest number")
      return
    }
  }

  @Test func `a patch of lists with large numbers leads back`() {
    let (old, new) = (items([900_000, 5, 6, 800_000]), items([6, 900_000, 7, 5]))
    let patch = StructurePatch(to: [.list(old)], from: [.list(new)])
    #expect(patch.apply(to: [.list(new)]) == [.list(old)])
  }
}
