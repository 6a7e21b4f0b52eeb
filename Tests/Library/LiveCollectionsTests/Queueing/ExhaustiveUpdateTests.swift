import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveCollectionsTesting
import Testing

/// Pairs of all small lists, led through the public API under the simulator.
@MainActor @Suite struct ExhaustiveUpdateTests {
  @Test func `between two small lists a view is led legally, by a delta within all laws`() {
    let queues = ManualQueues()
    let lists = Self.lists(sections: ["x", "y"], items: ["A", "B", "C"])
    #expect(lists.count == 131)
    let data = CollectionSectionData<Section>(queues: queues.queues)
    let view = SimulatorView(showing: data)
    data.view = view
    let journal = Journal<String>()
    // From every fourth list to every list: the engine's own tests take all of them.
    for (index, source) in lists.enumerated() where index.isMultiple(of: 4) {
      for (other, target) in lists.enumerated() {
        // Contents change in every second pair: of the items in one, of the headers in another.
        let changed = Self.changed(target, items: other % 2, headers: (index / 4) % 2)
        lead(data, queues, from: source, to: changed, journal)
      }
    }
    #expect(journal.entries == [])
    #expect(view.faults == [])
  }

  private func lead(
    _ data: CollectionSectionData<Section>, _ queues: ManualQueues, from source: [Section],
    to target: [Section], _ journal: Journal<String>
  ) {
    data.update(source)
    queues.runAll()
    data.update(target) { outcome in
      guard case .applied(let update) = outcome, let delta = update.delta else {
        return journal.note("\(text(source)) -> \(text(target)): \(outcome)")
      }
      do {
        try Simulator.check(delta, from: source, to: target)
      } catch {
        journal.note("\(text(source)) -> \(text(target)): \(error)")
      }
    }
    queues.runAll()
    if data.sections != target { journal.note("\(text(data.sections)) is not \(text(target))") }
  }

  private static func changed(_ list: [Section], items: Int, headers: Int) -> [Section] {
    list.map { section in
      var section = section
      section.revision = headers
      section.items = section.items.map { Item(id: $0.uniqueID, revision: items) }
      return section
    }
  }

  /// Every sectioned list of distinct sections and distinct items.
  private static func lists(sections: [String], items: [String]) -> [[Section]] {
    arrangements(of: sections).flatMap { ids in
      arrangements(of: items).flatMap { filling in
        splits(of: filling, into: ids.count).map { parts in
          zip(ids, parts).map { id, part in
            Section(id: id, items: part.map { Item(id: $0) })
          }
        }
      }
    }
  }

  /// Every list of distinct elements out of a pool.
  private static func arrangements(of pool: [String]) -> [[String]] {
    [[]]
      + pool.indices.flatMap { index in
        var rest = pool
        let first = rest.remove(at: index)
        return arrangements(of: rest).map { [first] + $0 }
      }
  }

  /// Every way to cut a list into consecutive parts.
  private static func splits(of list: [String], into count: Int) -> [[[String]]] {
    if count == 0 { return list.isEmpty ? [[]] : [] }
    if count == 1 { return [[list]] }
    return (0...list.count).flatMap { cut in
      splits(of: Array(list[cut...]), into: count - 1).map { [Array(list[..<cut])] + $0 }
    }
  }
}
