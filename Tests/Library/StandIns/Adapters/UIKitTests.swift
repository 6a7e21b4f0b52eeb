// What the adapters tell UIKit's list views, which are strict stand-ins; run by `scripts/test adapters`.

import DeltaEngine
import Foundation
import LiveCollections
import UIKit

/// A data source of tables.
@MainActor class Rows: UITableViewDataSource {
  /// What each section has.
  var content: () -> [[String]] = { [] }

  func numberOfSections(in tableView: UITableView) -> Int { content().count }
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    content()[section].count
  }
  func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    table.cell(path, content()[path.section][path.row])
  }
}

/// A data source of collection views too.
@MainActor final class Screen: Rows, UICollectionViewDataSource {
  func numberOfSections(in collectionView: UICollectionView) -> Int { content().count }
  func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int)
    -> Int
  { content()[section].count }
  func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath)
    -> UICollectionViewCell
  { view.cell(path, content()[path.section][path.item]) }
}

@MainActor final class Cell: Rows, CollectionDataReusableViewVerificationDelegate {}

extension UIListView {
  var texts: [[String]] { list.cells.map { $0.map { $0.textLabel?.text ?? "?" } } }
}

extension UITableView {
  func cell(_ path: IndexPath, _ text: String?) -> UITableViewCell {
    let cell = dequeueReusableCell(withIdentifier: "song", for: path)
    cell.textLabel?.text = text
    return cell
  }
}

extension UICollectionView {
  func cell(_ path: IndexPath, _ text: String?) -> UICollectionViewCell {
    let cell = dequeueReusableCell(withReuseIdentifier: "song", for: path)
    cell.textLabel?.text = text
    return cell
  }
}

@MainActor struct AdapterTests {
  let screen = Screen()
  let verdict: Verdict
  let lively = TableViewAnimationModel(
    deleteAnimation: .left, insertAnimation: .right, reloadAnimation: .middle)

  func expect<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) {
    verdict.expect(found, expected, line: line)
  }

  func table() -> UITableView {
    let table = UITableView()
    table.window = UIWindow()
    table.dataSource = screen
    return table
  }

  func collection() -> UICollectionView {
    let collection = UICollectionView()
    collection.window = UIWindow()
    collection.dataSource = screen
    return collection
  }

  func aTableIsToldEachChangeWithItsAnimation() async {
    let table = table()
    let data = CollectionData(songs("ABC"), section: 2)
    screen.content = { [[], [], data.items.map(\.text)] }
    data.setTableView(table, rowAnimations: lively)
    var next = songs("CDA")
    next[2].title = "Air"
    await data.update(next)
    expect(
      table.list.takeLog(),
      [
        "reload", "begin", "- 2.1 left", "> 2.2 2.0", "+ 2.1 right", "end", "begin",
        "~ 2.2 middle", "end",
      ])
  }

  func aTableOfSectionsIsToldOfSectionsToo() async {
    let table = table()
    let data = CollectionSectionData([
      Album(uniqueID: "x", items: songs("AB")), Album(uniqueID: "y", items: songs("C")),
    ])
    screen.content = { text(data.sections) }
    data.setTableView(
      table, animations: TableViewAnimations(sectionsByID: ["n": lively]))
    await data.update([
      Album(uniqueID: "n", items: songs("D")), Album(uniqueID: "x", items: songs("AB")),
    ])
    expect(
      table.list.takeLog(), ["reload", "begin", "- sections 1 bottom", "+ sections 0 right", "end"])
  }

  func rowsWithOneAnimationAreOneCall() async {
    let table = table()
    let data = CollectionSectionData([
      Album(uniqueID: "x", items: songs("ABC")), Album(uniqueID: "y", items: songs("DE")),
    ])
    screen.content = { text(data.sections) }
    data.setTableView(table, animations: TableViewAnimations(rowsBySection: ["y": lively]))
    await data.update([
      Album(uniqueID: "x", items: songs("BFG")), Album(uniqueID: "y", items: songs("H")),
    ])
    expect(
      table.list.takeLog(),
      [
        "reload", "begin", "- 1.0 1.1 left", "- 0.0 0.2 bottom", "+ 0.1 0.2 fade",
        "+ 1.0 right", "end",
      ])
  }

  func anAdapterThatNobodyKeepsStillPassesOn() async {
    let table = table()
    let data = CollectionData(songs("A"))
    screen.content = { [data.items.map(\.text)] }
    data.view = TableViewAdapter(table)
    await data.update(songs("B"))
    expect(table.list.takeLog(), ["reload", "begin", "- 0.0 bottom", "+ 0.0 fade", "end"])
  }

  func aCollectionViewIsToldTheSame() async {
    let collection = collection()
    let data = CollectionData(songs("AB"))
    screen.content = { [data.items.map(\.text)] }
    data.setCollectionView(collection)
    await data.update(songs("BC"))
    expect(collection.list.takeLog(), ["reload", "begin", "- 0.0", "+ 0.1", "end"])
  }

  func aListIsChangedWithoutAnimationWhereThatIsSaid() async {
    let table = table()
    let data = CollectionData(songs("AB"))
    screen.content = { [data.items.map(\.text)] }
    data.setTableView(table)
    await data.update(songs("BC"), animated: false)
    await data.update(songs("B"))
    expect(
      table.list.takeLog(),
      [
        "reload", "without animation", "begin", "- 0.0 none", "+ 0.1 none", "end", "begin",
        "- 0.1 bottom", "end",
      ])
    let collection = collection()
    data.setCollectionView(collection)
    await data.update(songs("D"), animated: false)
    expect(
      collection.list.takeLog(), ["reload", "without animation", "begin", "- 0.0", "+ 0.0", "end"])
  }

  func aTableOffScreenIsReloaded() async {
    let table = table()
    table.window = nil
    let data = CollectionData(songs("A"))
    screen.content = { [data.items.map(\.text)] }
    data.setTableView(table)
    await data.update(songs("B"))
    expect(table.list.takeLog(), ["reload", "reload"])
  }

  func aRecycledTableIsLeftAlone() async {
    let table = table()
    let cell = Cell()
    table.dataSource = cell
    let data = CollectionData(songs("A"))
    cell.content = { [data.items.map(\.text)] }
    screen.content = { [["another"]] }
    data.setTableView(table)
    data.validationDelegate = cell
    await data.update(songs("B"))
    expect(table.list.takeLog(), ["reload", "begin", "- 0.0 bottom", "+ 0.0 fade", "end"])
    table.dataSource = screen
    await data.update(songs("C"))
    expect(table.list.takeLog(), [])
    expect(data.items.map(\.uniqueID), ["C"])
  }

  func aTableThatGoesInTheMiddleIsNotWaitedFor() async {
    let data = CollectionData(songs("A"))
    screen.content = { [data.items.map(\.text)] }
    let heard: Task<UpdateOutcome, Never>
    do {
      let table = table()
      table.list.completesAtOnce = false
      data.setTableView(table)
      heard = Task { await data.update(songs("B")) }
      while table.list.log.last != "end" { await Task.yield() }
    }
    _ = await heard.value
    expect(data.items.map(\.uniqueID), ["B"])
  }

  func aRowIsReconfiguredInItsCell() async {
    let table = table()
    let data = CollectionData(songs("ABC"))
    screen.content = { [data.items.map(\.text)] }
    data.itemReloadStyle = .reconfigure
    data.setTableView(table)
    let cells = table.list.cells[0].map { ObjectIdentifier($0) }
    var next = songs("CAB")
    next[1].title = "1"
    await data.update(next)
    expect(table.texts, [["C", "A1", "B"]])
    expect(table.list.cells[0].map { ObjectIdentifier($0) }, [cells[2], cells[0], cells[1]])
    expect(table.list.takeLog().suffix(3), ["begin", "end", "= 0.1"])
    await data.outcome { data.reload(["C"], completion: $0) }
    expect(table.list.takeLog(), ["begin", "~ 0.0 fade", "end"])
    await data.outcome { data.reconfigure(["B", "C"], completion: $0) }
    expect(table.list.takeLog(), ["begin", "end", "= 0.0 0.2"])
  }

  func anItemIsReconfiguredInItsCell() async {
    let collection = collection()
    let data = CollectionSectionData([Album(uniqueID: "x", items: songs("AB"))])
    screen.content = { text(data.sections) }
    data.setCollectionView(collection)
    await data.outcome { data.reconfigureItems(["B"], completion: $0) }
    expect(collection.list.takeLog(), ["reload", "begin", "end", "= 0.1"])
  }

  /// Whatever changes, each cell shows its item afterwards, and items that stay keep their cells.
  func randomAlbumsAreShown(_ seed: UInt64) async {
    var random = RandomAlbums(seed: seed)
    let data = CollectionSectionData(random.albums())
    screen.content = { text(data.sections) }
    data.itemReloadStyle = seed.isMultiple(of: 2) ? .reconfigure : .reload
    let table = table()
    let collection = collection()
    for _ in 0..<6 {
      data.setTableView(table)
      await data.update(random.albums())
      expect(table.texts, text(data.sections))
      data.setCollectionView(collection)
      await data.update(random.albums())
      expect(collection.texts, text(data.sections))
    }
  }
}

/// Diffable data sources and their snapshots.
@MainActor struct DiffableTests {
  let verdict: Verdict

  func expect<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) {
    verdict.expect(found, expected, line: line)
  }

  func aSnapshotIsEditedByADelta() throws {
    var snapshot = NSDiffableDataSourceSnapshot<Int, String>()
    snapshot.appendSections([7])
    snapshot.appendItems(["A", "B", "C"])
    let target = [Song(uniqueID: "C"), Song(uniqueID: "A", title: "1"), Song(uniqueID: "D")]
    let delta = try CollectionData(songs("ABC")).calculateDelta(target)
    var other = snapshot
    try snapshot.apply(delta, toItems: target, showing: .reconfigure)
    expect(snapshot.itemIdentifiers, ["C", "A", "D"])
    expect(snapshot.reconfiguredItemIdentifiers, ["A"])
    expect(snapshot.edits, ["append", "delete", "move", "insert"])
    try other.apply(delta, toItems: target)
    expect(other.reloadedItemIdentifiers, ["A"])
  }

  func aDeltaOfAnotherListIsRefused() throws {
    var snapshot = NSDiffableDataSourceSnapshot<Int, String>()
    let delta = try CollectionData(songs("ABC")).calculateDelta(songs("A"))
    for sections in [[], [7], [7, 8]] {
      snapshot = NSDiffableDataSourceSnapshot()
      snapshot.appendSections(sections)
      do {
        try snapshot.apply(delta, toItems: songs("A"))
        expect("applied", "refused")
      } catch {
        expect(snapshot.itemIdentifiers, [])
      }
    }
  }

  /// A snapshot edited by the delta of random lists is the snapshot of the target.
  func randomSnapshotsAreEdited(_ seed: UInt64) throws {
    var random = RandomAlbums(seed: seed)
    let (source, target) = (random.albums(), random.albums())
    var snapshot = NSDiffableDataSourceSnapshot<String, String>()
    snapshot.appendSections(source.map(\.uniqueID))
    for album in source {
      snapshot.appendItems(album.items.map(\.uniqueID), toSection: album.uniqueID)
    }
    let delta = try Delta(from: source, to: target)
    try snapshot.apply(delta, toSections: target, showing: .reconfigure)
    expect(snapshot.sectionIdentifiers, target.map(\.uniqueID))
    for album in target {
      expect(snapshot.itemIdentifiers(inSection: album.uniqueID), album.items.map(\.uniqueID))
    }
    expect(
      Set(snapshot.reconfiguredItemIdentifiers),
      Set(
        delta.changes.reloadedItems.map { target[$0.target.section].items[$0.target.item].uniqueID }
      ))
  }

  func aDiffableDataSourceShowsEachUpdate(_ seed: UInt64) async {
    var random = RandomAlbums(seed: seed)
    let data = CollectionSectionData(random.albums())
    data.itemReloadStyle = seed.isMultiple(of: 2) ? .reconfigure : .reload
    let (table, collection) = (UITableView(), UICollectionView())
    let rows = UITableViewDiffableDataSource<String, String>(tableView: table) {
      $0.cell($1, data.item(for: $2)?.text)
    }
    let items = UICollectionViewDiffableDataSource<String, String>(collectionView: collection) {
      $0.cell($1, data.item(for: $2)?.text)
    }
    for _ in 0..<6 {
      data.setDataSource(rows)
      await data.update(random.albums())
      expect(table.texts, text(data.sections))
      data.setDataSource(items)
      await data.update(random.albums())
      expect(collection.texts, text(data.sections))
    }
  }

  func aListIsTheOnlySection() async {
    let data = CollectionData(songs("ABC"))
    let table = UITableView()
    let source = UITableViewDiffableDataSource<Int, String>(tableView: table) { table, path, _ in
      table.cell(path, data[path].text)
    }
    data.setDataSource(source, section: 7)
    await data.update(songs("CD"))
    expect(table.texts, [["C", "D"]])
    expect(table.list.takeLog(), ["reload", "apply"])
    // An app that applies its own snapshot meanwhile: the next batch does not build on it.
    source.apply(NSDiffableDataSourceSnapshot())
    await data.update(songs("DE"))
    expect(table.texts, [["D", "E"]])
    data.section = 3
    await data.update(songs("E"))
    expect(table.texts, [["E"]])
  }
}

/// Diffable data sources that show more than one collection.
@MainActor struct SharedSourceTests {
  let verdict: Verdict
  let table = UITableView()

  func expect<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) {
    verdict.expect(found, expected, line: line)
  }

  func source(
    _ text: @escaping (String) -> String?
  ) -> UITableViewDiffableDataSource<String, String> {
    UITableViewDiffableDataSource(tableView: table) { $0.cell($1, text($2) ?? $2) }
  }

  private func sections(_ source: UITableViewDiffableDataSource<String, String>) -> String {
    let snapshot = source.snapshot()
    return snapshot.sectionIdentifiers.map {
      "\($0):\(snapshot.itemIdentifiers(inSection: $0).joined())"
    }.joined(separator: " ")
  }

  func aSnapshotThatTheAppChangedIsMadeAgainWithItsReloads() async {
    for style in [ItemReloadStyle.reload, .reconfigure] {
      let data = CollectionSectionData([Album(uniqueID: "x", items: songs("ABC"))])
      data.itemReloadStyle = style
      let source = source { data.item(for: $0)?.text }
      data.setDataSource(source)
      await data.update(data.sections)
      var snapshot = source.snapshot()
      snapshot.deleteItems(["B"])
      source.apply(snapshot)
      var next = songs("ABC")
      next[2].title = "1"
      let outcome = await data.update([Album(uniqueID: "x", items: next)])
      expect(outcome.description, "applied by batches")
      expect(table.texts, [["A", "B", "C1"]])
    }
  }

  func aSnapshotIsShownWithoutAnimationWhereThatIsSaid() async {
    let data = CollectionSectionData([Album(uniqueID: "x", items: songs("AB"))])
    let source = source { data.item(for: $0)?.text }
    data.setDataSource(source)
    await data.update([Album(uniqueID: "x", items: songs("B"))])
    _ = table.list.takeLog()
    for animated in [true, false] {
      await data.update(
        [Album(uniqueID: "x", items: songs(animated ? "BC" : "D"))], animated: animated)
      expect(table.list.takeLog().contains("without animation"), !animated)
    }
  }

  func otherSectionsStayWhereTheyAre() async {
    let data = CollectionSectionData([Album(uniqueID: "x", items: songs("AB"))])
    let source = source { data.item(for: $0)?.text }
    var snapshot = NSDiffableDataSourceSnapshot<String, String>()
    snapshot.appendSections(["top", "x", "end"])
    snapshot.appendItems(["hello"], toSection: "top")
    source.apply(snapshot)
    data.setDataSource(source)
    expect(sections(source), "top:hello x:AB end:")
    await data.update([
      Album(uniqueID: "y", items: songs("C")), Album(uniqueID: "x", items: songs("B")),
    ])
    expect(sections(source), "top:hello y:C x:B end:")
    await data.update([])
    expect(sections(source), "top:hello end:")
    await data.update([Album(uniqueID: "z", items: songs("D"))])
    expect(sections(source), "top:hello z:D end:")
    snapshot = source.snapshot()
    snapshot.deleteSections(["top", "z"])
    source.apply(snapshot)
    await data.update([Album(uniqueID: "z", items: songs("DE"))])
    expect(sections(source), "end: z:DE")
  }

  func twoCollectionsShareASource() async {
    let (first, second) = (CollectionData(songs("AB")), CollectionData(songs("C")))
    let source = source { _ in nil }
    first.setDataSource(source, section: "one")
    second.section = 1
    second.setDataSource(source, section: "two")
    async let one = first.update(songs("BX"))
    async let two = second.update(songs("DC"))
    let outcomes = await [one, two]
    expect(outcomes.map(\.description), ["applied by batches", "applied by batches"])
    expect(sections(source), "one:BX two:DC")
    await first.update([])
    await second.update(songs("C"))
    await first.update(songs("A"))
    expect(sections(source), "one:A two:C")
  }

  /// Whatever a collection does among an app's sections, these stay, and it shows what it has.
  func randomSectionsAmongOthers(_ seed: UInt64) async {
    var random = RandomAlbums(seed: seed)
    let data = CollectionSectionData(random.albums())
    data.itemReloadStyle = seed.isMultiple(of: 2) ? .reconfigure : .reload
    let source = source { data.item(for: $0)?.text }
    var snapshot = NSDiffableDataSourceSnapshot<String, String>()
    snapshot.appendSections(["top", "end"])
    source.apply(snapshot)
    data.setDataSource(source)
    for round in 0..<8 {
      if round == 4 {
        // The app takes a section away that is not its own.
        var snapshot = source.snapshot()
        snapshot.deleteSections(Array(snapshot.sectionIdentifiers.dropFirst(2).prefix(1)))
        source.apply(snapshot)
      }
      await data.update(random.albums())
      expect(table.texts, [[], []] + text(data.sections))
      expect(
        source.snapshot().sectionIdentifiers, ["top", "end"] + data.sections.map(\.uniqueID))
    }
  }
}

extension AdapterTests {
  func aViewTellsItsFirstRowAndScrollsToOne() {
    let table = table()
    screen.content = { [(0..<10).map { "\($0)" }, (0..<20).map { "\($0)" }] }
    table.reloadData()
    let adapter = TableViewAdapter.adapter(of: table)
    expect(adapter.topRow, ScrolledRow(item: 0))
    adapter.scroll(to: ScrolledRow(section: 1, item: 2, offset: -4))
    expect(table.contentOffset.y, 12 * 44 + 4)
    expect(adapter.topRow, ScrolledRow(section: 1, item: 2, offset: -4))
    table.adjustedContentInset.top = 20
    expect(adapter.topRow, ScrolledRow(section: 1, item: 2, offset: -24))
    adapter.scroll(to: ScrolledRow(section: 1, item: 2, offset: -4))
    expect(table.contentOffset.y, 12 * 44 + 4 - 20)
    adapter.scroll(to: ScrolledRow(item: 0, offset: 100))
    expect(table.contentOffset.y, -20)
    adapter.scrollToEnd()
    expect(table.contentOffset.y, 30 * 44 - 480)
    let collection = collection()
    collection.reloadData()
    let other = CollectionViewAdapter.adapter(of: collection)
    other.scroll(to: ScrolledRow(section: 0, item: 9, offset: 5))
    expect(other.topRow, ScrolledRow(section: 0, item: 8, offset: -39))
  }
}

@main enum Program {
  @MainActor static func main() async throws {
    let verdict = Verdict()
    let tests = AdapterTests(verdict: verdict)
    await tests.aTableIsToldEachChangeWithItsAnimation()
    await tests.aTableOfSectionsIsToldOfSectionsToo()
    await tests.rowsWithOneAnimationAreOneCall()
    await tests.anAdapterThatNobodyKeepsStillPassesOn()
    await tests.aCollectionViewIsToldTheSame()
    await tests.aListIsChangedWithoutAnimationWhereThatIsSaid()
    await tests.aTableOffScreenIsReloaded()
    await tests.aRecycledTableIsLeftAlone()
    await tests.aTableThatGoesInTheMiddleIsNotWaitedFor()
    await tests.aRowIsReconfiguredInItsCell()
    await tests.anItemIsReconfiguredInItsCell()
    tests.aViewTellsItsFirstRowAndScrollsToOne()
    await tests.aHeaderThatChangedKeepsTheCells()
    await tests.theFirstVisibleRowStaysThoughHeightsAreEstimates()
    await tests.atTheBeginningComesWhatComes()
    await tests.aFingerKeepsItsRow()
    await tests.aCollectionViewKeepsItsPlaceToo()
    for seed in 1...200 { await tests.randomAlbumsAreShown(UInt64(seed)) }
    let diffable = DiffableTests(verdict: verdict)
    try diffable.aSnapshotIsEditedByADelta()
    try diffable.aDeltaOfAnotherListIsRefused()
    for seed in 1...2_000 { try diffable.randomSnapshotsAreEdited(UInt64(seed)) }
    for seed in 1...200 { await diffable.aDiffableDataSourceShowsEachUpdate(UInt64(seed)) }
    await diffable.aListIsTheOnlySection()
    let shared = SharedSourceTests(verdict: verdict)
    await shared.aSnapshotThatTheAppChangedIsMadeAgainWithItsReloads()
    await shared.aSnapshotIsShownWithoutAnimationWhereThatIsSaid()
    try await shared.aHeaderThatChangedKeepsTheCellsOfADiffableSource()
    await shared.otherSectionsStayWhereTheyAre()
    await shared.twoCollectionsShareASource()
    for seed in 1...200 { await shared.randomSectionsAmongOthers(UInt64(seed)) }
    verdict.finish("UIKit's adapters")
  }
}
