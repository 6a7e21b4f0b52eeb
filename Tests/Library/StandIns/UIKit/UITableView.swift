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

/// What a table shows above a section.
open class UITableViewHeaderFooterView: UIView {
  /// Its text.
  public let textLabel: UILabel? = UILabel()
}

/// A table.
open class UITableView: UIListView<UITableViewCell> {
  /// How a row comes, goes or is drawn anew.
  public enum RowAnimation: Int {
    case fade, right, left, top, bottom, none, middle
    case automatic = 100
  }

  /// Whom the table asks.
  public weak var dataSource: (any UITableViewDataSource)?

  override func askForSections() -> Int { dataSource?.numberOfSections(in: self) ?? 0 }
  override func askForItems(_ section: Int) -> Int {
    dataSource?.tableView(self, numberOfRowsInSection: section) ?? 0
  }
  override func askForCell(_ path: IndexPath) -> UITableViewCell {
    known(dataSource).tableView(self, cellForRowAt: path)
  }

  /// The places of the rows on screen.
  public var indexPathsForVisibleRows: [IndexPath]? { visiblePaths }
  /// Where a row is; nothing without the row.
  public func rectForRow(at path: IndexPath) -> CGRect {
    frame(path) ?? CGRect(x: 0, y: 0, width: 0, height: 0)
  }

  /// The header of a section that the table shows.
  public func headerView(forSection section: Int) -> UITableViewHeaderFooterView? {
    list.note("header \(section)")
    return UITableViewHeaderFooterView()
  }

  /// A cell of a kind: the one to be configured again, else another.
  public func dequeueReusableCell(withIdentifier identifier: String, for indexPath: IndexPath)
    -> UITableViewCell
  { reusableCell(identifier, indexPath) }

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

/// A data source of snapshots for a table.
open class UITableViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
  ListDiffableSource<UITableView, SectionIdentifierType, ItemIdentifierType>, UITableViewDataSource
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  /// Makes the cell of an item.
  public typealias CellProvider = (
    _ tableView: UITableView, _ indexPath: IndexPath, _ itemIdentifier: ItemIdentifierType
  ) -> UITableViewCell?

  /// A data source for a table.
  public init(tableView: UITableView, cellProvider: @escaping CellProvider) {
    super.init(tableView, cellProvider)
    tableView.dataSource = self
  }

  /// Shows a snapshot.
  open func apply(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    animatingDifferences: Bool = true, completion: (() -> Void)? = nil
  ) {
    let isAnimated = animatingDifferences && UIView.areAnimationsEnabled
    show(snapshot, note: isAnimated ? nil : "without animation", completion: completion)
  }

  /// Shows a snapshot with new cells.
  open func applySnapshotUsingReloadData(
    _ snapshot: NSDiffableDataSourceSnapshot<SectionIdentifierType, ItemIdentifierType>,
    completion: (() -> Void)? = nil
  ) { show(snapshot, isReload: true, completion: completion) }

  /// How many rows a section has.
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
    count(section)
  }
  /// The cell of a row.
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath)
    -> UITableViewCell
  { cell(indexPath) }
}
