import DeltaEngine
import Foundation
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import TestSupport
import Testing

/// Ids of a content are checked once: of an update only what is added is compared with the rest.
@MainActor @Suite struct UniqueContentTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a duplicate is refused with both places, update after update`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let data = CollectionData<Int>()
    for _ in 0..<200 {
      let before = data.items
      let count = Int.random(in: 0..<60, using: &generator)
      var new = Array((0..<120).shuffled(using: &generator).prefix(count))
      if Bool.random(using: &generator) { new = edited(before, &generator) }
      if let duplicate = slowDuplicate(new) {
        #expect(throws: duplicate) { try data.updateNow(new) }
        #expect(throws: duplicate) { try data.calculateDelta(new) }
        #expect(data.items == before)
      } else {
        try Simulator.check(data.updateNow(new), fromItems: before, toItems: new)
      }
    }
  }

  private func edited(_ list: [Int], _ generator: inout SeededGenerator) -> [Int] {
    var list = list
    for _ in 0..<Int.random(in: 0..<4, using: &generator) {
      let place = Int.random(in: 0...list.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: list.removeFirst(min(2, list.count))
      case 1: list.insert(Int.random(in: 0..<120, using: &generator), at: place)
      default: list.shuffle(using: &generator)
      }
    }
    return list
  }

  private func slowDuplicate(_ list: [Int]) -> DuplicateIdentifier? {
    for second in list.indices {
      guard let first = list[..<second].firstIndex(of: list[second]) else { continue }
      return DuplicateIdentifier(
        kind: .item, side: .target, id: "\(list[second])", first: [0, first],
        second: [0, second])
    }
    return nil
  }

  @Test func `a first content with an id twice names both places and can be updated`() throws {
    let data = CollectionData([1, 1, 2])
    let duplicate = DuplicateIdentifier(
      kind: .item, side: .source, id: "1", first: [0, 0], second: [0, 1])
    #expect(throws: duplicate) { try data.checkUniqueness() }
    #expect(throws: DuplicateIdentifier.self) { try data.appendNow([3]) }
    let changes = try data.updateNow([2, 1]).changes
    #expect(changes.deletedItems == [ItemPath(section: 0, item: 1)])
    #expect(changes.movedItems.count == 1 && changes.count == 2)
    try data.checkUniqueness()
    #expect(try data.appendNow([3]).changes.count == 1)
  }

  @Test(arguments: ["x:AA", "x:A y:BA", "x:A x:B", "x:A x:A y:A"])
  func `a first content with repeated sections or items can be updated`(first: String) throws {
    let target = list("y:C x:BA")
    let data = CollectionSectionData(list(first))
    #expect(throws: DuplicateIdentifier.self) { try data.checkUniqueness() }
    let delta = try data.updateNow(target)
    #expect(delta.sourceItemCounts == list(first).map(\.items.count))
    #expect(try data.updateNow(list("x:AB")).changes.movedItems.count == 1)

    let queues = ManualQueues()
    let shown = CollectionSectionData(list(first), queues: queues.queues)
    let view = SimulatorView(showing: shown)
    shown.view = view
    shown.update(target)
    queues.runAll()
    #expect(text(shown.sections) == "y:C x:BA")
    #expect(view.faults == [])
  }

  @Test func `what was promised to be unique is checked again`() throws {
    let data = CollectionData([1, 2])
    let broken = try data.prepareUpdate([1, 1], uniqueness: .promised)
    let isDone = data.commit(broken)
    #expect(isDone)
    #expect(throws: DuplicateIdentifier.self) { try data.checkUniqueness() }
    #expect(try data.updateNow([1]).changes.deletedItems.count == 1)
  }

  @Test func `a UUID is an item, without a line of the app's`() throws {
    let ids = (0..<300).map { _ in UUID() }
    let data = CollectionData(ids)
    #expect(try data.updateNow(ids.reversed()).changes.movedItems.count == 299)
    #expect(throws: DuplicateIdentifier.self) { try data.updateNow(ids + [ids[7]]) }
  }
}
