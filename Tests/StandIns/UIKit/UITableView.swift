public import Foundation
public import ListStandIn

/// Whom a table asks.
@MainActor public protocol UITableViewDataSource: AnyObject {
  /// How many rows a section has.
  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int
  /// The cell of a row.
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell
  /// How many sections there are.
  func numberOfSections(in tableView: UITableView) -> Int
}

extension UITableViewDataSource {
  /// One.
  public func numberOfSections(in tableView: UITableView) -> Int { 1 }
}

/// A table.
open class UITableView: UIView {
  /// How a row comes, goes or is drawn anew.
  public enum RowAnimation: Int {
    case fade, right, left, top, bottom, none, middle
    case automatic = 100
  }

  /// Whom the table asks.
  public weak var dataSource: (any UITableViewDataSource)?
  /// What the table shows, and was told.
  public lazy var list: ListView<UITableViewCell> = Rows(self)

  /// How many sections the table shows.
  public var numberOfSections: Int { list.numberOfSections }

  /// A cell of a kind: the one to be configured again, else another.
  public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath)
    -> UITableViewCell
  {
    if let known = list.reconfigured, known.path == indexPath,
      known.cell.reuseIdentifier == identifier
    {
      return known.cell
    }
    return UITableViewCell(reuseIdentifier: identifier)
  }

  /// Asks for everything.
  public func reloadData() { list.reloadData() }

  /// Runs a batch.
  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    list.runBatch(updates, completion: completion)
  }

  /// Deletes sections.
  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    list.note("- sections", Array(sections), " \(animation)")
    list.deleteSections(Array(sections))
  }
  /// Inserts sections.
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    list.note("+ sections", Array(sections), " \(animation)")
    list.insertSections(Array(sections))
  }
  /// Reloads sections.
  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    list.note("~ sections", Array(sections), " \(animation)")
    list.reloadSections(Array(sections))
  }
  /// Moves a section.
  public func moveSection(_ section: Int, toSection newSection: Int) {
    list.note("> section \(section) \(newSection)")
    list.moveSection(from: section, to: newSection)
  }
  /// Deletes rows.
  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    list.note("-", indexPaths.map(\.text), " \(animation)")
    list.deleteItems(indexPaths)
  }
  /// Inserts rows.
  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    list.note("+", indexPaths.map(\.text), " \(animation)")
    list.insertItems(indexPaths)
  }
  /// Reloads rows.
  public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    list.note("~", indexPaths.map(\.text), " \(animation)")
    list.reloadItems(indexPaths)
  }
  /// Moves a row.
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    list.note("> \(indexPath.text) \(newIndexPath.text)")
    list.moveItem(from: indexPath, to: newIndexPath)
  }
  /// Configures rows again, in their cells.
  public func reconfigureRows(at indexPaths: [IndexPath]) { list.reconfigure(indexPaths) }
}

private final class Rows: ListView<UITableViewCell> {
  private unowned let table: UITableView

  init(_ table: UITableView) {
    self.table = table
    super.init()
  }

  override func askForSections() -> Int { table.dataSource?.numberOfSections(in: table) ?? 0 }
  override func askForItems(_ section: Int) -> Int {
    table.dataSource?.tableView(table, numberOfRowsInSection: section) ?? 0
  }
  override func askForCell(_ path: IndexPath) -> UITableViewCell {
    known(table.dataSource).tableView(table, cellForRowAt: path)
  }
}

/// A data source of snapshots for a table.
@MainActor
open class UITableViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
  UITableViewDataSource
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  /// Makes the cell of an item.
  public typealias CellProvider = (
    _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
  ) -> UITableViewCell?

  private weak var table: UITableView?
  private let provider: CellProvider
  /// What the data source shows.
  public let shown = DiffableCells<SectionIdentifierType, ItemIdentifierType, UITableViewCell>()

  /// A data source for a table.
  public init(tableView: UITableView, cellProvider: @escaping CellProvider) {
    table = tableView
    provider = cellProvider
    tableView.dataSource = self
  }

  /// What is shown.
  open func snapshot() -> NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType> {
    shown.snapshot
  }

  /// Shows a snapshot.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    known(table).list.note("apply")
    show(snapshot, isReload: false)
    completion?()
  }

  /// Shows a snapshot with new cells.
  open func applySnapshotUsingReloadData(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) {
    known(table).list.note("reload")
    show(snapshot, isReload: true)
    completion?()
  }

  private func show(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    isReload: Bool
  ) {
    let table = known(table)
    let cells = shown.cells(of: snapshot, shown: table.list.cells, isReload: isReload) {
      let path = IndexPath(row: $1, section: $0)
      let id = $2
      table.list.reconfigure($3, at: path) { known(self.provider(table, path, id)) }
    } make: {
      known(self.provider(table, IndexPath(row: $1, section: $0), $2))
    }
    table.list.show(cells)
  }

  /// How many rows a section has.
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    shown.snapshot.itemIdentifiers(inSection: shown.snapshot.sectionIdentifiers[section]).count
  }
  /// The cell of a row.
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath)
    -> UITableViewCell
  {
    let section = shown.snapshot.sectionIdentifiers[indexPath.section]
    return known(
      provider(
        tableView, indexPath, shown.snapshot.itemIdentifiers(inSection: section)[indexPath.row]))
  }
}
