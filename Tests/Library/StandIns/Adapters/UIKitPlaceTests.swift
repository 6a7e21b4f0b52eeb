// What UIKit's list views keep: cells, though a header changes, and the place of the first visible row.

import DeltaEngine
import Foundation
import LiveCollections
import UIKit

extension AdapterTests {
  func aHeaderThatChangedKeepsTheCells() async {
    let table = table()
    let data = CollectionSectionData([
      Album(uniqueID: "x", items: songs("AB")), Album(uniqueID: "y", items: songs("C")),
    ])
    screen.content = { text(data.sections) }
    data.setTableView(table) { table, section in
      table.headerView(forSection: section)?.textLabel?.text = data.sections[section].title
    }
    let cells = table.list.cells[0].map { ObjectIdentifier($0) }
    await data.update([
      Album(uniqueID: "x", title: "3", items: songs("ABD")),
      Album(uniqueID: "y", items: songs("C")),
    ])
    expect(table.list.takeLog(), ["reload", "begin", "+ 0.2 fade", "end", "header 0"])
    expect(table.list.cells[0].prefix(2).map { ObjectIdentifier($0) }, cells)
    let collection = collection()
    data.setCollectionView(collection) { collection, section in
      let header = UICollectionView.elementKindSectionHeader
      _ = collection.supplementaryView(
        forElementKind: header, at: IndexPath(item: 0, section: section))
    }
    await data.update([
      Album(uniqueID: "n", items: []), Album(uniqueID: "y", title: "1", items: songs("C")),
    ])
    expect(
      collection.list.takeLog(),
      ["reload", "begin", "- sections 0", "+ sections 0", "end", "header 1"])
    // Without anybody to show it, the section is reloaded.
    let other = self.table()
    data.setTableView(other)
    await data.update([Album(uniqueID: "y", title: "2", items: songs("C"))])
    expect(other.list.takeLog().suffix(3), ["begin", "~ sections 0 none", "end"])
  }

  /// Lists of rows of many heights, of which only those are known that have been on screen.
  private func tall(_ table: UITableView) -> (CollectionData<Song>, TableViewAdapter) {
    let data = CollectionData((0..<200).map { Song(uniqueID: "\($0)") })
    data.keepsScrollPosition = true
    screen.content = { [data.items.map(\.text)] }
    table.height = { cell in CGFloat(20 + (Int(cell.textLabel?.text ?? "") ?? 7) * 37 % 90) }
    data.setTableView(table)
    table.layoutIfNeeded()
    return (data, TableViewAdapter.adapter(of: table))
  }

  private func more(_ data: CollectionData<Song>, _ count: Int) -> [Song] {
    (0..<count).map { Song(uniqueID: "\(1000 + data.count + $0)") } + data.items
  }

  func theFirstVisibleRowStaysThoughHeightsAreEstimates() async {
    for offset in [300, 2000, 5000, CGFloat.greatestFiniteMagnitude] {
      let table = table()
      let (data, adapter) = tall(table)
      if offset > 5000 { adapter.scrollToEnd() } else { table.contentOffset.y = offset }
      table.layoutIfNeeded()
      if offset > 5000 { adapter.scrollToEnd() }
      for _ in 0..<5 {
        let top = known(adapter.topRow)
        let cell = table.list.cells[0][top.item]
        let place = known(table.place(of: cell))
        await data.update(more(data, 9))
        table.layoutIfNeeded()
        expect(known(table.place(of: cell)), place)
        expect(known(adapter.topRow).item, top.item + 9)
      }
    }
  }

  func atTheBeginningComesWhatComes() async {
    let table = table()
    let (data, adapter) = tall(table)
    await data.update(more(data, 9))
    expect(table.contentOffset.y, 0)
    // Pulled down, as to refresh.
    table.drag(by: 60)
    await data.update(more(data, 9))
    expect(table.contentOffset.y, -60)
    expect(known(adapter.topRow).item, 0)
  }

  func aFingerKeepsItsRow() async {
    let table = table()
    let (data, adapter) = tall(table)
    table.contentOffset.y = 3000
    table.drag(by: -50)
    let cell = table.list.cells[0][known(adapter.topRow).item + 2]
    let place = known(table.place(of: cell))
    await data.update(more(data, 20))
    expect(known(table.place(of: cell)), place)
    table.drag(by: -30)
    expect(known(table.place(of: cell)), place - 30)
    // Pulled beyond the end, the list stays under the finger too.
    adapter.scrollToEnd()
    table.drag(by: -80)
    let last = known(table.list.cells[0].last)
    let end = known(table.place(of: last))
    await data.update(more(data, 3))
    expect(known(table.place(of: last)), end)
    table.endDragging()
  }

  func aCollectionViewKeepsItsPlaceToo() async {
    let collection = collection()
    let data = CollectionSectionData([
      Album(uniqueID: "x", items: songs("ABCDEFGHIJKLMNOP")),
      Album(uniqueID: "y", items: songs("abcdefghijklmnop")),
    ])
    data.keepsScrollPosition = true
    screen.content = { text(data.sections) }
    data.setCollectionView(collection)
    collection.contentOffset.y = 18 * 44 + 10
    await data.update([
      Album(uniqueID: "n", items: songs("XYZ")),
      Album(uniqueID: "x", items: songs("QABCDEFGHIJKLMNOP")),
      Album(uniqueID: "y", items: songs("abdefghijklmnop")),
    ])
    // The row at the top is deleted: the next one has its place.
    expect(
      CollectionViewAdapter.adapter(of: collection).topRow,
      ScrolledRow(section: 2, item: 2, offset: -10))
  }
}

extension SharedSourceTests {
  func aHeaderThatChangedKeepsTheCellsOfADiffableSource() async throws {
    let data = CollectionSectionData([Album(uniqueID: "x", items: songs("AB"))])
    let source = self.source { data.item(for: $0)?.text }
    var snapshot = NSDiffableDataSourceSnapshot<String, String>()
    snapshot.appendSections(["top"])
    source.apply(snapshot)
    let (table, shown) = (table, Headers())
    data.setDataSource(source) { id in shown.ids.append(id) }
    let cells = table.list.cells[1].map { ObjectIdentifier($0) }
    let before = data.sections
    await data.update([Album(uniqueID: "x", title: "1", items: songs("ABC"))])
    expect(shown.ids, ["x"])
    expect(table.list.cells[1].prefix(2).map { ObjectIdentifier($0) }, cells)
    // By hand.
    var byHand = NSDiffableDataSourceSnapshot<String, String>()
    byHand.appendSections(["x"])
    byHand.appendItems(["A", "B"])
    var reloading = byHand
    let delta = try Delta(from: before, to: data.sections)
    try byHand.apply(delta.separatingHeaders(), toSections: data.sections)
    expect(byHand.reloadedSectionIdentifiers, [])
    try reloading.apply(delta, toSections: data.sections)
    expect(reloading.reloadedSectionIdentifiers, ["x"])
  }
}

@MainActor private final class Headers { var ids: [String] = [] }
