import DeltaEngine
import ListTestSupport
import LiveCollections
import TestSupport
import Testing

@testable import LiveDeltaClient

/// The rows of two windows of two random versions of a list, for a strict table.
@MainActor @Suite struct WindowedContentTests {
  /// A list with a window on it.
  private struct Model {
    var ids: [Int]
    var contents: [Int: Int] = [:]
    var window = 0..<0

    var content: WindowedContent {
      WindowedContent(
        total: ids.count, start: window.lowerBound,
        items: ids[window].map { id in
          let content = UInt64(contents[id] ?? 0)
          return ReplicaItem(
            id: ReplicaID("\(id)"), json: [],
            content: ContentHash(high: UInt64(bitPattern: Int64(id)), low: content))
        })
    }

    mutating func change(_ random: inout SeededGenerator) {
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        switch Int.random(in: 0...4, using: &random) {
        case 0 where !ids.isEmpty: ids.remove(at: Int.random(in: ids.indices, using: &random))
        case 1 where !ids.isEmpty:
          let id = ids.remove(at: Int.random(in: ids.indices, using: &random))
          ids.insert(id, at: Int.random(in: 0...ids.count, using: &random))
        case 2: contents[ids.randomElement(using: &random) ?? 0, default: 0] += 1
        default:
          let id = Int.random(in: 0..<1_000_000, using: &random)
          if !ids.contains(id) { ids.insert(id, at: Int.random(in: 0...ids.count, using: &random)) }
        }
      }
    }

    mutating func move(_ random: inout SeededGenerator) {
      let start = Int.random(in: 0...ids.count, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0: window = start..<min(ids.count, start + Int.random(in: 0...12, using: &random))
      case 1: window = 0..<min(ids.count, window.count)
      default:
        let start = min(
          ids.count, max(0, window.lowerBound + Int.random(in: -3...3, using: &random)))
        window = start..<min(ids.count, start + Int.random(in: 0...12, using: &random))
      }
    }
  }

  @Test func `whatever changes and wherever the window moves, a strict table performs it`() throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var model = Model(ids: Array(0..<20))
    model.window = 3..<9
    var content = model.content
    let table = ScrolledTable {
      [content.total]
    } shown: { _, row in
      content[row]?.content.hashValue ?? 0
    }
    table.reloadData()
    for round in 1...3000 {
      let source = content
      let old = Set(model.ids)
      model.change(&random)
      model.move(&random)
      let target = model.content
      let gone = Set(old.subtracting(model.ids).map { ReplicaID("\($0)") })
      let delta = try source.delta(to: target, gone: round.isMultiple(of: 2) ? gone : [])
      for step in delta.steps {
        let batch = UpdateBatch(
          step: step, itemCounts: [0: target.total],
          reconfigured: Set(step.reload.items.map(\.at))
        ) { content = target }
        table.perform(batch) { _ in }
      }
      content = target
      table.checkAll()
      #expect(table.faults.isEmpty, "seed \(seed), round \(round): \(table.faults)")
      // An item in both windows is one row, which is neither deleted nor inserted.
      let map = delta.indexMap
      for row in source.known {
        let place = source[row].flatMap { target.index(of: $0.id) }
        guard let place else { continue }
        let mapped = map.target(of: ItemPath(section: 0, item: row))?.item
        #expect(mapped == place, "seed \(seed), round \(round), row \(row)")
      }
      guard table.faults.isEmpty else { return }
    }
  }

  @Test func `a window that moves over the same version only reloads rows`() throws {
    var model = Model(ids: Array(0..<100_000))
    model.window = 0..<50
    for window in [20..<70, 10..<60, 50_000..<50_050, 99_990..<100_000, 0..<0, 0..<1000] {
      let source = model.content
      model.window = window
      let changes = try source.delta(to: model.content).changes
      #expect(changes.count == changes.reloadedItems.count)
      #expect(changes.count <= source.items.count + window.count)
    }
  }

  @Test func `what is inserted or deleted within the window or before it is that one row`() throws {
    var model = Model(ids: Array(0..<1000))
    model.window = 100..<150
    let source = model.content
    for (row, window) in [(120, 100..<151), (50, 101..<151), (500, 100..<150)] {
      var next = model
      next.ids.insert(-1, at: row)
      next.window = window
      let changes = try source.delta(to: next.content).changes
      #expect((changes.deletedItems.count, changes.insertedItems.count) == (0, 1))
      if row == 120 { #expect(changes.insertedItems[0].item == 120) }
    }
    var next = model
    next.ids.remove(at: 100)
    let changes = try source.delta(to: next.content, gone: ["100"]).changes
    #expect(changes.deletedItems.map(\.item) == [100])
    #expect(changes.insertedItems.isEmpty)
  }
}
