// What the adapters tell AppKit's list views, which are strict stand-ins; run by `scripts/test adapters`.

import AppKit
import DeltaEngine
import Foundation
import LiveCollections

/// A data source of tables and collection views.
@MainActor
final class Screen: NSTableViewDataSource, NSTableViewDelegate,
  NSCollectionViewDataSource
{
  /// What each section has.
  var content: () -> [[String]] = { [] }

  func numberOfRows(in tableView: NSTableView) -> Int { content()[0].count }
  func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView?
  { NSTextField(labelWithString: content()[0][row]) }

  func numberOfSections(in collectionView: NSCollectionView) -> Int { content().count }
  func collectionView(_ collectionView: NSCollectionView, numberOfItemsInSection section: Int)
    -> Int
  { content()[section].count }
  func collectionView(
    _ collectionView: NSCollectionView, itemForRepresentedObjectAt path: IndexPath
  ) -> NSCollectionViewItem { item(content()[path.section][path.item]) }
}

@MainActor func item(_ text: String) -> NSCollectionViewItem {
  let item = NSCollectionViewItem()
  item.textField?.stringValue = text
  return item
}

extension NSTableView {
  var texts: [String] { rows.map { ($0 as? NSTextField)?.stringValue ?? "?" } }
}

extension NSCollectionView {
  var texts: [[String]] { list.cells.map { $0.map { $0.textField?.stringValue ?? "?" } } }
}

@MainActor struct AdapterTests {
  let screen = Screen()
  let verdict: Verdict

  func expect<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) {
    verdict.expect(found, expected, line: line)
  }

  func table() -> NSTableView {
    let table = NSTableView()
    table.window = NSWindow()
    table.dataSource = screen
    table.delegate = screen
    return table
  }

  func collection() -> NSCollectionView {
    let collection = NSCollectionView()
    collection.window = NSWindow()
    collection.dataSource = screen
    return collection
  }

  /// Deletions, then moves one after the other, then insertions.
  func aTableTakesOneOperationAfterTheOther() async {
    let table = table()
    let data = CollectionData(songs("ABCDEF"))
    screen.content = { [data.items.map(\.text)] }
    data.setTableView(table)
    await data.update(songs("FXCBAY"))
    expect(table.texts, ["F", "X", "C", "B", "A", "Y"])
    expect(
      table.takeLog(),
      ["reload", "begin", "- [3, 4] 32", "> 3 0", "> 3 1", "> 3 2", "+ [1, 5] 1", "end"])
  }

  func aTableOffScreenIsReloaded() async {
    let table = table()
    table.window = nil
    let data = CollectionData(songs("A"))
    screen.content = { [data.items.map(\.text)] }
    data.setTableView(table)
    await data.update(songs("B"))
    expect(table.takeLog(), ["reload", "reload"])
  }

  func aTableReloadsInsteadOfItsSection() async {
    let table = table()
    let data = CollectionData(songs("A"))
    screen.content = { [data.items.map(\.text)] }
    data.setTableView(table)
    data.deltaCountAnimationThreshold = 0
    await data.update(songs("BC"))
    expect(table.takeLog(), ["reload", "reload"])
    expect(table.texts, ["B", "C"])
  }

  /// Whatever changes, each row shows its item afterwards.
  func randomSongsAreShown(_ seed: UInt64) async {
    var random = RandomAlbums(seed: seed)
    let table = table()
    let data = CollectionData(random.songs())
    screen.content = { [data.items.map(\.text)] }
    data.itemReloadStyle = seed.isMultiple(of: 2) ? .reconfigure : .reload
    data.setTableView(table)
    for _ in 0..<6 {
      await data.update(random.songs())
      expect(table.texts, data.items.map(\.text))
    }
  }

  func randomAlbumsAreShown(_ seed: UInt64) async {
    var random = RandomAlbums(seed: seed)
    let collection = collection()
    let data = CollectionSectionData(random.albums())
    screen.content = { text(data.sections) }
    data.itemReloadStyle = seed.isMultiple(of: 2) ? .reconfigure : .reload
    data.setCollectionView(collection)
    for _ in 0..<6 {
      await data.update(random.albums())
      expect(collection.texts, text(data.sections))
    }
  }

  func diffableDataSourcesShowEachUpdate(_ seed: UInt64) async {
    var random = RandomAlbums(seed: seed)
    let (table, collection) = (NSTableView(), NSCollectionView())
    let songs = CollectionData(random.songs())
    let albums = CollectionSectionData(random.albums())
    let rows = NSTableViewDiffableDataSource<Int, String>(tableView: table) { _, _, _, id in
      NSTextField(labelWithString: songs.item(for: id)?.text ?? "?")
    }
    let items = NSCollectionViewDiffableDataSource<String, String>(collectionView: collection) {
      _, _, id in item(albums.item(for: id)?.text ?? "?")
    }
    songs.itemReloadStyle = .reconfigure
    songs.setDataSource(rows, section: 0)
    albums.setDataSource(items)
    for _ in 0..<6 {
      await songs.update(random.songs())
      expect(table.texts, songs.items.map(\.text))
      await albums.update(random.albums())
      expect(collection.texts, text(albums.sections))
    }
  }
}

extension AdapterTests {
  func theFirstVisibleRowStaysWhileOthersComeAbove() async {
    let table = table()
    let data = CollectionData((0..<100).map { Song(uniqueID: "\($0)") })
    data.keepsScrollPosition = true
    screen.content = { [data.items.map(\.text)] }
    data.setTableView(table)
    let adapter = TableViewAdapter.adapter(of: table)
    await data.update(songs("ABC") + data.items)
    expect(table.visibleRect.minY, 0)
    for place in [1000, 1_000_000] {
      table.scroll(NSPoint(x: 0, y: place))
      let top = table.visibleRect.minY
      await data.update((0..<7).map { Song(uniqueID: "\(place)-\($0)") } + data.items)
      expect(table.visibleRect.minY, top + 7 * 24)
    }
    adapter.scroll(to: ScrolledRow(item: 5, offset: -3))
    expect(adapter.topRow, ScrolledRow(item: 5, offset: -3))
    adapter.scrollToEnd()
    expect(table.visibleRect.maxY, 24 * CGFloat(data.count))
    let collection = collection()
    data.setCollectionView(collection)
    collection.scroll(NSPoint(x: 0, y: 500))
    await data.update(songs("XYZ") + data.items)
    expect(collection.visibleRect.minY, 500 + 3 * 24)
  }
}

@main enum Program {
  @MainActor static func main() async {
    let verdict = Verdict()
    let tests = AdapterTests(verdict: verdict)
    await tests.aTableTakesOneOperationAfterTheOther()
    await tests.aTableOffScreenIsReloaded()
    await tests.theFirstVisibleRowStaysWhileOthersComeAbove()
    await tests.aTableReloadsInsteadOfItsSection()
    for seed in 1...400 { await tests.randomSongsAreShown(UInt64(seed)) }
    for seed in 1...200 { await tests.randomAlbumsAreShown(UInt64(seed)) }
    for seed in 1...200 { await tests.diffableDataSourcesShowEachUpdate(UInt64(seed)) }
    verdict.finish("AppKit's adapters")
  }
}
