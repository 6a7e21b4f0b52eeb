#if canImport(UIKit) && !os(watchOS)
  import LiveCollections
  public import UIKit

  /// The data source of a table that shows a ``WindowedList``, which it tells what the user sees.
  ///
  /// ```swift
  /// source = WindowedTableDataSource(list, in: tableView) { table, path, message in
  ///   let cell = table.dequeueReusableCell(withIdentifier: "message", for: path)
  ///   cell.textLabel?.text = message?.title ?? "…"
  ///   return cell
  /// }
  /// ```
  @MainActor
  public final class WindowedTableDataSource<Row: Decodable>: NSObject,
    UITableViewDataSource
  {
    /// Returns the cell of a row, of the same kind for a placeholder, which has no value, as for an item.
    public typealias CellProvider = @MainActor (UITableView, IndexPath, Row?) -> UITableViewCell

    private let list: WindowedList<Row>
    private let cell: CellProvider
    private var isLooking = false

    /// Creates a data source, and shows the list in the table.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - table: The table, which holds its data source weakly.
    ///   - cell: Returns the cell of a row.
    public init(
      _ list: WindowedList<Row>, in table: UITableView, cell: @escaping CellProvider
    ) {
      (self.list, self.cell) = (list, cell)
      super.init()
      table.dataSource = self
      list.show(in: TableViewAdapter.adapter(of: table))
    }

    /// The number of rows.
    public func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
      list.count
    }

    /// The cell of a row.
    public func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
      look(at: table)
      return cell(table, path, list[path[1]])
    }

    /// Tells the list which rows are visible, once the table has laid out all that come on screen together.
    private func look(at table: UITableView) {
      guard !isLooking else { return }
      isLooking = true
      Task { [weak self, weak table] in
        self?.isLooking = false
        let rows = table?.indexPathsForVisibleRows?.map { $0[1] } ?? []
        if let first = rows.min(), let last = rows.max() { self?.list.visible(first..<last + 1) }
      }
    }
  }
#endif
