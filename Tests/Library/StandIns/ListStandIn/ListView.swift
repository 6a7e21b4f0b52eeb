// What the stand-ins for UIKit and AppKit share: a list view that shows cells, and stops at what list
// views do not allow.

public import Foundation

/// A list view whose cells are all on screen.
///
/// It asks its data source for a cell when a row comes or is reloaded, keeps it wherever the row
/// moves, and stops the program at a batch that does not lead to what its data source has.
@MainActor public final class ListView<Cell: AnyObject> {
  /// What the view was told.
  public private(set) var log: [String] = []
  /// The cells shown, by section.
  public internal(set) var cells: [[Cell]] = []
  /// Whether batches complete as soon as they were told; else when `completeBatches` is called.
  public var completesAtOnce = true
  /// The cell to be configured again, and where.
  private var reconfigured: (path: IndexPath, cell: Cell)?
  var batch: Batch?
  private var open: [(Bool) -> Void] = []

  let askForSections: () -> Int
  let askForItems: (_ section: Int) -> Int
  let askForCell: (IndexPath) -> Cell

  /// A view that shows nothing, and what it asks its data source: how many sections there are and how many items
  /// a section has, and for the cell of an item.
  public init(
    sections: @escaping () -> Int, items: @escaping (Int) -> Int,
    cell: @escaping (IndexPath) -> Cell
  ) { (askForSections, askForItems, askForCell) = (sections, items, cell) }

  /// How many sections the view shows.
  public var numberOfSections: Int { cells.count }

  /// Notes a line.
  public func note(_ line: String) { log.append(line) }

  /// Notes places, if any.
  public func note(_ verb: String, _ places: [some CustomStringConvertible], _ more: String = "") {
    if !places.isEmpty { note("\(verb) \(places.map { "\($0)" }.joined(separator: " "))\(more)") }
  }

  /// Gives what was noted and forgets it.
  public func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  /// Asks for everything.
  public func reloadData() {
    note("reload")
    require(batch == nil, "reloadData inside a batch")
    cells = (0..<askForSections()).map { section in
      (0..<askForItems(section)).map { askForCell(IndexPath(indexes: [section, $0])) }
    }
  }

  /// Runs a batch.
  public func runBatch(_ updates: (() -> Void)?, completion: ((Bool) -> Void)?) {
    note("begin")
    require(batch == nil, "a batch inside a batch")
    batch = Batch()
    updates?()
    commit()
    note("end")
    guard let completion else { return }
    if completesAtOnce { completion(true) } else { open.append(completion) }
  }

  /// Ends the animations of all batches.
  public func completeBatches() {
    let completions = open
    open = []
    for completion in completions { completion(true) }
  }

  /// Asks for the cells of these rows again, which must be those shown.
  public func reconfigure(_ paths: [IndexPath]) {
    note("=", paths.map(\.text))
    require(batch == nil, "reconfigured inside a batch")
    for path in paths {
      reconfigure(cells[path[0]][path[1]], at: path) { askForCell(path) }
    }
  }

  /// Asks for a cell again, which must be the one shown.
  func reconfigure(_ cell: Cell, at path: IndexPath, ask: () -> Cell) {
    reconfigured = (path, cell)
    require(ask() === cell, "another cell for \(path.text)")
    reconfigured = nil
  }

  /// The cell of an item that is configured again; `nil` if it is another's turn.
  public func reconfiguredCell(at path: IndexPath) -> Cell? {
    reconfigured?.path == path ? reconfigured?.cell : nil
  }

  /// Replaces the cells shown, as a diffable data source does.
  public func show(_ new: [[Cell]]) { cells = new }
}

/// Stops the program, as a list view does.
public func require(_ isMet: Bool, _ message: @autoclosure () -> String) {
  if !isMet { fatalError("Invalid update: \(message())") }
}

/// A value that must be there.
public func known<Value>(_ value: Value?) -> Value {
  guard let value else { fatalError("no \(Value.self)") }
  return value
}

extension IndexPath {
  /// A place in a list.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }
  /// The section.
  public var section: Int { self[0] }
  /// The item in its section.
  public var item: Int { self[1] }
  /// Section and item.
  public var text: String { map { "\($0)" }.joined(separator: ".") }
}
