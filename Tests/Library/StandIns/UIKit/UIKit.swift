// What the adapters and the guides use of UIKit, for machines without it: `scripts/test adapters`. The
// signatures are those that Apple documents.

@_exported public import Foundation
@_exported public import ListStandIn

/// What is on screen.
@MainActor open class UIView {
  /// The window that shows the view.
  public var window: UIWindow?
  /// The view's size.
  public var bounds = CGRect(x: 0, y: 0, width: 320, height: 480)

  /// Whether what is changed now is animated.
  public static private(set) var areAnimationsEnabled = true

  /// A view off screen.
  public nonisolated init() {}

  /// Changes views without animation.
  public class func performWithoutAnimation(_ changes: () -> Void) {
    let wereEnabled = areAnimationsEnabled
    areAnimationsEnabled = false
    changes()
    areAnimationsEnabled = wereEnabled
  }
}

/// The distances of content from the edges of a view.
public struct UIEdgeInsets: Sendable {
  /// Above and below.
  public var top: CGFloat = 0, bottom: CGFloat = 0
}

/// What is scrolled.
open class UIScrollView: UIView {
  /// How far the content is scrolled.
  public var contentOffset = CGPoint(x: 0, y: 0)
  /// What bars cover.
  public var adjustedContentInset = UIEdgeInsets()
  /// The size of the content.
  open var contentSize: CGSize { CGSize(width: 320, height: 0) }

  /// Whether a finger is on it.
  public private(set) var isTracking = false

  /// Lays out what has changed.
  public func layoutIfNeeded() {}

  /// Moves a finger that is on it, by so many points down the screen.
  public func drag(by distance: CGFloat) {
    isTracking = true
    contentOffset.y -= distance
    layoutIfNeeded()
  }

  /// Takes the finger away.
  public func endDragging() { isTracking = false }
}

/// What tables and collections have in common.
///
/// A row has its height once it has been on screen, until then an estimate of 44 points, and there is nothing
/// between rows.
open class UIListView<Cell: UIListCell>: UIScrollView, ListFace {
  /// What the view shows, and was told.
  public lazy var list = ListView<Cell>(
    sections: { [unowned self] in askForSections() },
    items: { [unowned self] in askForItems($0) }, cell: { [unowned self] in askForCell($0) })

  func askForSections() -> Int { 0 }
  func askForItems(_ section: Int) -> Int { 0 }
  func askForCell(_ path: IndexPath) -> Cell { fatalError("no data source") }

  /// The heights of cells once they are on screen: of each 44 unless set.
  public var height: (Cell) -> CGFloat = { _ in 44 }
  private var heights: [ObjectIdentifier: CGFloat] = [:]

  private func height(of cell: Cell) -> CGFloat { heights[ObjectIdentifier(cell)] ?? 44 }

  /// The size of the rows.
  open override var contentSize: CGSize {
    CGSize(width: 320, height: list.cells.joined().reduce(0) { $0 + height(of: $1) })
  }

  /// Gives the rows on screen their heights, until all on screen have theirs.
  public override func layoutIfNeeded() {
    while true {
      let new = visiblePaths.map { list.cells[$0[0]][$0[1]] }.filter {
        heights[ObjectIdentifier($0)] == nil
      }
      if new.isEmpty { return }
      for cell in new { heights[ObjectIdentifier(cell)] = height(cell) }
    }
  }

  /// The places of the rows on screen.
  var visiblePaths: [IndexPath] {
    list.cells.indices.flatMap { section in
      list.cells[section].indices.map { IndexPath(item: $0, section: section) }
    }.filter { path in
      guard let frame = frame(path) else { return false }
      return frame.maxY > contentOffset.y && frame.minY < contentOffset.y + bounds.height
    }
  }

  /// Where a row is.
  func frame(_ path: IndexPath) -> CGRect? {
    let cells = list.cells
    guard cells.indices.contains(path[0]), cells[path[0]].indices.contains(path[1]) else {
      return nil
    }
    let above = cells[..<path[0]].joined() + cells[path[0]].prefix(path[1])
    return CGRect(
      x: 0, y: above.reduce(0) { $0 + height(of: $1) }, width: 320,
      height: height(of: cells[path[0]][path[1]]))
  }

  /// Where a cell is on screen.
  public func place(of cell: Cell) -> CGFloat? {
    for (section, cells) in list.cells.enumerated() {
      if let item = cells.firstIndex(where: { $0 === cell }) {
        return frame(IndexPath(item: item, section: section)).map { $0.minY - contentOffset.y }
      }
    }
    return nil
  }

  /// How many sections the view shows.
  public var numberOfSections: Int { list.numberOfSections }

  /// A cell of a kind: the one to be configured again, else another.
  func reusableCell(_ identifier: String, _ path: IndexPath) -> Cell {
    let kept = list.reconfiguredCell(at: path)
    return kept?.reuseIdentifier == identifier ? known(kept) : Cell(reuseIdentifier: identifier)
  }

  /// Asks for everything.
  public func reloadData() { list.reloadData() }

  /// Runs a batch.
  public func performBatchUpdates(_ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil) {
    if !UIView.areAnimationsEnabled { list.note("without animation") }
    list.runBatch(updates, completion: completion)
  }

  /// Moves a section.
  public func moveSection(_ section: Int, toSection newSection: Int) {
    list.moveSection(section, to: newSection)
  }
}

/// What views are shown in.
public final class UIWindow: UIView {}

/// A line of text.
public final class UILabel: UIView {
  /// Its text.
  public var text: String?
}

/// What a list shows of a row.
open class UIListCell: UIView {
  /// The kind of cell.
  public let reuseIdentifier: String?
  /// The cell's text.
  public let textLabel: UILabel? = UILabel()

  /// A cell of a kind.
  public required nonisolated init(reuseIdentifier: String?) {
    self.reuseIdentifier = reuseIdentifier
  }
}

/// What a table shows of a row.
open class UITableViewCell: UIListCell {}

/// What a collection view shows of an item.
open class UICollectionViewCell: UIListCell {}

/// What a screen is.
@MainActor open class UIViewController {
  /// The screen's title.
  public var title: String?

  /// A screen.
  public init() {}

  /// Called once.
  open func viewDidLoad() {}
}

/// A screen that is a table.
open class UITableViewController: UIViewController, UITableViewDataSource {
  /// The table.
  public let tableView: UITableView! = UITableView()

  /// A screen.
  public override init() {
    super.init()
    tableView.dataSource = self
  }

  /// How many sections there are.
  open func numberOfSections(in tableView: UITableView) -> Int { 1 }
  /// How many rows a section has.
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  /// The cell of a row.
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath)
    -> UITableViewCell
  { UITableViewCell(reuseIdentifier: nil) }
  /// The user has moved a row.
  open func tableView(
    _ tableView: UITableView, moveRowAt sourceIndexPath: IndexPath,
    to destinationIndexPath: IndexPath
  ) {}
}

extension IndexPath {
  /// A place in a table.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  /// The row in its section.
  public var row: Int { self[1] }
}

extension NSDiffableDataSourceSnapshot {
  /// What is configured again.
  public var reconfiguredItemIdentifiers: [ItemIdentifierType] { reconfigured }

  /// Configures the cells of items again.
  public mutating func reconfigureItems(_ identifiers: [ItemIdentifierType]) {
    require(Set(identifiers).isSubset(of: itemIdentifiers), "no item \(identifiers)")
    reconfigured += identifiers
  }
}
