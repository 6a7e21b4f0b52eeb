import DeltaEngine
import ListTestSupport
import LiveCollections
import TestSupport
import Testing

/// The first visible row stays where it is, where that is asked for.
@MainActor @Suite struct ScrollPositionTests {
  private let queues = ManualQueues()

  private func many(_ prefix: String, _ range: Range<Int>) -> [Item] {
    range.map { Item(id: "\(prefix)\($0)") }
  }

  private func table(_ data: CollectionData<Item>) -> ScrolledTable {
    ScrolledTable {
      [data.count]
    } shown: {
      data.items[$1].hashValue
    }
  }

  private func shown(_ count: Int, keeps: Bool = true) -> (CollectionData<Item>, ScrolledTable) {
    let data = CollectionData(many("a", 0..<count), queues: queues.queues)
    data.keepsScrollPosition = keeps
    let table = table(data)
    data.view = table
    queues.runAll()
    return (data, table)
  }

  private func update(_ data: CollectionData<Item>, _ items: [Item]) {
    data.update(items)
    queues.runAll()
  }

  @Test func `rows that come above move nothing on screen, in the middle and at the end`() {
    for (offset, keeps) in [(1000.0, true), (.infinity, true), (1000, false)] {
      let (data, table) = shown(100, keeps: keeps)
      table.scroll(to: offset)
      let old = table.offset
      update(data, many("n", 0..<7) + data.items)
      #expect(table.offset == (keeps ? old + 7 * ScrolledTable.rowHeight : old))
      #expect(table.faults == [])
    }
  }

  @Test func `at the beginning the list shows what comes`() {
    let (data, table) = shown(100)
    update(data, many("n", 0..<7) + data.items)
    #expect(table.offset == 0)
  }

  @Test func `in place of a row that is deleted the next one stays, or else the last before`() {
    let (data, table) = shown(100)
    table.scroll(to: 1000)
    update(data, data.items.filter { !["a20", "a22", "a23"].contains($0.id) })
    #expect(table.topRow == ScrolledRow(item: 21, offset: 968 - 1000))
    #expect(data.items[21].id == "a24")
    update(data, Array(data.items.prefix(15)))
    #expect(table.offset == 15 * 44 - 440)
  }

  @Test func `a list that is reloaded keeps the row as well`() {
    for threshold in [
      \CollectionData<Item>.dataCountAnimationThreshold, \.deltaCountAnimationThreshold,
    ] {
      let (data, table) = shown(100)
      data[keyPath: threshold] = 1
      table.scroll(to: 1000)
      update(data, many("n", 0..<7) + data.items)
      #expect(table.offset == 1000 + 7 * 44)
    }
  }

  @Test func `a row of another collection in the view stays, whose own content is unchanged`() {
    let members = (0..<2).map { section in
      CollectionData(many("\(section)", 0..<30), section: section, queues: queues.queues)
    }
    let table = ScrolledTable {
      members.map(\.count)
    } shown: {
      members[$0].items[$1].hashValue
    }
    for data in members {
      data.keepsScrollPosition = true
      data.view = table
    }
    queues.runAll()
    table.scroll(to: 40 * 44 + 5)
    update(members[0], many("n", 0..<3) + members[0].items)
    #expect(table.topRow == ScrolledRow(section: 1, item: 10, offset: -5))
    members[0].synchronizer = CollectionDataSynchronizer(delay: .none)
    members[1].synchronizer = members[0].synchronizer
    members[1].update(many("m", 0..<2) + members[1].items)
    update(members[0], members[0].items.reversed())
    #expect(table.topRow == ScrolledRow(section: 1, item: 12, offset: -5))
  }

  @Test func `random changes of sections keep the first visible row that stays`() {
    let seed = UInt64.random(in: 1...UInt64.max)
    var lists = RandomLists(seed: seed)
    let data = CollectionSectionData(lists.version(), queues: queues.queues)
    data.keepsScrollPosition = true
    let table = ScrolledTable {
      data.sections.map(\.items.count)
    } shown: {
      data.sections[$0].items[$1].hashValue
    }
    data.view = table
    queues.runAll()
    for round in 0..<rounds(3_000) {
      table.scroll(to: Double.random(in: 0...600, using: &lists.generator))
      let (before, top, first) = (data.sections, table.topRow, table.visible.lowerBound)
      let target = lists.edited(
        data.sections, times: Int.random(in: 1...6, using: &lists.generator))
      data.update(target)
      queues.runAll()
      #expect(table.faults == [], "seed \(seed), round \(round)")
      guard let top, !top.isAtStart else { continue }
      let ids = target.flatMap(\.items).map(\.id)
      let stays = before.flatMap(\.items).dropFirst(first).first { ids.contains($0.id) }
      if let row = stays.flatMap({ ids.firstIndex(of: $0.id) }) {
        let wanted = Double(row) * ScrolledTable.rowHeight - top.offset
        let end = Double(ids.count) * ScrolledTable.rowHeight - ScrolledTable.height
        #expect(table.offset == max(0, min(wanted, end)), "seed \(seed), round \(round)")
      }
    }
  }
}
