#if canImport(UIKit) && !os(watchOS)
  import DeltaEngine
  import Foundation
  public import UIKit

  /// A table view as the view of a collection; the collection's delivery queue is the main queue.
  ///
  /// ```swift
  /// data.setTableView(tableView)
  /// ```
  public final class TableViewAdapter: SectionDeltaUpdatableView {
    private let table: WeakView<UITableView>

    /// An adapter for a table view, which it holds weakly.
    @MainActor public init(_ table: UITableView) { self.table = WeakView(table) }

    @MainActor private static var shared = SharedAdapters<UITableView, TableViewAdapter>()

    /// The adapter of a view, the same for all collections that the view shows.
    @MainActor public static func adapter(of table: UITableView) -> TableViewAdapter {
      shared.adapter(of: table) { TableViewAdapter($0) }
    }

    /// Whom the table asks.
    @MainActor var dataSource: (any UITableViewDataSource)? { table.view?.dataSource }

    /// Whether the table is on screen, has a size and a data source.
    public var canPerformBatches: Bool {
      MainActor.assumeIsolated {
        guard let table = table.view else { return false }
        return table.window != nil && !table.bounds.isEmpty && table.dataSource != nil
      }
    }

    /// The number of sections that the table shows.
    public var sectionCount: Int {
      MainActor.assumeIsolated { table.view?.numberOfSections ?? 0 }
    }

    /// Reloads the table.
    public func reloadData() {
      MainActor.assumeIsolated { table.view?.reloadData() }
    }

    /// Performs a batch, each operation with its animation.
    public func perform(
      _ batch: UpdateBatch, completion: @escaping @Sendable (_ isFinished: Bool) -> Void
    ) {
      MainActor.assumeIsolated {
        guard let table = table.view else {
          batch.applyContent()
          return completion(true)
        }
        table.performBatchUpdates {
          batch.applyContent()
          Self.changeSections(table, batch)
          Self.changeRows(table, batch)
        } completion: {
          completion($0)
        }
      }
    }

    @MainActor private static func changeSections(_ table: UITableView, _ batch: UpdateBatch) {
      let (step, animations) = (batch.step, batch.animations)
      for section in step.delete.sections {
        table.deleteSections(
          [section.index], with: UITableView.RowAnimation(animations.delete(section)))
      }
      for move in step.move.sections {
        table.moveSection(move.from.index, toSection: move.to.index)
      }
      for insert in step.insert.sections {
        table.insertSections(
          [insert.at.index], with: UITableView.RowAnimation(animations.insert(insert.at)))
      }
      for reload in step.reload.sections {
        table.reloadSections(
          [reload.at.index], with: UITableView.RowAnimation(animations.reload(reload.at)))
      }
    }

    @MainActor private static func changeRows(_ table: UITableView, _ batch: UpdateBatch) {
      let (step, animations) = (batch.step, batch.animations)
      for path in step.delete.items {
        table.deleteRows(
          at: [IndexPath(path)], with: UITableView.RowAnimation(animations.delete(path)))
      }
      for move in step.move.items {
        table.moveRow(at: IndexPath(move.from), to: IndexPath(move.to))
      }
      for insert in step.insert.items {
        table.insertRows(
          at: [IndexPath(insert.at)], with: UITableView.RowAnimation(animations.insert(insert.at)))
      }
      for reload in step.reload.items {
        table.reloadRows(
          at: [IndexPath(reload.at)], with: UITableView.RowAnimation(animations.reload(reload.at)))
      }
    }
  }

  extension UITableView.RowAnimation {
    /// The table's own name of an animation.
    init(_ animation: TableViewAnimation) {
      switch animation {
      case .automatic: self = .automatic
      case .fade: self = .fade
      case .right: self = .right
      case .left: self = .left
      case .top: self = .top
      case .bottom: self = .bottom
      case .middle: self = .middle
      case .none: self = .none
      }
    }
  }
#endif
