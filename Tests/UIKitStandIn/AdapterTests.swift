// What the adapters tell a table and a collection view; run by `scripts/uikit`.

import DeltaEngine
import Foundation
import LiveCollections
import UIKit

struct Song: UniquelyIdentifiable, Sendable {
  var uniqueID: String
  var title = ""
}

func songs(_ ids: String) -> [Song] { ids.map { Song(uniqueID: String($0)) } }

struct Album: UniquelyIdentifiableSection, Sendable {
  var uniqueID: String
  var items: [Song]
}

@MainActor final class Screen: UITableViewDataSource, UICollectionViewDataSource {}

@MainActor final class Cell: UITableViewDataSource, CollectionDataReusableViewVerificationDelegate {
}

@MainActor struct AdapterTests {
  let screen = Screen()
  let lively = TableViewAnimationModel(
    deleteAnimation: .left, insertAnimation: .right, reloadAnimation: .middle)
  var failures = 0

  mutating func expect(_ found: [String], _ expected: [String], line: Int = #line) {
    if found == expected { return }
    failures += 1
    print("line \(line): expected \(expected), found \(found)")
  }

  func table() -> UITableView {
    let table = UITableView()
    table.window = UIWindow()
    table.dataSource = screen
    return table
  }

  mutating func aTableIsToldEachChangeWithItsAnimation() async {
    let table = table()
    let data = CollectionData(songs("ABC"), section: 2)
    data.setTableView(table, rowAnimations: lively)
    var next = songs("CDA")
    next[2].title = "Air"
    await data.show(next)
    expect(
      table.takeLog(),
      [
        "reload", "begin", "- 2.1 left", "> 2.2 2.0", "+ 2.1 right", "end", "begin",
        "~ 2.2 middle", "end",
      ])
  }

  mutating func aTableOfSectionsIsToldOfSectionsToo() async {
    let table = table()
    let data = CollectionSectionData([
      Album(uniqueID: "x", items: songs("AB")), Album(uniqueID: "y", items: songs("C")),
    ])
    table.numberOfSections = 2
    data.setTableView(
      table, animations: TableViewAnimations(sectionsByID: ["n": lively]))
    await data.show([
      Album(uniqueID: "n", items: songs("D")), Album(uniqueID: "x", items: songs("AB")),
    ])
    expect(
      table.takeLog(), ["reload", "begin", "- sections 1 bottom", "+ sections 0 right", "end"])
  }

  mutating func rowsWithOneAnimationAreOneCall() async {
    let table = table()
    let data = CollectionSectionData([
      Album(uniqueID: "x", items: songs("ABC")), Album(uniqueID: "y", items: songs("DE")),
    ])
    table.numberOfSections = 2
    data.setTableView(table, animations: TableViewAnimations(rowsBySection: ["y": lively]))
    await data.show([
      Album(uniqueID: "x", items: songs("BFG")), Album(uniqueID: "y", items: songs("H")),
    ])
    expect(
      table.takeLog(),
      [
        "reload", "begin", "- 1.0 1.1 left", "- 0.0 0.2 bottom", "+ 0.1 0.2 fade",
        "+ 1.0 right", "end",
      ])
  }

  mutating func anAdapterThatNobodyKeepsStillPassesOn() async {
    let table = table()
    let data = CollectionData(songs("A"))
    data.view = TableViewAdapter(table)
    await data.show(songs("B"))
    expect(table.takeLog(), ["reload", "begin", "- 0.0 bottom", "+ 0.0 fade", "end"])
  }

  mutating func aCollectionViewIsToldTheSame() async {
    let collection = UICollectionView()
    collection.window = UIWindow()
    collection.dataSource = screen
    let data = CollectionData(songs("AB"))
    data.setCollectionView(collection)
    await data.show(songs("BC"))
    expect(collection.takeLog(), ["reload", "begin", "- 0.0", "+ 0.1", "end"])
  }

  mutating func aTableOffScreenIsReloaded() async {
    let table = table()
    table.window = nil
    let data = CollectionData(songs("A"))
    data.setTableView(table)
    await data.show(songs("B"))
    expect(table.takeLog(), ["reload", "reload"])
  }

  mutating func aRecycledTableIsLeftAlone() async {
    let table = table()
    let cell = Cell()
    table.dataSource = cell
    let data = CollectionData(songs("A"))
    data.setTableView(table)
    data.validationDelegate = cell
    await data.show(songs("B"))
    expect(table.takeLog(), ["reload", "begin", "- 0.0 bottom", "+ 0.0 fade", "end"])
    table.dataSource = screen
    await data.show(songs("C"))
    expect(table.takeLog(), [])
    expect(data.items.map(\.uniqueID), ["C"])
  }

  mutating func aTableThatGoesInTheMiddleIsNotWaitedFor() async {
    let data = CollectionData(songs("A"))
    let heard: Task<UpdateOutcome, Never>
    do {
      let table = table()
      table.completesAtOnce = false
      data.setTableView(table)
      heard = Task { await data.show(songs("B")) }
      while table.log.last != "end" { await Task.yield() }
    }
    _ = await heard.value
    expect(data.items.map(\.uniqueID), ["B"])
  }
}

@main enum Program {
  @MainActor static func main() async {
    var tests = AdapterTests()
    await tests.aTableIsToldEachChangeWithItsAnimation()
    await tests.aTableOfSectionsIsToldOfSectionsToo()
    await tests.rowsWithOneAnimationAreOneCall()
    await tests.anAdapterThatNobodyKeepsStillPassesOn()
    await tests.aCollectionViewIsToldTheSame()
    await tests.aTableOffScreenIsReloaded()
    await tests.aRecycledTableIsLeftAlone()
    await tests.aTableThatGoesInTheMiddleIsNotWaitedFor()
    print(tests.failures == 0 ? "the adapters do as they should" : "\(tests.failures) failures")
    exit(tests.failures == 0 ? 0 : 1)
  }
}
