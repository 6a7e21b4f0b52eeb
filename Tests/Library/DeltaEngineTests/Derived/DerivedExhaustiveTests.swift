import DeltaEngine
import ListTestSupport
import Testing

/// What is made from deltas, for all small lists.
@Suite struct DerivedExhaustiveTests {
  @Test func `every inverse is lawful, and every delta applied gives the target`() throws {
    let lists = sectionedLists(sections: ["x", "y"], items: ["A", "B", "C"])
    for source in lists {
      for target in lists {
        let delta = try Delta(from: source, to: target)
        try Simulator.check(delta.inverse, from: target, to: source)
        let there = try delta.apply(to: source) { target[$0.section].items[$0.item] }
        let back = try delta.inverse.apply(to: target) { source[$0.section].items[$0.item] }
        #expect(there == target.map(\.items) && back == source.map(\.items))
        #expect(delta.inverse.changeCount == delta.changeCount)
      }
    }
  }

  @Test func `for every pair of flat lists the other forms say the same`() throws {
    let lists = arrangements(of: ["A", "B", "C", "D"]).map { $0.map { Item(id: $0) } }
    for source in lists {
      for target in lists {
        let delta = try Delta(fromItems: source, toItems: target)
        let map = delta.indexMap
        for (index, item) in source.enumerated() {
          let place = map.target(of: ItemPath(section: 0, item: index))
          #expect(place?.item == target.firstIndex(of: item))
        }
        guard let changeset = delta.rangeChangeset() else {
          #expect(source == target)
          continue
        }
        let moved = Set(delta.changes.movedItems.map(\.source.item))
        for (index, item) in source.enumerated() where !moved.contains(index) {
          #expect(changeset.afterIndex(forBeforeIndex: index) == target.firstIndex(of: item))
        }
        let moves = try delta.sequentialOperations().count {
          if case .move = $0 { true } else { false }
        }
        #expect(moves == delta.changes.movedItems.count)
      }
    }
  }
}
