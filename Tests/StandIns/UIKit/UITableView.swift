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
open class UITableView: UIScrollView {
  /// How a row comes, goes or is drawn anew.
  public enum RowAnimation: Int {
    case fade, right, left, top, bottom, none, middle
    case automatic = 100
  }

  /// Whom the table asks.
  public weak var dataSource: (any UITableViewDataSource)?
  /// What the table shows, and was told.
  public lazy var list: ListView<UITableViewCell> = Rows(self)

  /// The size of the rows.
  open override var contentSize: CGSize { CGSize(width: 320, height: list.height) }
  /// The places of the rows on screen.
  public var indexPathsForVisibleRows: [IndexPath]? { list.visiblePaths(self) }
  /// Where a row is; nothing without the row.
  public func rectForRow(at path: IndexPath) -> CGRect {
    list.frame(path) ?? CGRect(x: 0, y: 0, width: 0, height: 0)
  }

  /// How many sections the table shows.
  public var numberOfSections: Int { list.numberOfSections }

  /// A cell of a kind: the one to be configured again, else another.
  public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath)
    -> UITableViewCell
  {
    let kept = list.reconfiguredCell(at: indexPath)
    if let kept, kept.reuseIdentifier == identifier { return kept }
    return UITableViewCell(reuseIdentifier: identifier)
  }

  /// Asks for everything.
  public func reloadData() { list.reloadData() }

  /// Runs a batch.
  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    if !UIView.areAnimationsEnabled { list.note("without animation") }
    list.runBatch(updates, completion: completion)
  }

  /// Deletes sections.
  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    list.deleteSections(sections, " \(animation)")
  }
  /// Inserts sections.
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    list.insertSections(sections, " \(animation)")
  }
  /// Reloads sections.
  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    list.reloadSections(sections, " \(animation)")
  }
  /// Moves a section.
  public func moveSection(_ section: Int, toSection newSection: Int) {
    list.moveSection(section, to: newSection)
  }
  /// Deletes rows.
  public func deleteRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    list.deleteItems(indexPaths, " \(animation)")
  }
  /// Inserts rows.
  public func insertRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    list.insertItems(indexPaths, " \(animation)")
  }
  /// Reloads rows.
  public func reloadRows(at indexPaths: [IndexPath], with animation: RowAnimation) {
    list.reloadItems(indexPaths, " \(animation)")
  }
  /// Moves a row.
  public func moveRow(at indexPath: IndexPath, to newIndexPath: IndexPath) {
    list.moveItem(indexPath, to: newIndexPath)
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
    let isAnimated = animatingDifferences && UIView.areAnimationsEnabled
    if !isAnimated { table?.list.note("without animation") }
    show(snapshot, isReload: false, completion)
  }

  /// Shows a snapshot with new cells.
  open func applySnapshotUsingReloadData(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) { show(snapshot, isReload: true, completion) }

  private func show(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    isReload: Bool, _ completion: (() -> Void)?
  ) {
    let table = known(table)
    shown.show(snapshot, in: table.list, isReload: isReload) { self.provider(table, $0, $1) }
    completion?()
  }

  /// How many rows a section has.
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    shown.count(section)
  }
  /// The cell of a row.
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath)
    -> UITableViewCell
  { known(provider(tableView, indexPath, shown.identifier(indexPath))) }
}
