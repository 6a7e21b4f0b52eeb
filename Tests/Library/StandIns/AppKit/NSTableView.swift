public import Foundation
public import ListStandIn

/// Whom a table asks for its rows.
@MainActor public protocol NSTableViewDataSource: AnyObject {
  /// How many rows there are.
  func numberOfRows(in tableView: NSTableView) -> Int
}

/// Whom a table asks for its views.
@MainActor public protocol NSTableViewDelegate: AnyObject {
  /// The view of a cell.
  func tableView(_ tableView: NSTableView, viewFor tableColumn: NSTableColumn?, row: Int) -> NSView?
}

/// A column.
public final class NSTableColumn {}

/// A table, which takes its operations one after the other, and stops the program at one that is out
/// of range or when the rows are not as many as those of its data source in the end.
open class NSTableView: NSView {
  /// How rows come and go.
  public struct AnimationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Some bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Fade.
    public static let effectFade = AnimationOptions(rawValue: 1)
    /// Leave a gap.
    public static let effectGap = AnimationOptions(rawValue: 2)
    /// Up.
    public static let slideUp = AnimationOptions(rawValue: 0x10)
    /// Down.
    public static let slideDown = AnimationOptions(rawValue: 0x20)
    /// Left.
    public static let slideLeft = AnimationOptions(rawValue: 0x30)
    /// Right.
    public static let slideRight = AnimationOptions(rawValue: 0x40)
  }

  /// Whom the table asks for its rows.
  public weak var dataSource: (any NSTableViewDataSource)?
  /// Whom the table asks for its views.
  public weak var delegate: (any NSTableViewDelegate)?
  /// The number of columns.
  public var numberOfColumns: Int { 1 }
  /// The number of rows.
  public var numberOfRows: Int { rows.count }
  /// The views of the rows, `nil` until they are asked for.
  public private(set) var rows: [NSView?] = []
  /// What the table was told.
  public private(set) var log: [String] = []
  private var depth = 0

  override var contentHeight: CGFloat { 24 * CGFloat(rows.count) }
  /// The rows in a part of the table, each 24 points high.
  public func rows(in rect: NSRect) -> NSRange {
    let first = Int(rect.minY / 24)
    return NSRange(
      location: first, length: min(rows.count, Int((rect.maxY / 24).rounded(.up))) - first)
  }
  /// Where a row is.
  public func rect(ofRow row: Int) -> NSRect {
    NSRect(x: 0, y: 24 * CGFloat(row), width: 320, height: 24)
  }

  /// Gives what was noted and forgets it.
  public func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  /// Asks for everything.
  public func reloadData() {
    log.append("reload")
    require(depth == 0, "reloadData inside a batch")
    rows = Array(repeating: nil, count: dataSource?.numberOfRows(in: self) ?? 0)
    fill()
  }

  /// Begins a batch.
  public func beginUpdates() {
    log.append("begin")
    depth += 1
  }

  /// Ends a batch.
  public func endUpdates() {
    log.append("end")
    depth -= 1
    if depth > 0 { return }
    let count = dataSource?.numberOfRows(in: self)
    require(count == rows.count, "\(rows.count) rows, not \(count ?? 0)")
    fill()
  }

  private func fill() {
    for row in rows.indices where rows[row] == nil {
      rows[row] = delegate?.tableView(self, viewFor: nil, row: row)
    }
  }

  /// Removes rows, all at once.
  public func removeRows(
    at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []
  ) {
    log.append("- \(Array(indexes)) \(animationOptions.rawValue)")
    require(indexes.allSatisfy(rows.indices.contains), "remove \(Array(indexes)) of \(rows.count)")
    for row in indexes.reversed() { rows.remove(at: row) }
  }

  /// Inserts rows, which are at these places then.
  public func insertRows(
    at indexes: IndexSet, withAnimation animationOptions: AnimationOptions = []
  ) {
    log.append("+ \(Array(indexes)) \(animationOptions.rawValue)")
    for row in indexes {
      require(row <= rows.count, "insert \(row) of \(rows.count)")
      rows.insert(nil, at: row)
    }
  }

  /// Moves a row to the place that it has then.
  public func moveRow(at oldIndex: Int, to newIndex: Int) {
    log.append("> \(oldIndex) \(newIndex)")
    require(
      rows.indices.contains(oldIndex) && rows.indices.contains(newIndex),
      "move \(oldIndex) to \(newIndex) of \(rows.count)")
    rows.insert(rows.remove(at: oldIndex), at: newIndex)
  }

  /// Asks for the views of rows again.
  public func reloadData(forRowIndexes rowIndexes: IndexSet, columnIndexes: IndexSet) {
    log.append("~ \(Array(rowIndexes))")
    require(rowIndexes.allSatisfy(rows.indices.contains), "reload of \(rows.count)")
    require(columnIndexes == IndexSet(0..<numberOfColumns), "columns \(columnIndexes)")
    for row in rowIndexes { rows[row] = nil }
    if depth == 0 { fill() }
  }

  fileprivate func show(_ new: [NSView]) {
    log.append("apply")
    rows = new
  }
}

/// A data source of snapshots for a table.
@MainActor
open class NSTableViewDiffableDataSource<SectionIdentifierType, ItemIdentifierType>:
  NSTableViewDataSource
where
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
{
  /// Makes the view of a cell.
  public typealias CellProvider = (
    _ tableView: NSTableView, _ tableColumn: NSTableColumn, _ row: Int,
    _ itemIdentifier: ItemIdentifierType
  ) -> NSView

  private weak var table: NSTableView?
  private let provider: CellProvider
  private let shown = DiffableCells<SectionIdentifierType, ItemIdentifierType, NSView>()

  /// A data source for a table.
  public init(tableView: NSTableView, cellProvider: @escaping CellProvider) {
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
    animatingDifferences: Bool, completion: (() -> Void)? = nil
  ) {
    let table = known(table)
    var row = -1
    let views = shown.cells(of: snapshot, shown: [table.rows.compactMap { $0 }]) { _, _, _, _ in
      fatalError("AppKit configures nothing again")
    } make: { _, _, id in
      row += 1
      return self.provider(table, NSTableColumn(), row, id)
    }
    table.show(views.flatMap { $0 })
    completion?()
  }

  /// How many rows there are.
  open func numberOfRows(in tableView: NSTableView) -> Int { shown.snapshot.itemIdentifiers.count }
}
