import DeltaEngine
import ListTestSupport
import LiveCollections
import LiveDeltaClient
import TestSupport
import Testing

/// What a user has in a view, when a feed runs again and after a reset.
@MainActor @Suite struct KeptPlaceTests {
  private func item(_ id: Int, _ content: Int) -> ReplicaItem {
    ReplicaItem(
      id: ReplicaID("\(id)"), json: [], content: ContentHash(high: UInt64(id), low: UInt64(content))
    )
  }

  private func change(
    _ sections: [ReplicaSection], _ random: inout SeededGenerator
  ) -> [ReplicaSection] {
    var sections = sections
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let section = Int.random(in: sections.indices, using: &random)
      let items = sections[section].items
      let row = Int.random(in: 0...max(0, items.count - 1), using: &random)
      switch Int.random(in: 0...4, using: &random) {
      case 0 where items.count > 12: sections[section].items.remove(at: row)
      case 1 where items.count > 12:
        let moved = sections[section].items.remove(at: row)
        sections[Int.random(in: sections.indices, using: &random)].items.append(moved)
      case 2 where !items.isEmpty:
        sections[section].items[row].content = ContentHash(
          high: sections[section].items[row].content.high,
          low: UInt64.random(in: 1...1000, using: &random))
      case 3: sections.swapAt(0, section)
      default:
        let id = Int.random(in: 1000..<1_000_000_000, using: &random)
        sections[section].items.insert(item(id, 0), at: row)
      }
    }
    return sections
  }

  @Test func `selection, place and open swipe actions survive resuming and resets`() async throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let presenter = ReplicaPresenter(reloads: .reconfigure)
    let table = ScrolledTable {
      presenter.sections.map(\.items.count)
    } shown: {
      presenter.sections[$0].items[$1].content.hashValue
    }
    var held = (0..<3).map { section in
      ReplicaSection(
        id: ReplicaID("s\(section)"), header: [], content: ContentHash(high: 0, low: 0),
        items: (0..<30).map { item(section * 30 + $0, 0) })
    }
    await presenter.show(.replaced(by: held, reset: nil), in: table)
    for round in 1...300 {
      let ids = presenter.sections.flatMap(\.items).map(\.id)
      table.scroll(to: Double.random(in: 0...Double(ids.count) * 44 - 440, using: &random))
      let (chosen, open) = (
        Int.random(in: ids.indices, using: &random), table.visible.lowerBound + 1
      )
      table.select(chosen)
      table.open(open)
      let top = try #require(table.topRow)
      let topIndex = table.visible.lowerBound
      let kept = ids.enumerated().filter { table.allCells[$0.offset].isSelected }.map(\.element)
      await presenter.show(.replaced(by: held, reset: nil), in: table)
      #expect(table.topRow == top, "seed \(seed), round \(round)")
      held = change(held, &random)
      await presenter.show(
        .replaced(by: held, reset: .init(reason: "history-compacted")), in: table)
      table.checkAll()
      #expect(table.faults.isEmpty, "seed \(seed), round \(round): \(table.faults)")
      let now = presenter.sections.flatMap(\.items).map(\.id)
      let selected = now.enumerated().filter { table.allCells[$0.offset].isSelected }
      #expect(
        Set(selected.map(\.element)) == Set(kept).intersection(now), "seed \(seed), round \(round)")
      if let row = now.firstIndex(of: ids[open]) { #expect(table.allCells[row].isOpen) }
      // The first visible row that is still there is where it was, unless the list ends before.
      let first = ids[topIndex...].first { now.contains($0) }
      if !top.isAtStart, let row = first.flatMap({ now.firstIndex(of: $0) }) {
        let wanted = Double(row) * 44 - top.offset
        #expect(
          table.offset == max(0, min(wanted, Double(now.count) * 44 - 440)),
          "seed \(seed), round \(round)")
      }
    }
    #expect(table.reloadCount == 1)
  }

  @Test(arguments: [true, false])
  func `changes as they come keep the place where that is asked for`(keeps: Bool) async throws {
    let presenter = ReplicaPresenter(keepsScrollPosition: keeps)
    let table = ScrolledTable {
      presenter.sections.map(\.items.count)
    } shown: {
      presenter.sections[$0].items[$1].content.hashValue
    }
    let source = [
      ReplicaSection(
        id: "s", header: [], content: ContentHash(high: 0, low: 0),
        items: (0..<50).map { item($0, 0) })
    ]
    await presenter.show(.replaced(by: source, reset: nil), in: table)
    table.scroll(to: 1000)
    var target = source
    target[0].items.insert(item(50, 0), at: 0)
    let delta = WireDelta(try Delta(from: source, to: target), source: source, target: target)
    await presenter.show(.updated(try ReplicaUpdate(delta, from: source)), in: table)
    #expect(table.offset == (keeps ? 1044 : 1000))
  }
}

extension ScrolledTable {
  fileprivate var allCells: [Cell] { cells.flatMap { $0 } }
}
