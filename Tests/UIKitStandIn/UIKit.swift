// What the adapters of LiveCollections use of UIKit, for machines without it: `scripts/uikit`. Views
// note what they are told, and show nothing.

public import Foundation

/// A view that may be on screen.
@MainActor open class UIView {
  /// The window that shows the view.
  public var window: UIWindow?
  /// The view's size.
  public var bounds = CGRect(x: 0, y: 0, width: 320, height: 480)

  /// A view off screen.
  public nonisolated init() {}
}

/// What views are shown in.
public final class UIWindow: UIView {}

/// A list view that notes what it is told.
@MainActor open class ListView: UIView {
  /// What the view was told.
  public private(set) var log: [String] = []
  /// Whether batches complete as soon as they were told; else when `completeBatches` is called.
  public var completesAtOnce = true
  /// How many sections the view shows.
  public var numberOfSections = 1
  private var open: [(Bool) -> Void] = []

  func note(_ line: String) { log.append(line) }

  func note(_ verb: String, _ places: [some CustomStringConvertible], _ more: String = "") {
    if !places.isEmpty { note("\(verb) \(places.map { "\($0)" }.joined(separator: " "))\(more)") }
  }

  /// Gives what was noted and forgets it.
  public func takeLog() -> [String] {
    defer { log = [] }
    return log
  }

  /// Notes that everything is to be drawn.
  public func reloadData() { note("reload") }

  /// Runs a batch.
  public func performBatchUpdates(
    _ updates: (() -> Void)?, completion: ((Bool) -> Void)? = nil
  ) {
    note("begin")
    updates?()
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
}

/// Whom a table asks.
@MainActor public protocol UITableViewDataSource: AnyObject {}

/// A table that notes what it is told.
open class UITableView: ListView {
  /// How a row comes, goes or is drawn anew.
  public enum RowAnimation: String {
    case fade, right, left, top, bottom, none, middle, automatic
  }

  /// Whom the table asks.
  public weak var dataSource: (any UITableViewDataSource)?

  /// Notes it.
  public func deleteSections(_ sections: IndexSet, with animation: RowAnimation) {
    note("- sections", sections.map { $0 }, " \(animation)")
  }
  /// Notes it.
  public func insertSections(_ sections: IndexSet, with animation: RowAnimation) {
    note("+ sections", sections.map { $0 }, " \(animation)")
  }
  /// Notes it.
  public func reloadSections(_ sections: IndexSet, with animation: RowAnimation) {
    note("~ sections", sections.map { $0 }, " \(animation)")
  }
  /// Notes it.
  public func moveSection(_ section: Int, toSection target: Int) {
    note("> section \(section) \(target)")
  }
  /// Notes it.
  public func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
    note("-", paths.map(\.text), " \(animation)")
  }
  /// Notes it.
  public func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
    note("+", paths.map(\.text), " \(animation)")
  }
  /// Notes it.
  public func reloadRows(at paths: [IndexPath], with animation: RowAnimation) {
    note("~", paths.map(\.text), " \(animation)")
  }
  /// Notes it.
  public func moveRow(at path: IndexPath, to target: IndexPath) {
    note("> \(path.text) \(target.text)")
  }
}

/// Whom a collection view asks.
@MainActor public protocol UICollectionViewDataSource: AnyObject {}

/// A collection view that notes what it is told.
open class UICollectionView: ListView {
  /// Whom the view asks.
  public weak var dataSource: (any UICollectionViewDataSource)?

  /// Notes it.
  public func deleteSections(_ sections: IndexSet) { note("- sections", sections.map { $0 }) }
  /// Notes it.
  public func insertSections(_ sections: IndexSet) { note("+ sections", sections.map { $0 }) }
  /// Notes it.
  public func reloadSections(_ sections: IndexSet) { note("~ sections", sections.map { $0 }) }
  /// Notes it.
  public func moveSection(_ section: Int, toSection target: Int) {
    note("> section \(section) \(target)")
  }
  /// Notes it.
  public func deleteItems(at paths: [IndexPath]) { note("-", paths.map(\.text)) }
  /// Notes it.
  public func insertItems(at paths: [IndexPath]) { note("+", paths.map(\.text)) }
  /// Notes it.
  public func reloadItems(at paths: [IndexPath]) { note("~", paths.map(\.text)) }
  /// Notes it.
  public func moveItem(at path: IndexPath, to target: IndexPath) {
    note("> \(path.text) \(target.text)")
  }
}

extension IndexPath {
  /// A place in a list view.
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// Section and item.
  var text: String { map { "\($0)" }.joined(separator: ".") }
}
